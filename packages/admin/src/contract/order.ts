import { type Data, orderCreateRequest } from "@creditgate/client";
import { record } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";
import { adminInvoice } from "./invoice.ts";
import { onlyOf, partFields, partOf, reasonField, spanFields } from "./part.ts";

const defineEndpoint = tagged("Orders and invoices");

const orderFields = {
  orderId: z.string(),
  customerExternalId: z.string(),
  orderName: z.string(),
  /** A day, as `2026-01-31`. */
  startDate: z.string(),
  /** `plan`, `replacement` or `top_up`. */
  type: z.string(),
  /** `pending`, `active`, `superseded` or `cancelled`. */
  status: z.string(),
  supersededBy: z.string().nullable(),
  createdAt: z.string(),
  activatedAt: z.string().nullable(),
  supersededAt: z.string().nullable(),
  cancelledAt: z.string().nullable(),
};

export const adminOrder = record(orderFields);

/** An order, without its line items. */
export type AdminOrder = Data<typeof adminOrder>;

const adminOrderDetails = record({
  ...orderFields,
  lineItems: z.array(
    record({
      /** `null` for credits alone, of a top-up. */
      agentId: z.string().nullable(),
      /** The amount is in minor units. */
      platformFee: record({ amount: z.number(), currency: z.string() }).nullable(),
      creditBenefits: z.array(
        record({
          credit_currency_key: z.string(),
          credits: z.number(),
          /** Days from the payment on after which they expire. */
          expiresInDays: z.number().optional(),
          /** How often they recur. */
          every: z.string().optional(),
          /** Credits of a period's remainder that stay for one period more. */
          rollover: z.number().optional(),
        }),
      ),
    }),
  ),
  /** The newest hundred: its own, and those of periods that are tied to it. */
  invoices: z.array(adminInvoice),
});

/** An order with all that it is made of. */
export type AdminOrderDetails = Data<typeof adminOrderDetails>;

const filterFields = {
  ...spanFields,
  customerId: onlyOf.customerId,
  status: z.enum(["pending", "active", "superseded", "cancelled"]).optional().describe("Only in this state"),
  type: z.enum(["plan", "replacement", "top_up"]).optional().describe("Only of this type"),
};

const adminOrderFilter = z.strictObject(filterFields);

/** Which orders. */
export type AdminOrderFilter = Data<typeof adminOrderFilter>;

const adminOrderListQuery = z.strictObject({ ...partFields, ...filterFields });

const { lineItems } = orderCreateRequest.shape;

/** Its line items take no unknown field either: a fee that is misspelt would be left out. */
const adminOrderCreateRequest = z.strictObject({
  ...orderCreateRequest.shape,
  lineItems: lineItems.clone({ ...lineItems.def, element: lineItems.element.strict() }, { parent: true }),
  paid: z
    .boolean()
    .optional()
    .describe("Its invoice is paid already: it is active at once, and its credits available"),
});

/** An order to create, as by the public API. */
export type AdminOrderCreateRequest = Data<typeof adminOrderCreateRequest>;

/** What is ordered. */
export type AdminOrderLineItem = AdminOrderDetails["lineItems"][number];

const adminOrderListAnswer = partOf({ orders: z.array(adminOrder) });

const orderPath = `${organization}/orders/{orderId}` as const;

/** The orders of an organisation, the newest first. */
export const orders = {
  list: defineEndpoint({
    name: "adminOrderList",
    path: `${organization}/orders`,
    kind: "list",
    scope: "read",
    query: adminOrderListQuery,
    answer: adminOrderListAnswer,
    summary: "Lists orders, the newest first",
  }),
  csv: defineEndpoint({
    name: "orderCsv",
    path: `${organization}/orders.csv`,
    kind: "csv",
    scope: "read",
    query: adminOrderFilter,
    summary: "The orders as a file",
  }),
  /** Creates an order, with `paid` one that is active at once, once for each `idempotencyKey`. */
  create: defineEndpoint({
    name: "adminOrderCreate",
    method: "POST",
    path: `${organization}/orders`,
    kind: "once",
    onceAs: "admin/order",
    scope: "money",
    body: adminOrderCreateRequest,
    answer: adminOrderDetails,
    summary: "Creates an order, to be paid or paid",
    statuses: [201],
  }),
  /** The order with this ID; 404 `order_unknown` where there is none. Retried. */
  get: defineEndpoint({
    name: "adminOrderRead",
    path: orderPath,
    scope: "read",
    answer: adminOrderDetails,
    summary: "Reads an order with its line items and invoices",
  }),
  /** Cancels an order that is not active yet, and voids its invoice; 409 `order_not_pending` for any other. Retried. */
  cancel: defineEndpoint({
    name: "adminOrderCancel",
    method: "POST",
    path: `${orderPath}/cancel`,
    idempotent: true,
    scope: "money",
    body: z.strictObject({ reason: reasonField }),
    answer: adminOrderDetails,
    summary: "Cancels an order that is not active yet",
  }),
};
