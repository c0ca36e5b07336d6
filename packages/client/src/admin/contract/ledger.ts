import { z } from "zod";
import { identifier } from "../../contract/text.ts";
import { type Part, type PartQuery, partEnd, partFields, type SpanQuery, spanFields } from "./part.ts";

/** Why a wallet changes. */
export const ledgerCauses = [
  "opening",
  "usage",
  "top_up",
  "benefit",
  "payment",
  "period",
  "void",
  "refund",
  "correction",
  "credit_note",
] as const;

/** Why a wallet changes. */
export type LedgerCause = (typeof ledgerCauses)[number];

/** What a wallet has, in credits. */
export interface LedgerBalances {
  readonly available: number;
  readonly pending: number;
  readonly overage_used: number;
  readonly postpaid_used: number;
}

/** An entry of the ledger: its amounts are changes in credits, and `after` is what the wallet has after it. */
export interface AdminLedgerEntry extends LedgerBalances {
  readonly entryId: number;
  readonly customer_id: string;
  readonly credit_currency_key: string;
  /** One of `ledgerCauses`. */
  readonly cause: string;
  readonly usageId: string | null;
  readonly topUpId: string | null;
  readonly invoiceId: string | null;
  readonly creditNoteId: string | null;
  readonly reason: string | null;
  /** `null` in entries from before it was written. */
  readonly after: LedgerBalances | null;
  readonly createdAt: string;
}

/** Which entries of the ledger. */
export interface LedgerFilter extends SpanQuery {
  readonly customer_id?: string | undefined;
  readonly credit_currency_key?: string | undefined;
  readonly cause?: LedgerCause | undefined;
}

/** Which part of them. */
export interface LedgerQuery extends PartQuery, LedgerFilter {}

const balanceFields = {
  available: z.number(),
  pending: z.number(),
  overage_used: z.number(),
  postpaid_used: z.number(),
};

/** Parses an entry of the ledger. Fields that are not listed are passed on. */
export const adminLedgerEntry: z.ZodType<AdminLedgerEntry> = z.looseObject({
  entryId: z.number(),
  customer_id: z.string(),
  credit_currency_key: z.string(),
  cause: z.string(),
  usageId: z.string().nullable(),
  topUpId: z.string().nullable(),
  invoiceId: z.string().nullable(),
  creditNoteId: z.string().nullable(),
  reason: z.string().nullable(),
  ...balanceFields,
  after: z.looseObject(balanceFields).nullable(),
  createdAt: z.string(),
});

const filterFields = {
  ...spanFields,
  customer_id: identifier.optional(),
  credit_currency_key: identifier.optional(),
  cause: z.enum(ledgerCauses).optional(),
};

/** Parses the query for all entries of the ledger of a kind. */
export const ledgerFilter: z.ZodType<LedgerFilter> = z.strictObject(filterFields);

/** Parses the query for entries of the ledger. */
export const ledgerQuery: z.ZodType<LedgerQuery> = z.strictObject({ ...partFields, ...filterFields });

/** A part of the ledger, the newest first. */
export interface LedgerAnswer extends Part {
  readonly entries: readonly AdminLedgerEntry[];
}

/** Parses a part of the ledger. */
export const ledgerAnswer: z.ZodType<LedgerAnswer> = z.looseObject({
  entries: z.array(adminLedgerEntry),
  ...partEnd,
});
