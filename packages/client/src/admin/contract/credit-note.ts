import { z } from "zod";
import { identifier, line } from "../../contract/text.ts";
import { type TaxLine, taxLines } from "./issuer.ts";
import { type Part, type PartQuery, partEnd, partFields, type SpanQuery, spanFields } from "./part.ts";

/** What of an invoice that is paid the customer need not have paid. */
export interface AdminCreditNote {
  readonly creditNoteId: string;
  /** As `CN-3`: a series of its own, without gaps. */
  readonly number: string;
  readonly invoiceId: string;
  readonly customerExternalId: string;
  /** Minor units of `currency` that the customer is owed; `null` where the invoice is in credits alone. */
  readonly amount: number | null;
  readonly currency: string | null;
  /** Those of an order have left their wallets. */
  readonly credits: readonly { readonly credit_currency_key: string; readonly credits: number }[];
  readonly reason: string;
  readonly createdAt: string;
  /** What of the amount is tax, in minor units; `null` where the invoice says none. All notes together credit its tax exactly. */
  readonly taxAmount: number | null;
  readonly taxes: readonly TaxLine[] | null;
}

/** A credit note to make. Without `amount` and `credits` it is for all that is left of the invoice. */
export interface CreditNoteCreateRequest {
  /** Minor units that the customer is owed, above 0. Never more than the invoice has left. */
  readonly amount?: number | undefined;
  /** Of each currency once, above 0. Never more than came with the order, and is not used. */
  readonly credits?:
    | readonly { readonly credit_currency_key: string; readonly credits: number }[]
    | undefined;
  readonly reason: string;
}

/** Which credit notes. */
export interface CreditNoteFilter extends SpanQuery {
  readonly customer_id?: string | undefined;
  readonly invoice_id?: string | undefined;
}

/** Which part of them. */
export interface CreditNoteListQuery extends PartQuery, CreditNoteFilter {}

/** Parses a credit note. Fields that are not listed are passed on. */
export const adminCreditNote: z.ZodType<AdminCreditNote> = z.looseObject({
  creditNoteId: z.string(),
  number: z.string(),
  invoiceId: z.string(),
  customerExternalId: z.string(),
  amount: z.number().nullable(),
  currency: z.string().nullable(),
  credits: z.array(z.looseObject({ credit_currency_key: z.string(), credits: z.number() })),
  reason: z.string(),
  createdAt: z.string(),
  // A service of the version before does not say.
  taxAmount: z.number().nullable().default(null),
  taxes: taxLines.nullable().default(null),
});

/** Parses the body of a credit note. */
export const creditNoteCreateRequest: z.ZodType<CreditNoteCreateRequest> = z.strictObject({
  amount: z.int().min(1).max(1e15).optional(),
  credits: z
    .array(z.strictObject({ credit_currency_key: identifier, credits: z.number().positive() }))
    .min(1)
    .max(500)
    .refine(
      (credits) => new Set(credits.map((credit) => credit.credit_currency_key)).size === credits.length,
      "Invalid input: expected each currency once",
    )
    .optional(),
  reason: line(1, 256),
});

const filterFields = {
  ...spanFields,
  customer_id: identifier.optional(),
  invoice_id: z.guid().optional(),
};

/** Parses the query for all credit notes of a kind. */
export const creditNoteFilter: z.ZodType<CreditNoteFilter> = z.strictObject(filterFields);

/** Parses the query for credit notes. */
export const creditNoteListQuery: z.ZodType<CreditNoteListQuery> = z.strictObject({
  ...partFields,
  ...filterFields,
});

/** A part of the credit notes, the newest first. */
export interface CreditNoteListAnswer extends Part {
  readonly creditNotes: readonly AdminCreditNote[];
}

/** Parses a part of the credit notes. */
export const creditNoteListAnswer: z.ZodType<CreditNoteListAnswer> = z.looseObject({
  creditNotes: z.array(adminCreditNote),
  ...partEnd,
});
