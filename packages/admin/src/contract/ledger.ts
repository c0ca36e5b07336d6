import type { Data } from "@creditgate/client";
import { record } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";
import { onlyOf, partFields, partOf, spanFields } from "./part.ts";

const defineEndpoint = tagged("Customers and wallets");

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
  "grant",
  "expiry",
] as const;

/** Why a wallet changes. */
export type LedgerCause = (typeof ledgerCauses)[number];

const balanceFields = {
  available: z.number(),
  pending: z.number(),
  overageUsed: z.number(),
  postpaidUsed: z.number(),
};

const adminLedgerEntry = record({
  /** Among the entries of its wallet, without gaps, from 1. */
  entryNo: z.number(),
  customerId: z.string(),
  creditCurrencyKey: z.string(),
  /** One of `ledgerCauses`. */
  cause: z.string(),
  usageId: z.string().nullable(),
  topUpId: z.string().nullable(),
  invoiceId: z.string().nullable(),
  creditNoteId: z.string().nullable(),
  grantId: z.string().nullable(),
  reason: z.string().nullable(),
  ...balanceFields,
  after: record(balanceFields),
  createdAt: z.string(),
});

/** An entry of the ledger: its amounts are changes in credits, and `after` is what the wallet has after it. */
export type AdminLedgerEntry = Data<typeof adminLedgerEntry>;

const filterFields = {
  ...spanFields,
  customerId: onlyOf.customerId,
  creditCurrencyKey: onlyOf.creditCurrencyKey,
  cause: z.enum(ledgerCauses).optional().describe("Only for this cause"),
};

const ledgerFilter = z.strictObject(filterFields);

/** Which entries of the ledger. */
export type LedgerFilter = Data<typeof ledgerFilter>;

const ledgerQuery = z.strictObject({ ...partFields, ...filterFields });

/** The ledger of an organisation: each change of a wallet, with its cause, the newest first. */
export const ledger = {
  list: defineEndpoint({
    name: "ledgerList",
    path: `${organization}/ledger`,
    kind: "list",
    scope: "read",
    query: ledgerQuery,
    answer: partOf({ entries: z.array(adminLedgerEntry) }),
    summary: "Lists the entries of the ledger, the newest first",
  }),
  csv: defineEndpoint({
    name: "ledgerCsv",
    path: `${organization}/ledger.csv`,
    kind: "csv",
    scope: "read",
    query: ledgerFilter,
    summary: "The ledger as a file",
  }),
};
