import { z } from "zod";
import { type OrderCreateRequest, orderCreateRequest } from "../../contract/order.ts";
import { identifier, line } from "../../contract/text.ts";
import { type AdminInvoice, adminInvoice } from "./invoice.ts";
import { type Part, type PartQuery, partEnd, partFields, type SpanQuery, spanFields } from "./part.ts";

/** An order, without its line items. */
export interface AdminOrder {
  readonly orderId: string;
  readonly customerExternalId: string;
  readonly orderName: string;
  /** A day, as `2026-01-31`. */
  readonly startDate: string;
  /** `plan`, `replacement` or `top_up`. */
  readonly type: string;
  /** `pending`, `active`, `superseded` or `cancelled`. */
  readonly status: string;
  readonly supersededBy: string | null;
  readonly createdAt: string;
  readonly activatedAt: string | null;
  readonly supersededAt: string | null;
  readonly cancelledAt: string | null;
}

/** An order with all that it is made of. */
export interface AdminOrderDetails extends AdminOrder {
  readonly lineItems: readonly AdminOrderLineItem[];
  /** The newest hundred: its own, and those of periods that are tied to it. */
  readonly invoices: readonly AdminInvoice[];
}

/** What is ordered. */
export interface AdminOrderLineItem {
  /** `null` for credits alone, of a top-up. */
  readonly agentId: string | null;
  /** The amount is in minor units. */
  readonly platformFee: { readonly amount: number; readonly currency: string } | null;
  readonly creditBenefits: readonly { readonly credit_currency_key: string; readonly credits: number }[];
}

/** What an order may be. */
export type AdminOrderStatus = "pending" | "active" | "superseded" | "cancelled";

/** Which orders. */
export interface AdminOrderFilter extends SpanQuery {
  readonly customer_id?: string | undefined;
  readonly status?: AdminOrderStatus | undefined;
  readonly type?: "plan" | "replacement" | "top_up" | undefined;
}

/** Which part of them. */
export interface AdminOrderListQuery extends PartQuery, AdminOrderFilter {}

/** An order to create, as by the public API. */
export interface AdminOrderCreateRequest extends OrderCreateRequest {
  /** Whether its invoice is paid already: it is active at once then, and its credits available. @default false */
  readonly paid?: boolean | undefined;
}

/** Why an order is cancelled. */
export interface OrderCancelRequest {
  /** For the audit log. */
  readonly reason: string;
}

const orderFields = {
  orderId: z.string(),
  customerExternalId: z.string(),
  orderName: z.string(),
  startDate: z.string(),
  type: z.string(),
  status: z.string(),
  supersededBy: z.string().nullable(),
  createdAt: z.string(),
  activatedAt: z.string().nullable(),
  supersededAt: z.string().nullable(),
  cancelledAt: z.string().nullable(),
};

/** Parses an order. Fields that are not listed are passed on. */
export const adminOrder: z.ZodType<AdminOrder> = z.looseObject(orderFields);

/** Parses an order with its line items and invoices. Fields that are not listed are passed on. */
export const adminOrderDetails: z.ZodType<AdminOrderDetails> = z.looseObject({
  ...orderFields,
  lineItems: z.array(
    z.looseObject({
      agentId: z.string().nullable(),
      platformFee: z.looseObject({ amount: z.number(), currency: z.string() }).nullable(),
      creditBenefits: z.array(z.looseObject({ credit_currency_key: z.string(), credits: z.number() })),
    }),
  ),
  invoices: z.array(adminInvoice),
});

const filterFields = {
  ...spanFields,
  customer_id: identifier.optional(),
  status: z.enum(["pending", "active", "superseded", "cancelled"]).optional(),
  type: z.enum(["plan", "replacement", "top_up"]).optional(),
};

/** Parses the query for all orders of a kind. */
export const adminOrderFilter: z.ZodType<AdminOrderFilter> = z.strictObject(filterFields);

/** Parses the query for orders. */
export const adminOrderListQuery: z.ZodType<AdminOrderListQuery> = z.strictObject({
  ...partFields,
  ...filterFields,
});

/** Parses the body of an order. */
export const adminOrderCreateRequest: z.ZodType<AdminOrderCreateRequest> = z.intersection(
  orderCreateRequest,
  z.object({ paid: z.boolean().optional() }),
);

/** Parses why an order is cancelled. */
export const orderCancelRequest: z.ZodType<OrderCancelRequest> = z.strictObject({ reason: line(1, 256) });

/** A part of the orders, the newest first. */
export interface AdminOrderListAnswer extends Part {
  readonly orders: readonly AdminOrder[];
}

/** Parses a part of the orders. */
export const adminOrderListAnswer: z.ZodType<AdminOrderListAnswer> = z.looseObject({
  orders: z.array(adminOrder),
  ...partEnd,
});
