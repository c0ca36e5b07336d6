import { type Data, identifier } from "@creditgate/client";
import { record } from "@creditgate/client/parts";
import { z } from "zod";
import { defineEndpoint, organization } from "./define-endpoint.ts";
import { partFields, partOf, spanFields } from "./part.ts";

/** Why a wallet changes. */
const ledgerCauses = [
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

const balanceFields = {
  available: z.number(),
  pending: z.number(),
  overage_used: z.number(),
  postpaid_used: z.number(),
};

const adminLedgerEntry = record({
  entryId: z.number(),
  customer_id: z.string(),
  credit_currency_key: z.string(),
  /** One of `ledgerCauses`. */
  cause: z.string(),
  usageId: z.string().nullable(),
  topUpId: z.string().nullable(),
  invoiceId: z.string().nullable(),
  creditNoteId: z.string().nullable(),
  reason: z.string().nullable(),
  ...balanceFields,
  after: record(balanceFields),
  createdAt: z.string(),
});

/** An entry of the ledger: its amounts are changes in credits, and `after` is what the wallet has after it. */
export type AdminLedgerEntry = Data<typeof adminLedgerEntry>;

const filterFields = {
  ...spanFields,
  customer_id: identifier.optional(),
  credit_currency_key: identifier.optional(),
  cause: z.enum(ledgerCauses).optional(),
};

const ledgerFilter = z.strictObject(filterFields);

/** Which entries of the ledger. */
export type LedgerFilter = Data<typeof ledgerFilter>;

const ledgerQuery = z.strictObject({ ...partFields, ...filterFields });

/** The ledger of an organisation: each change of a wallet, with its cause, the newest first. */
export const ledger = {
  list: defineEndpoint({
    name: "ledgerList",
    method: "GET",
    path: `${organization}/ledger`,
    kind: "list",
    scope: "read",
    query: ledgerQuery,
    answer: partOf({ entries: z.array(adminLedgerEntry) }),
    tag: "Customers and wallets",
    summary: "Lists the entries of the ledger, the newest first",
  }),
  csv: defineEndpoint({
    name: "ledgerCsv",
    method: "GET",
    path: `${organization}/ledger.csv`,
    kind: "csv",
    scope: "read",
    query: ledgerFilter,
    tag: "Customers and wallets",
    summary: "The ledger as a file",
  }),
};
