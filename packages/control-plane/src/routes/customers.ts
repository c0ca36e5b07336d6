import { customerCreateOrGetRequest, customerSubscriptionQuery } from "@creditgate/client";
import { Router } from "express";
import { subscriptionOf } from "../customers/subscription.ts";
import type { Database } from "../database/connection.ts";
import { organization } from "../http/authentication.ts";
import { allow } from "../http/errors.ts";
import { sendJson } from "../http/json.ts";
import { customerPath, requireAgent, requireCustomer } from "../http/references.ts";
import { parse } from "../http/validation.ts";
import type { Clock } from "../time/clock.ts";

/** Customers (API, section 4.3). */
export function customerRoutes(database: Database, clock: Clock): Router {
  const router = Router();

  router.post("/api/v1/customers/create-or-get", async (request, response) => {
    const { externalId, name, email, country, city } = parse(
      customerCreateOrGetRequest,
      request.body,
      "body",
    );
    const orgId = organization(response);
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
    sendJson(response, created.numInsertedOrUpdatedRows === 1n ? 201 : 200, customer);
  });

  router.get("/api/v1/customers/by-external-id/:external_id/subscription", async (request, response) => {
    const { external_id } = parse(customerPath, request.params, "path");
    const { agentId } = parse(customerSubscriptionQuery, request.query, "query");
    const orgId = organization(response);
    await requireCustomer(database, orgId, external_id);
    if (agentId !== undefined) await requireAgent(database, orgId, agentId);
    const subscription = await subscriptionOf(database, orgId, external_id, agentId, new Date(clock.now()));
    sendJson(response, 200, { externalId: external_id, agentId: agentId ?? null, ...subscription });
  });

  router.all("/api/v1/customers/create-or-get", allow("POST"));
  router.all("/api/v1/customers/by-external-id/:external_id/subscription", allow("GET"));

  return router;
}
