import type { Endpoints, OrderCreateRequest, OrderLineItem } from "@creditgate/client";
import { audit } from "../audit/audit-log.ts";
import type { DatabaseTransaction } from "../database/connection.ts";
import { orderExists } from "../database/existence.ts";
import { answer, type Handlers } from "../endpoint/call.ts";
import type { JsonObject } from "../http/json.ts";
import { isUuid, Problem, unknown } from "../http/problem.ts";
import { invalid } from "../http/validation.ts";
import { listPart } from "../lists/keyset.ts";
import { maxCredits, microCredits } from "../money/decimal.ts";
import { createOrder, type OrderReceipt } from "../orders/creation.ts";
import { listInvoices, publicInvoice, readInvoices } from "../orders/invoice-record.ts";
import { type NewLineItem, readOrder } from "../orders/record.ts";
import type { Actor } from "./invoices.ts";

/** Orders and their invoices (API, section 4.4). */
export const orderHandlers: Pick<Handlers<Endpoints>, "orderCreate" | "orderInvoices"> = {
  async orderCreate({ orgId, actor, at, body, once }) {
    return once(async (transaction) => {
      const { order } = await placeOrder(transaction, { orgId, actor, at }, body);
      return answer(201, { ...order, invoices: order.invoices.map(publicInvoice) });
    });
  },

  async orderInvoices({ orgId, params: { order_id: orderId }, query, database }) {
    const known = isUuid(orderId) && (await orderExists(database, orgId, orderId));
    if (!known) throw unknown("order", orderId);
    return answer(200, { ...(await listInvoices(database, orgId, { orderId }, listPart(query))) });
  },
};

export interface PlacedOrder {
  readonly orderId: string;
  /** Where it has one. */
  readonly invoiceId: string | undefined;
  readonly order: JsonObject & { readonly invoices: readonly JsonObject[] };
}

/** Creates an order, for one who may. Throws, and nothing may be committed, where it cannot. */
export async function placeOrder(
  transaction: DatabaseTransaction,
  { orgId, actor, at }: Actor,
  body: OrderCreateRequest,
): Promise<PlacedOrder> {
  const lineItems = body.lineItems.map(lineItemOf);
  requireOneCurrency(lineItems);
  const { customerExternalId: customerId, orderName: name, startDate } = body;
  const receipt = await createOrder(transaction, { orgId, customerId, name, startDate, lineItems }, at);
  if (!receipt.created) throw refusal(receipt, body);
  const { orderId } = receipt;
  const record = await readOrder(transaction, orgId, orderId);
  const invoices = await readInvoices(transaction, orgId, { orderId, limit: 1 });
  const order = { ...record, invoices };
  await audit(transaction, { orgId, actor, action: "order.create", subject: orderId, after: order }, at);
  const invoiceId = invoices[0]?.invoiceId;
  return { orderId, invoiceId: typeof invoiceId === "string" ? invoiceId : undefined, order };
}

function lineItemOf({ agentId, platformFee, creditBenefits = [] }: OrderLineItem, item: number): NewLineItem {
  const benefits = creditBenefits.map((benefit, index) => {
    const { credit_currency_key, expiresInDays = null, every = null } = benefit;
    const pointer = `/lineItems/${item}/creditBenefits/${index}`;
    const amountOf = (field: "credits" | "rollover"): bigint => {
      const credits = benefit[field] ?? 0;
      const amount = credits > maxCredits ? undefined : microCredits(credits);
      if (amount !== undefined) return amount;
      const detail = `expected at most ${maxCredits} credits with at most 6 decimals, received ${credits}`;
      throw invalid([{ pointer: `${pointer}/${field}`, detail }]);
    };
    const amount = amountOf("credits");
    if (creditBenefits.findIndex((other) => other.credit_currency_key === credit_currency_key) < index) {
      const detail = `expected each currency once per line item, received ${JSON.stringify(credit_currency_key)} again`;
      throw invalid([{ pointer: `${pointer}/credit_currency_key`, detail }]);
    }
    const rollover = every === null ? null : amountOf("rollover");
    return { currency: credit_currency_key, amount, expires_in_days: expiresInDays, every, rollover };
  });
  return {
    agentId,
    platformFee: platformFee && { amount: BigInt(platformFee.amount), currency: platformFee.currency },
    creditBenefits: benefits,
  };
}

/** An invoice is in one money. */
function requireOneCurrency(lineItems: readonly NewLineItem[]): void {
  const first = lineItems.find(({ platformFee }) => platformFee)?.platformFee?.currency;
  for (const [index, { platformFee }] of lineItems.entries()) {
    if (platformFee === undefined || platformFee.currency === first) continue;
    throw invalid([
      {
        pointer: `/lineItems/${index}/platformFee/currency`,
        detail: `expected ${first}, as the first fee of the order, received ${platformFee.currency}`,
      },
    ]);
  }
}

function refusal(receipt: OrderReceipt & { readonly created: false }, body: OrderCreateRequest): Problem {
  switch (receipt.reason) {
    case "customer_unknown":
      return unknown("customer", body.customerExternalId);
    case "agent_unknown":
      return unknown("agent", receipt.agentId);
    case "wallet_postpaid":
      return new Problem(
        422,
        "wallet_postpaid",
        `creditBenefits: expected a prepaid wallet or none in ${JSON.stringify(receipt.currency)}, received a postpaid one`,
      );
    case "out_of_range":
      return new Problem(
        422,
        "amount_out_of_range",
        `creditBenefits: expected credits that the wallet in ${JSON.stringify(receipt.currency)} can hold, received more`,
      );
  }
}
