import { randomBytes } from "node:crypto";
import { createAdminClient } from "@creditgate/admin";
import { createClient } from "@creditgate/client";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { grantedTables, grantToApp } from "../src/database/app-role.ts";
import { type Connection, connect } from "../src/database/connection.ts";
import { migrate } from "../src/database/migrate.ts";
import { openDatabase } from "../src/database/open.ts";
import { type RunningServer, startServer } from "../src/index.ts";
import { closePeriods } from "../src/periods/period.ts";
import { defaultPeriodSettings } from "../src/periods/settings.ts";
import { createTestDatabase, type TestDatabase } from "../src/testing/index.ts";
import { verify } from "../src/verification/wallets.ts";
import { acme } from "./fixture.ts";
import { creditgate } from "./serve-process.ts";

const role = `creditgate_app_${randomBytes(6).toString("hex")}`;
const adminToken = "cga_a-token-for-these-tests";

/** A database whose owner has migrated it, and a server that comes as another role. */
let database: TestDatabase;
let owner: Connection;
let app: Connection;
let appUrl: string;
let server: RunningServer;
const failures: unknown[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  owner = connect(database.databaseUrl, 2);
  await owner.pool.query(`create role ${role} login password '${role}'`);
  const url = new URL(database.databaseUrl);
  url.username = role;
  url.password = role;
  appUrl = url.href;
});
afterAll(async () => {
  await server?.stop();
  await app?.close();
  await owner.pool.query(`drop owned by ${role}`);
  await owner.pool.query(`drop role ${role}`);
  await owner.close();
  await database.drop();
});

const refused = (pool: pg.Pool, statement: string) =>
  expect(pool.query(statement), statement).rejects.toMatchObject({ code: "42501" });

describe("the role of servers and workers", () => {
  it("is told to have the owner migrate first, where the schema is not there or older", async () => {
    await expect(openDatabase(appUrl)).rejects.toMatchObject({
      code: "database_older",
      message: expect.stringContaining("Run creditgate migrate --app-role ROLE first"),
    });
    await migrate(owner.pool);
    await grantToApp(owner.pool, role);
    const { rows } = await owner.pool.query("delete from creditgate_migrations returning version, name");
    await expect(openDatabase(appUrl)).rejects.toMatchObject({ code: "database_older" });
    for (const { version, name } of rows)
      await owner.pool.query("insert into creditgate_migrations (version, name) values ($1, $2)", [
        version,
        name,
      ]);
  });

  it("gets its rights by creditgate migrate, as often as that is run", async () => {
    for (const _ of [1, 2]) {
      const { exit } = creditgate(["migrate", "--app-role", role], { DATABASE_URL: database.databaseUrl });
      expect(await exit).toMatchObject({
        code: 0,
        stdout: `creditgate schema up to date, ${role} may use it\n`,
        stderr: "",
      });
    }
    app = connect(appUrl, 2);
    server = await startServer({
      databaseUrl: appUrl,
      port: 0,
      metricsPort: 0,
      fixture: acme,
      settlementDelayMs: 0,
      adminTokens: [{ name: "test", token: adminToken }],
      onError: (error) => failures.push(error),
    });
  });

  it("is neither a superuser nor the owner, and exists", async () => {
    const { rows } = await owner.pool.query<{ name: string }>("select current_user as name");
    for (const [name, words] of [
      [rows[0]?.name ?? "", "one that is not a superuser"],
      ["creditgate_nobody", "create role creditgate_nobody login"],
    ] as const) {
      await expect(grantToApp(owner.pool, name)).rejects.toMatchObject({
        code: "config_invalid",
        message: expect.stringContaining(words),
      });
    }
  });

  it("can do all that the API, the admin API and the workers do", async () => {
    const client = createClient({ baseUrl: server.url, apiKey: "cg_test_local" });
    const admin = createAdminClient({ baseUrl: server.url, adminToken });
    const organization = await admin.organizationNamed("Acme");
    const customer = "carol";
    await client.customers.createOrGet({ externalId: customer, name: "Carol" });
    await client.agents.ensure({ agent_name: "Line", agent_external_id: "line" });
    await client.agents.list();
    const usage = { agentId: "chat", customerId: customer, rawUsage: { inputTokens: 10 } };
    await client.usage.report({ ...usage, indicator: "speech" }, { idempotencyKey: "one" });
    await client.usage.report({ ...usage, indicator: "message" });
    await server.settled();
    await organization.wallets.ensure(customer, {
      kind: "postpaid",
      creditCurrencyKey: "voice_credits",
      postpaidLimit: 0,
    });
    await organization.wallets.ensure(customer, { kind: "prepaid", creditCurrencyKey: "ai_credits" });
    await organization.wallets.setLimits(customer, "ai_credits", { overageLimit: 5 });
    await organization.wallets.correct(
      { customerId: customer, creditCurrencyKey: "ai_credits", credits: 3, reason: "gift" },
      { idempotencyKey: "two" },
    );
    const topUp = { credit_currency_key: "ai_credits", credits: 3 };
    await client.wallets.topUp({ customer_id: customer, top_ups: [topUp] }, { idempotencyKey: "three" });
    const order = (await client.orders.create({
      customerExternalId: customer,
      orderName: "Plan",
      startDate: "2026-01-01",
      lineItems: [{ agentId: "chat", platformFee: { amount: 1, currency: "EUR" }, creditBenefits: [topUp] }],
    })) as { orderId: string; invoices: { invoiceId: string }[] };
    await client.invoices.markPaid(order.invoices[0]?.invoiceId ?? "");
    await client.customers.orders(customer);
    await client.customers.subscription(customer);
    await client.voice.session({ sessionId: "call", agentId: "chat", customerId: customer });
    await client.voice.tts({ sessionId: "call", characters: 10 });
    await client.voice.indicator({ sessionId: "call", indicator: "message", totalDuration: 1 });
    const key = await organization.apiKeys.create({ name: "key" });
    const rotated = await organization.apiKeys.rotate(key.keyId);
    await organization.apiKeys.revoke(rotated.keyId);
    await organization.currencies.set({
      creditCurrencyKey: "voice_credits",
      unitPrice: { amount: 2, currency: "EUR" },
    });
    await organization.configure({ billingPeriod: "weekly" });
    await admin.organizations.create({ name: "Other" });
    await server.settled();
    expect(await organization.closePeriods({ early: true })).toMatchObject({ invoices: 1, failures: 0 });
    expect(await client.wallets.balance(customer)).toMatchObject({
      balances: { voice_credits: { postpaid_used: 0 } },
    });
    await closePeriods({
      database: app.database,
      defaults: defaultPeriodSettings,
      now: new Date(),
      actor: "test",
    });
    expect((await verify(app.database)).differences).toEqual([]);
    expect((await fetch(`${server.url}/ready`)).status).toBe(200);
    expect((await fetch(`${server.metricsUrl}/metrics`)).status).toBe(200);
    expect(failures).toEqual([]);
  });

  it.each(["usage_reports", "ledger_entries", "audit_log", "prices", "unit_prices", "voice_usage"])(
    "cannot change or remove what is in %s, nor let itself",
    async (table) => {
      const { rows } = await owner.pool.query<{ column: string }>(
        `select attname as column from pg_attribute where attrelid = '${table}'::regclass and attnum > 0 and attidentity = '' limit 1`,
      );
      const column = rows[0]?.column;
      await refused(app.pool, `update ${table} set ${column} = ${column}`);
      await refused(app.pool, `delete from ${table}`);
      await refused(app.pool, `truncate ${table}`);
      await refused(app.pool, `alter table ${table} disable trigger all`);
      await refused(app.pool, `drop table ${table}`);
      await refused(app.pool, `set session_replication_role = replica`);
    },
  );

  it("is told at the start of a table that it has no rights on, and of the fix", async () => {
    await owner.pool.query(`revoke all on wallet_openings from ${role}`);
    await expect(openDatabase(appUrl)).rejects.toMatchObject({
      code: "database_older",
      message:
        "DATABASE_URL: expected a role that may use the tables, received one that may not read wallet_openings. Run creditgate migrate --app-role ROLE first, with the DATABASE_URL of the owner.",
    });
    await grantToApp(owner.pool, role);
    await owner.pool.query("alter table settlement_pace rename to settlement_paces");
    await expect(openDatabase(appUrl)).rejects.toThrow("one that may not read settlement_pace.");
    await owner.pool.query("alter table settlement_paces rename to settlement_pace");
    await (await openDatabase(appUrl)).close();
  });

  it("cannot change the amount of an invoice, nor the schema", async () => {
    await refused(app.pool, "update invoices set amount = 0");
    await refused(app.pool, "delete from invoices");
    await refused(app.pool, "delete from wallets");
    await refused(app.pool, "create table more (id int)");
    await refused(app.pool, "update creditgate_migrations set version = 0");
  });

  it("has rights on every table that there is", async () => {
    // What a partition holds is read and written by its table.
    const { rows } = await owner.pool.query<{ tablename: string }>(
      `select relname as tablename from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition order by 1`,
    );
    expect(rows.map(({ tablename }) => tablename)).toEqual(grantedTables.toSorted());
  });
});
