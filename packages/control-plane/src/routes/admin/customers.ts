import { Router } from "express";
import { sql } from "kysely";
import { z } from "zod";
import { groupRows } from "../../billing/group-rows.ts";
import type { Database } from "../../database/connection.ts";
import { type Json, sendJson } from "../../http/json.ts";
import { organizationOf, organizationPath, page, parseQuery } from "./scope.ts";
import { readWallets } from "./wallet-record.ts";

const searchText = z
  .string()
  .max(256)
  .refine((text) => !text.includes("\0"), "Invalid input: expected text without NUL");

const query = z.object({ ...page, search: searchText.optional() });

/** Customers with their wallets. */
export function customerAdminRoutes(database: Database): Router {
  const router = Router();

  router.get(`${organizationPath}/customers`, async (request, response) => {
    const { page, limit, search } = parseQuery(query, request);
    const orgId = await organizationOf(database, request);
    let selection = database.selectFrom("customers").where("org_id", "=", orgId);
    if (search !== undefined) {
      // Not a pattern: what is searched for may hold % and _.
      selection = selection.where(
        sql<boolean>`strpos(lower(external_id || ' ' || name || ' ' || coalesce(email, '')), lower(${search})) > 0`,
      );
    }
    const customers = await selection
      .select(["external_id", "name", "email", "country", "city", "created_at"])
      .orderBy("external_id")
      .limit(limit)
      .offset(BigInt(page - 1) * BigInt(limit))
      .execute();
    const { total } = await selection
      .select((select) => select.fn.countAll<bigint>().as("total"))
      .executeTakeFirstOrThrow();
    const ids = customers.map(({ external_id }) => external_id);
    const wallets = groupRows(await readWallets(database, orgId, ids), ({ customer_id }) => customer_id);
    const records = customers.map(
      ({ external_id, created_at, ...rest }): Json => ({
        externalId: external_id,
        ...rest,
        createdAt: created_at.toISOString(),
        wallets: wallets.get(external_id) ?? [],
      }),
    );
    sendJson(response, 200, { customers: records, page, limit, total: Number(total) });
  });

  return router;
}
