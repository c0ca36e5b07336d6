import { customerEditRequest } from "@creditgate/client/admin";
import { type Request, Router } from "express";
import { type Selectable, sql } from "kysely";
import { z } from "zod";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { groupRows } from "../database/group-rows.ts";
import type { Tables } from "../database/tables.ts";
import { type JsonObject, sendJson } from "../http/json.ts";
import { customerPath, unknown } from "../http/references.ts";
import { parse } from "../http/validation.ts";
import type { Clock } from "../time/clock.ts";
import { audit } from "./audit-log.ts";
import { administrator } from "./authentication.ts";
import { organizationOf, organizationPath, page, parseQuery } from "./scope.ts";
import { readWallets, type WalletRecord } from "./wallet-record.ts";

const searchText = z
  .string()
  .max(256)
  .refine((text) => !text.includes("\0"), "Invalid input: expected text without NUL");

const query = z.object({ ...page, search: searchText.optional() });

type Customer = Omit<Selectable<Tables["customers"]>, "org_id">;

const columns = ["external_id", "name", "email", "country", "city", "created_at", "erased_at"] as const;

/** Customers with their wallets: listed, edited, and freed of what is personal. */
export function customerAdminRoutes(database: Database, clock: Clock): Router {
  const router = Router();
  const path = `${organizationPath}/customers/:external_id`;

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
      .select(columns)
      .orderBy("external_id")
      .limit(limit)
      .offset(BigInt(page - 1) * BigInt(limit))
      .execute();
    const { total } = await selection
      .select((select) => select.fn.countAll<bigint>().as("total"))
      .executeTakeFirstOrThrow();
    const ids = customers.map(({ external_id }) => external_id);
    const wallets = groupRows(await readWallets(database, orgId, ids), ({ customer_id }) => customer_id);
    const records = customers.map((customer) => record(customer, wallets.get(customer.external_id)));
    sendJson(response, 200, { customers: records, page, limit, total: Number(total) });
  });

  router.get(path, async (request, response) => {
    const key = await keyOf(database, request);
    const customer = await selectCustomer(database, key).executeTakeFirst();
    sendJson(response, 200, await described(database, key, customer));
  });

  router.post(path, async (request, response) => {
    const changes = parse(customerEditRequest, request.body, "body");
    const key = await keyOf(database, request);
    const at = new Date(clock.now());
    const customer = await database.transaction().execute(async (transaction) => {
      const before = await selectCustomer(transaction, key).forNoKeyUpdate().executeTakeFirst();
      const fields = Object.entries(changes).flatMap(([field, value]) =>
        value === undefined ? [] : [field],
      );
      if (before === undefined || fields.length === 0) return described(transaction, key, before);
      const { name = before.name, email = before.email } = changes;
      const { country = before.country, city = before.city } = changes;
      // Something is known of it again.
      const next = { name, email, country, city, erased_at: null };
      await updateCustomer(transaction, key, next);
      // Which fields, not what was in them: the log is for ever, and these may have to be erased.
      const change = { subject: key.externalId, after: { changed: fields } };
      const who = { orgId: key.orgId, actor: administrator(response) };
      await audit(transaction, { ...who, action: "customer.edit", ...change }, at);
      return described(transaction, key, { ...before, ...next });
    });
    sendJson(response, 200, customer);
  });

  router.post(`${path}/erase`, async (request, response) => {
    const key = await keyOf(database, request);
    const at = new Date(clock.now());
    const customer = await database.transaction().execute(async (transaction) => {
      const before = await selectCustomer(transaction, key).forNoKeyUpdate().executeTakeFirst();
      if (before === undefined || before.erased_at !== null) return described(transaction, key, before);
      const next = { name: "erased", email: null, country: null, city: null, erased_at: at };
      await updateCustomer(transaction, key, next);
      const who = { orgId: key.orgId, actor: administrator(response) };
      await audit(transaction, { ...who, action: "customer.erase", subject: key.externalId }, at);
      return described(transaction, key, { ...before, ...next });
    });
    sendJson(response, 200, customer);
  });

  return router;
}

interface CustomerKey {
  readonly orgId: bigint;
  readonly externalId: string;
}

async function keyOf(database: Database, request: Request): Promise<CustomerKey> {
  const { external_id: externalId } = parse(customerPath, request.params, "path");
  return { orgId: await organizationOf(database, request), externalId };
}

function selectCustomer(database: Pick<Database, "selectFrom">, { orgId, externalId }: CustomerKey) {
  return database
    .selectFrom("customers")
    .select(columns)
    .where("org_id", "=", orgId)
    .where("external_id", "=", externalId);
}

async function updateCustomer(
  transaction: DatabaseTransaction,
  { orgId, externalId }: CustomerKey,
  next: Omit<Customer, "external_id" | "created_at">,
): Promise<void> {
  await transaction
    .updateTable("customers")
    .set(next)
    .where("org_id", "=", orgId)
    .where("external_id", "=", externalId)
    .execute();
}

/** The customer with its wallets; a 404 where there is none. */
async function described(
  database: Pick<Database, "selectFrom">,
  { orgId, externalId }: CustomerKey,
  customer: Customer | undefined,
): Promise<JsonObject> {
  if (customer === undefined) throw unknown("customer", externalId);
  return record(customer, await readWallets(database, orgId, [externalId]));
}

function record(
  { external_id, name, email, country, city, created_at, erased_at }: Customer,
  wallets: readonly WalletRecord[] = [],
): JsonObject {
  return {
    externalId: external_id,
    name,
    email,
    country,
    city,
    createdAt: created_at.toISOString(),
    erasedAt: erased_at?.toISOString() ?? null,
    wallets,
  };
}
