import { type Data, identifier } from "@creditgate/client";
import { line, record } from "@creditgate/client/parts";
import { z } from "zod";
import { defineEndpoint, organization } from "./define-endpoint.ts";
import { taxLines } from "./issuer.ts";
import { partFields, partOf, spanFields } from "./part.ts";

export const adminCreditNote = record({
  creditNoteId: z.string(),
  /** As `CN-3`: a series of its own, without gaps. */
  number: z.string(),
  invoiceId: z.string(),
  customerExternalId: z.string(),
  /** Minor units of `currency` that the customer is owed; `null` where the invoice is in credits alone. */
  amount: z.number().nullable(),
  currency: z.string().nullable(),
  /** Those of an order have left their wallets. */
  credits: z.array(record({ credit_currency_key: z.string(), credits: z.number() })),
  reason: z.string(),
  createdAt: z.string(),
  // A service of the version before does not say.
  /** What of the amount is tax, in minor units; `null` where the invoice says none. All notes together credit its tax exactly. */
  taxAmount: z.number().nullable().default(null),
  taxes: taxLines.nullable().default(null),
});

/** What of an invoice that is paid the customer need not have paid. */
export type AdminCreditNote = Data<typeof adminCreditNote>;

const creditNoteCreateRequest = z.strictObject({
  /** Minor units that the customer is owed, above 0. Never more than the invoice has left. */
  amount: z.int().min(1).max(1e15).optional(),
  /** Of each currency once, above 0. Never more than came with the order, and is not used. */
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

/** A credit note to make. Without `amount` and `credits` it is for all that is left of the invoice. */
export type CreditNoteCreateRequest = Data<typeof creditNoteCreateRequest>;

const filterFields = {
  ...spanFields,
  customer_id: identifier.optional(),
  invoice_id: z.guid().optional(),
};

const creditNoteFilter = z.strictObject(filterFields);

/** Which credit notes. */
export type CreditNoteFilter = Data<typeof creditNoteFilter>;

const creditNoteListQuery = z.strictObject({
  ...partFields,
  ...filterFields,
});

const creditNoteListAnswer = partOf({ creditNotes: z.array(adminCreditNote) });

const tag = "Orders and invoices";

export const creditNoteEndpoints = {
  /**
   * Credits an invoice that is paid, in whole or in part, once for each `idempotencyKey`. 422 `amount_above_invoice` and
   * `credits_above_invoice` for more than it has left, `credits_used` where the wallet has less left of its credits.
   */
  credit: defineEndpoint({
    name: "creditNoteCreate",
    method: "POST",
    path: `${organization}/invoices/{invoice_id}/credit-notes`,
    kind: "once",
    onceAs: "admin/credit-note",
    scope: "money",
    body: creditNoteCreateRequest,
    answer: adminCreditNote,
    tag,
    summary: "Credits an invoice that is paid, in whole or in part",
    statuses: [201],
  }),
  /** The credit notes of the organisation, the newest first. */
  creditNotes: defineEndpoint({
    name: "creditNoteList",
    method: "GET",
    path: `${organization}/credit-notes`,
    kind: "list",
    scope: "read",
    query: creditNoteListQuery,
    answer: creditNoteListAnswer,
    tag,
    summary: "Lists credit notes, the newest first",
  }),
  creditNotesCsv: defineEndpoint({
    name: "creditNoteCsv",
    method: "GET",
    path: `${organization}/credit-notes.csv`,
    kind: "csv",
    scope: "read",
    query: creditNoteFilter,
    tag,
    summary: "The credit notes as a file",
  }),
  printCreditNote: defineEndpoint({
    name: "creditNotePrint",
    method: "GET",
    path: `${organization}/credit-notes/{credit_note_id}/print`,
    kind: "page",
    scope: "read",
    tag,
    summary: "A credit note as a page to be printed",
  }),
};
