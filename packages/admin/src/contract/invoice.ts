import type { Data } from "@creditgate/client";
import { record } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";
import { taxLines } from "./issuer.ts";
import { onlyOf, partFields, partOf, reasonField, spanFields } from "./part.ts";

const defineEndpoint = tagged("Orders and invoices");

export const adminInvoice = record({
  invoiceId: z.string(),
  /** As `INV-17`: each organisation counts without gaps, void ones too. */
  number: z.string(),
  customerExternalId: z.string(),
  orderId: z.string().nullable(),
  /** `order` or `period`. */
  type: z.string(),
  /** `open`, `paid` or `void`. */
  status: z.string(),
  /** Minor units of `currency`; `null` where the credit currency has no price. */
  amount: z.number().nullable(),
  currency: z.string().nullable(),
  creditCurrencyKey: z.string().nullable(),
  credits: z.number().nullable(),
  periodStart: z.string().nullable(),
  periodEnd: z.string().nullable(),
  createdAt: z.string(),
  paidAt: z.string().nullable(),
  voidedAt: z.string().nullable(),
  /** What has become of what a void invoice of a period had billed: `rebilled` or `forgiven`. */
  voidedUsage: z.string().nullable(),
  /** What credit notes have credited, in minor units. */
  creditedAmount: z.number(),
  // A service of the version before does not say.
  /** What of the amount is tax, in minor units; `null` where it is in credits alone, or no issuer was set when it was numbered. */
  taxAmount: z.number().nullable().default(null),
  /** What it is made of. */
  taxes: taxLines.nullable().default(null),
});

/** An invoice: of an order, or of a period. */
export type AdminInvoice = Data<typeof adminInvoice>;

const filterFields = {
  ...spanFields,
  customerId: onlyOf.customerId,
  status: z.enum(["open", "paid", "void"]).optional().describe("Only in this state"),
  type: z.enum(["order", "period"]).optional().describe("Only of this type"),
};

const invoiceFilter = z.strictObject(filterFields);

/** Which invoices. */
export type InvoiceFilter = Data<typeof invoiceFilter>;

const invoiceListQuery = z.strictObject({ ...partFields, ...filterFields });

const invoiceVoidRequest = z.strictObject({
  reason: reasonField,
  /** It is on the next invoice, or on none. */
  usage: z
    .enum(["rebilled", "forgiven"])
    .optional()
    .describe("What becomes of what a period has billed; rebilled by default"),
});

const invoiceListAnswer = partOf({ invoices: z.array(adminInvoice) });

const invoicePath = `${organization}/invoices/{invoiceId}` as const;

/** The invoices of an organisation, the newest first. */
export const invoices = {
  list: defineEndpoint({
    name: "adminInvoiceList",
    path: `${organization}/invoices`,
    kind: "list",
    scope: "read",
    query: invoiceListQuery,
    answer: invoiceListAnswer,
    summary: "Lists invoices, the newest first",
  }),
  csv: defineEndpoint({
    name: "invoiceCsv",
    path: `${organization}/invoices.csv`,
    kind: "csv",
    scope: "read",
    query: invoiceFilter,
    summary: "The invoices as a file",
  }),
  /** The invoice with this ID; 404 `invoice_unknown` where there is none. Retried. */
  get: defineEndpoint({
    name: "adminInvoiceRead",
    path: invoicePath,
    scope: "read",
    answer: adminInvoice,
    summary: "Reads an invoice",
  }),
  print: defineEndpoint({
    name: "invoicePrint",
    path: `${invoicePath}/print`,
    kind: "page",
    scope: "read",
    summary: "An invoice as a page to be printed",
  }),
  /** Marks an invoice paid: its credits become available. Never retried once sent. */
  markPaid: defineEndpoint({
    name: "adminInvoiceMarkPaid",
    method: "POST",
    path: `${invoicePath}/mark-paid`,
    scope: "money",
    answer: adminInvoice,
    summary: "Marks an invoice paid",
  }),
  /**
   * Voids an invoice that is open; 409 `invoice_paid` for one that is paid, which takes a credit note. An order that waits
   * for it is cancelled; what a period has billed is on the next invoice, unless it is to be forgiven. Retried.
   */
  void: defineEndpoint({
    name: "adminInvoiceVoid",
    method: "POST",
    path: `${invoicePath}/void`,
    idempotent: true,
    scope: "money",
    body: invoiceVoidRequest,
    answer: adminInvoice,
    summary: "Voids an invoice that is open",
  }),
};
