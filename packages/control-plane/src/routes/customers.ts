import { customerCreateOrGetRequest } from "@creditgate/client";
import { Router } from "express";
import type { Database } from "../database/connection.ts";
import { organization } from "../http/authentication.ts";
import { allow } from "../http/errors.ts";
import { sendJson } from "../http/json.ts";
import { parse } from "../http/validation.ts";

/** Customers (API, section 4.3). */
export function customerRoutes(database: Database): Router {
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

  router.all("/api/v1/customers/create-or-get", allow("POST"));

  return router;
}
