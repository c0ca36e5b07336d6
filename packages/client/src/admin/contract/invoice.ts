import { z } from "zod";
import { identifier } from "../../contract/text.ts";
import { type Part, type PartQuery, partEnd, partFields, type SpanQuery, spanFields } from "./part.ts";

/** An invoice: of an order, or of a period. */
export interface AdminInvoice {
  readonly invoiceId: string;
  readonly customerExternalId: string;
  readonly orderId: string | null;
  /** `order` or `period`. */
  readonly type: string;
  /** `open` or `paid`. */
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
}

/** Which invoices. */
export interface InvoiceListQuery extends PartQuery, SpanQuery {
  readonly customer_id?: string | undefined;
  readonly status?: "open" | "paid" | undefined;
  readonly type?: "order" | "period" | undefined;
}

/** Parses an invoice. Fields that are not listed are passed on. */
export const adminInvoice: z.ZodType<AdminInvoice> = z.looseObject({
  invoiceId: z.string(),
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
});

/** Parses the query for invoices. */
export const invoiceListQuery: z.ZodType<InvoiceListQuery> = z.strictObject({
  ...partFields,
  ...spanFields,
  customer_id: identifier.optional(),
  status: z.enum(["open", "paid"]).optional(),
  type: z.enum(["order", "period"]).optional(),
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
