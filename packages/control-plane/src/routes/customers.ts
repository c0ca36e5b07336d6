import type { Endpoints } from "@creditgate/client";
import { subscriptionOf } from "../customers/subscription.ts";
import type { Database } from "../database/connection.ts";
import { answer, type Handlers } from "../endpoint/call.ts";
import { requireAgent, requireCustomer } from "../http/problem.ts";
import { listPart } from "../lists/keyset.ts";
import { listInvoices } from "../orders/invoice-record.ts";
import { listOrders } from "../orders/record.ts";

/** Customers (API, section 4.3). */
export function customerHandlers(database: Database) {
  return {
    async customerCreateOrGet({ orgId, body: { externalId, name, email, country, city } }) {
      const values = {
        org_id: orgId,
        external_id: externalId,
        name,
        email: email ?? null,
        country: country ?? null,
        city: city ?? null,
      };
      // In one transaction: a server that takes over in between may not have the customer.
      const [created, customer] = await database.transaction().execute(async (transaction) => [
        await transaction
          .insertInto("customers")
          .values(values)
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirstOrThrow(),
        await transaction
          .selectFrom("customers")
          .select(["external_id as externalId", "name", "email", "country", "city"])
          .where("org_id", "=", orgId)
          .where("external_id", "=", externalId)
          .executeTakeFirstOrThrow(),
      ]);
      return answer(created.numInsertedOrUpdatedRows === 1n ? 201 : 200, customer);
    },

    async customerSubscription({ orgId, at, params: { external_id: externalId }, query: { agentId } }) {
      await requireCustomer(database, orgId, externalId);
      if (agentId !== undefined) await requireAgent(database, orgId, agentId);
      const subscription = await subscriptionOf(database, orgId, externalId, agentId, at);
      return answer(200, { externalId, agentId: agentId ?? null, ...subscription });
    },

    async customerOrders({ orgId, params: { external_id: customerId }, query }) {
      await requireCustomer(database, orgId, customerId);
      return answer(200, { ...(await listOrders(database, orgId, customerId, listPart(query))) });
    },

    async customerInvoices({ orgId, params: { external_id: customerId }, query }) {
      await requireCustomer(database, orgId, customerId);
      return answer(200, { ...(await listInvoices(database, orgId, { customerId }, listPart(query))) });
    },
  } satisfies Partial<Handlers<Endpoints>>;
}
