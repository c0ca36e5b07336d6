import { z } from "zod";
import { identifier, line } from "../../contract/text.ts";
import { type TaxLine, taxLines } from "./issuer.ts";
import { type Part, type PartQuery, partEnd, partFields, type SpanQuery, spanFields } from "./part.ts";

/** An invoice: of an order, or of a period. */
export interface AdminInvoice {
  readonly invoiceId: string;
  /** As `INV-17`: each organisation counts without gaps, void ones too. `null` while an upgrade numbers what was there. */
  readonly number: string | null;
  readonly customerExternalId: string;
  readonly orderId: string | null;
  /** `order` or `period`. */
  readonly type: string;
  /** `open`, `paid` or `void`. */
  readonly status: string;
  /** Minor units of `currency`; `null` where the credit currency has no price. */
  readonly amount: number | null;
  readonly currency: string | null;
  readonly credit_currency_key: string | null;
  readonly credits: number | null;
  readonly periodStart: string | null;
  readonly periodEnd: string | null;
  readonly createdAt: string;
  readonly paidAt: string | null;
  readonly voidedAt: string | null;
  /** What has become of what a void invoice of a period had billed: `rebilled` or `forgiven`. */
  readonly voidedUsage: string | null;
  /** What credit notes have credited, in minor units. */
  readonly creditedAmount: number;
  /** What of the amount is tax, in minor units; `null` where it is in credits alone, or no issuer was set when it was numbered. */
  readonly taxAmount: number | null;
  /** What it is made of. */
  readonly taxes: readonly TaxLine[] | null;
}

/** Which invoices. */
export interface InvoiceFilter extends SpanQuery {
  readonly customer_id?: string | undefined;
  readonly status?: "open" | "paid" | "void" | undefined;
  readonly type?: "order" | "period" | undefined;
}

/** Which part of them. */
export interface InvoiceListQuery extends PartQuery, InvoiceFilter {}

/** Why an invoice is void. */
export interface InvoiceVoidRequest {
  /** For the audit log. */
  readonly reason: string;
  /** What becomes of what an invoice of a period has billed: it is on the next one, or on none. @default "rebilled" */
  readonly usage?: "rebilled" | "forgiven" | undefined;
}

/** Parses an invoice. Fields that are not listed are passed on. */
export const adminInvoice: z.ZodType<AdminInvoice> = z.looseObject({
  invoiceId: z.string(),
  number: z.string().nullable(),
  customerExternalId: z.string(),
  orderId: z.string().nullable(),
  type: z.string(),
  status: z.string(),
  amount: z.number().nullable(),
  currency: z.string().nullable(),
  credit_currency_key: z.string().nullable(),
  credits: z.number().nullable(),
  periodStart: z.string().nullable(),
  periodEnd: z.string().nullable(),
  createdAt: z.string(),
  paidAt: z.string().nullable(),
  voidedAt: z.string().nullable(),
  voidedUsage: z.string().nullable(),
  creditedAmount: z.number(),
  // A service of the version before does not say.
  taxAmount: z.number().nullable().default(null),
  taxes: taxLines.nullable().default(null),
});

const filterFields = {
  ...spanFields,
  customer_id: identifier.optional(),
  status: z.enum(["open", "paid", "void"]).optional(),
  type: z.enum(["order", "period"]).optional(),
};

/** Parses the query for all invoices of a kind. */
export const invoiceFilter: z.ZodType<InvoiceFilter> = z.strictObject(filterFields);

/** Parses the query for invoices. */
export const invoiceListQuery: z.ZodType<InvoiceListQuery> = z.strictObject({
  ...partFields,
  ...filterFields,
});

/** Parses why an invoice is void. */
export const invoiceVoidRequest: z.ZodType<InvoiceVoidRequest> = z.strictObject({
  reason: line(1, 256),
  usage: z.enum(["rebilled", "forgiven"]).optional(),
});

/** A part of the invoices, the newest first. */
export interface InvoiceListAnswer extends Part {
  readonly invoices: readonly AdminInvoice[];
}

/** Parses a part of the invoices. */
export const invoiceListAnswer: z.ZodType<InvoiceListAnswer> = z.looseObject({
  invoices: z.array(adminInvoice),
  ...partEnd,
});
