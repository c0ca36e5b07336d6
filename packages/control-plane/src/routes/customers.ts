import type { Endpoints } from "@creditgate/client";
import { subscriptionOf } from "../customers/subscription.ts";
import type { Database } from "../database/connection.ts";
import { answer, type Handlers } from "../endpoint/call.ts";
import { requireAgent, requireCustomer } from "../http/references.ts";
import { listPart } from "../lists/list.ts";
import { listInvoices } from "../orders/invoice-record.ts";
import { listOrders } from "../orders/record.ts";

/** Customers (API, section 4.3). */
export function customerHandlers(database: Database) {
  return {
    async customerCreateOrGet({ orgId, body: { externalId, name, email, country, city } }) {
      const created = await database
        .insertInto("customers")
        .values({
          org_id: orgId,
          external_id: externalId,
          name,
          email: email ?? null,
          country: country ?? null,
          city: city ?? null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      const customer = await database
        .selectFrom("customers")
        .select(["external_id as externalId", "name", "email", "country", "city"])
        .where("org_id", "=", orgId)
        .where("external_id", "=", externalId)
        .executeTakeFirstOrThrow();
      return answer(created.numInsertedOrUpdatedRows === 1n ? 201 : 200, customer);
    },

    async customerSubscription({ orgId, at, params: { external_id: externalId }, query: { agentId } }) {
      await requireCustomer(database, orgId, externalId);
      if (agentId !== undefined) await requireAgent(database, orgId, agentId);
      const subscription = await subscriptionOf(database, orgId, externalId, agentId, at);
      return answer(200, { externalId, agentId: agentId ?? null, ...subscription });
    },

    async customerOrders({ orgId, params: { external_id: customerId }, query, read }) {
      const orders = await read(async (lists) => {
        await requireCustomer(lists, orgId, customerId);
        return listOrders(lists, orgId, customerId, listPart(query));
      });
      return answer(200, { ...orders });
    },

    async customerInvoices({ orgId, params: { external_id: customerId }, query, read }) {
      const invoices = await read(async (lists) => {
        await requireCustomer(lists, orgId, customerId);
        return listInvoices(lists, orgId, { customerId }, listPart(query));
      });
      return answer(200, { ...invoices });
    },
  } satisfies Partial<Handlers<Endpoints>>;
}
