import { type Data, identifier } from "@creditgate/client";
import { record } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";
import { taxLines } from "./issuer.ts";
import { onlyOf, partFields, partOf, reasonField, spanFields } from "./part.ts";

const defineEndpoint = tagged("Orders and invoices");

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
  credits: z.array(record({ creditCurrencyKey: z.string(), credits: z.number() })),
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
  /** Never more than the invoice has left. */
  amount: z.int().min(1).max(1e15).optional().describe("Money that the customer is owed, in minor units"),
  /** Of each currency once. Never more than came with the order, and is not used. */
  credits: z
    .array(z.strictObject({ creditCurrencyKey: identifier, credits: z.number().positive() }))
    .min(1)
    .max(500)
    .refine(
      (credits) => new Set(credits.map((credit) => credit.creditCurrencyKey)).size === credits.length,
      "Invalid input: expected each currency once",
    )
    .optional()
    .describe('What leaves the wallets, as [{"creditCurrencyKey":"ai_credits","credits":5}]'),
  reason: reasonField,
});

/** A credit note to make. Without `amount` and `credits` it is for all that is left of the invoice. */
export type CreditNoteCreateRequest = Data<typeof creditNoteCreateRequest>;

const filterFields = {
  ...spanFields,
  customerId: onlyOf.customerId,
  invoiceId: z.guid().optional().describe("Only against this invoice"),
};

const creditNoteFilter = z.strictObject(filterFields);

/** Which credit notes. */
export type CreditNoteFilter = Data<typeof creditNoteFilter>;

const creditNoteListQuery = z.strictObject({ ...partFields, ...filterFields });

const creditNoteListAnswer = partOf({ creditNotes: z.array(adminCreditNote) });

export const creditNoteEndpoints = {
  /**
   * Credits an invoice that is paid, in whole or in part, once for each `idempotencyKey`. 422 `amount_above_invoice` and
   * `credits_above_invoice` for more than it has left, `credits_used` where the wallet has less left of its credits.
   */
  credit: defineEndpoint({
    name: "creditNoteCreate",
    method: "POST",
    path: `${organization}/invoices/{invoiceId}/credit-notes`,
    kind: "once",
    onceAs: "admin/credit-note",
    scope: "money",
    body: creditNoteCreateRequest,
    answer: adminCreditNote,
    summary: "Credits an invoice that is paid, in whole or in part",
    statuses: [201],
  }),
  /** The credit notes of the organisation, the newest first. */
  creditNotes: defineEndpoint({
    name: "creditNoteList",
    path: `${organization}/credit-notes`,
    kind: "list",
    scope: "read",
    query: creditNoteListQuery,
    answer: creditNoteListAnswer,
    summary: "Lists credit notes, the newest first",
  }),
  creditNotesCsv: defineEndpoint({
    name: "creditNoteCsv",
    path: `${organization}/credit-notes.csv`,
    kind: "csv",
    scope: "read",
    query: creditNoteFilter,
    summary: "The credit notes as a file",
  }),
  printCreditNote: defineEndpoint({
    name: "creditNotePrint",
    path: `${organization}/credit-notes/{creditNoteId}/print`,
    kind: "page",
    scope: "read",
    summary: "A credit note as a page to be printed",
  }),
};
