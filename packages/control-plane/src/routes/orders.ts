import { type OrderCreateRequest, type OrderLineItem, orderCreateRequest } from "@creditgate/client";
import { Router } from "express";
import { audit } from "../admin/audit-log.ts";
import type { Database } from "../database/connection.ts";
import { orderExists } from "../database/existence.ts";
import { actor, organization } from "../http/authentication.ts";
import { allow } from "../http/errors.ts";
import { echoKey, hashOf, idempotencyKey, once } from "../http/idempotency.ts";
import { sendJson, sendText, stringify } from "../http/json.ts";
import { listPart } from "../http/list.ts";
import { Problem } from "../http/problem.ts";
import { customerPath, isUuid, requireCustomer, unknown } from "../http/references.ts";
import { invalid, parse } from "../http/validation.ts";
import { listInvoices, readInvoices } from "../invoices/record.ts";
import { maxCredits, microCredits } from "../money/credits.ts";
import { createOrder, type NewLineItem, type OrderReceipt } from "../orders/creation.ts";
import { listOrders, readOrder } from "../orders/record.ts";
import type { Clock } from "../time/clock.ts";

/** Orders and their invoices (API, sections 4.3 and 4.4). */
export function orderRoutes(database: Database, clock: Clock): Router {
  const router = Router();

  router.get("/api/v1/customers/by-external-id/:external_id/orders", async (request, response) => {
    const { external_id } = parse(customerPath, request.params, "path");
    const orgId = organization(response);
    await requireCustomer(database, orgId, external_id);
    sendJson(response, 200, { ...(await listOrders(database, orgId, external_id, listPart(request))) });
  });

  router.get("/api/v1/customers/by-external-id/:external_id/invoices", async (request, response) => {
    const { external_id: customerId } = parse(customerPath, request.params, "path");
    const orgId = organization(response);
    await requireCustomer(database, orgId, customerId);
    sendJson(response, 200, { ...(await listInvoices(database, orgId, { customerId }, listPart(request))) });
  });

  router.post("/api/v1/orders", async (request, response) => {
    const body = parse(orderCreateRequest, request.body, "body");
    const lineItems = body.lineItems.map(lineItemOf);
    requireOneCurrency(lineItems);
    const orgId = organization(response);
    const key = idempotencyKey(request);
    const at = new Date(clock.now());
    const answer = await once(
      database,
      "orders",
      { orgId, key, hash: hashOf(body) },
      at,
      async (transaction) => {
        const receipt = await createOrder(
          transaction,
          {
            orgId,
            customerId: body.customerExternalId,
            name: body.orderName,
            startDate: body.startDate,
            lineItems,
          },
          at,
        );
        if (!receipt.created) throw refusal(receipt, body);
        const { orderId } = receipt;
        const record = await readOrder(transaction, orgId, orderId);
        const order = { ...record, invoices: await readInvoices(transaction, orgId, { orderId, limit: 1 }) };
        const change = { subject: receipt.orderId, after: order };
        await audit(transaction, { orgId, actor: actor(response), action: "order.create", ...change }, at);
        return { status: 201, body: stringify(order) };
      },
    );
    echoKey(response, key);
    sendText(response, answer.status, answer.body);
  });

  router.get("/api/v1/orders/:order_id/invoices", async (request, response) => {
    const { order_id } = request.params;
    const orgId = organization(response);
    const known = isUuid(order_id) && (await orderExists(database, orgId, order_id));
    if (!known) throw unknown("order", order_id);
    const part = listPart(request);
    sendJson(response, 200, { ...(await listInvoices(database, orgId, { orderId: order_id }, part)) });
  });

  router.all("/api/v1/customers/by-external-id/:external_id/orders", allow("GET"));
  router.all("/api/v1/customers/by-external-id/:external_id/invoices", allow("GET"));
  router.all("/api/v1/orders", allow("POST"));
  router.all("/api/v1/orders/:order_id/invoices", allow("GET"));

  return router;
}

function lineItemOf({ agentId, platformFee, creditBenefits = [] }: OrderLineItem, item: number): NewLineItem {
  const benefits = creditBenefits.map(({ credit_currency_key, credits }, index) => {
    const amount = credits > maxCredits ? undefined : microCredits(credits);
    const pointer = `/lineItems/${item}/creditBenefits/${index}`;
    if (amount === undefined) {
      const detail = `expected at most ${maxCredits} credits with at most 6 decimals, received ${credits}`;
      throw invalid([{ pointer: `${pointer}/credits`, detail }]);
    }
    if (creditBenefits.findIndex((other) => other.credit_currency_key === credit_currency_key) < index) {
      const detail = `expected each currency once per line item, received ${JSON.stringify(credit_currency_key)} again`;
      throw invalid([{ pointer: `${pointer}/credit_currency_key`, detail }]);
    }
    return { currency: credit_currency_key, amount };
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
