import { type Client, createClient } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connection, connect } from "../src/database/connection.ts";
import { type RunningServer, startServer } from "../src/index.ts";
import { createTestDatabase, type TestDatabase } from "../src/testing/index.ts";
import { verify } from "../src/wallets/verification.ts";
import { type Admin, administrator } from "./administrator.ts";
import { acme } from "./fixture.ts";
import { createRandom, type Random } from "./random.ts";

/** `npm run test:random` takes 10,000. */
const operations = Number(process.env.CREDITGATE_OPERATIONS ?? "1000");
const seed = Number(process.env.CREDITGATE_SEED ?? "20261121");
const workers = 20;
const adminToken = "cga_a-token-for-these-tests";
const names = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"] as const;

/**
 * Two replicas on one database, and what each customer should be left with, in whole credits: prepaid what is available
 * less the overage, postpaid what is on the bill and on its invoices.
 */
const prepaid = new Map<string, number>(names.map((name) => [name, 0]));
const postpaid = new Map<string, number>(names.map((name) => [name, 0]));
const failures: unknown[] = [];
let reports = 0;
let database: TestDatabase;
let connection: Connection;
let servers: [RunningServer, RunningServer];
let admin: Admin;
let path: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const start = () =>
    startServer({
      databaseUrl: database.databaseUrl,
      port: 0,
      settlementDelayMs: 0,
      adminTokens: [{ name: "test", token: adminToken }],
      fixture: {
        ...acme,
        agents: [
          {
            agentId: "chat",
            agent_external_id: "chat",
            agent_name: "Chat",
            indicators: (["ai_credits", "voice_credits"] as const).map((currency) => ({
              name: currency,
              billing: "CREDITS",
              currency,
              price: { perEvent: 1, perThousandInputTokens: 1000 },
            })),
          },
        ],
        customers: names.map((externalId) => ({
          externalId,
          name: externalId,
          wallets: [
            { currency: "ai_credits", kind: "prepaid" },
            { currency: "voice_credits", kind: "postpaid", limit: 0 },
          ],
        })),
      },
      onError: (error) => failures.push(error),
    });
  servers = [await start(), await start()];
  connection = connect(database.databaseUrl);
  admin = administrator(servers[0].url, adminToken);
  path = `/organizations/${await admin.organizationId("Acme")}`;
}, 60_000);
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await connection.close();
  await database.drop();
});

const add = (ledger: Map<string, number>, customer: string, credits: number) =>
  ledger.set(customer, (ledger.get(customer) ?? 0) + credits);

interface Order {
  readonly invoices: readonly { readonly invoiceId: string }[];
}

/** Does one thing that the service can be asked for, with what it should come to. */
async function operate(client: Client, random: Random, unpaid: [customer: string, invoiceId: string][]) {
  const customerId = random.pick(names);
  const credits = 1 + random.integer(9);
  switch (random.integer(10)) {
    case 0: {
      const top_ups = [{ credit_currency_key: "ai_credits", credits }];
      await client.wallets.topUp(
        { customer_id: customerId, top_ups },
        { idempotencyKey: crypto.randomUUID() },
      );
      return add(prepaid, customerId, credits);
    }
    case 1: {
      const order = (await client.orders.create({
        customerExternalId: customerId,
        orderName: "Plan",
        startDate: "2026-01-01",
        lineItems: [
          {
            agentId: "chat",
            platformFee: { amount: 1, currency: "EUR" },
            creditBenefits: [{ credit_currency_key: "ai_credits", credits: 7 }],
          },
        ],
      })) as Order;
      unpaid.push([customerId, order.invoices[0]?.invoiceId ?? ""]);
      return;
    }
    case 2: {
      const [customer, invoiceId] = unpaid.pop() ?? [];
      if (customer === undefined || invoiceId === undefined) return;
      // Twice at once: paid once.
      await Promise.all([client.invoices.markPaid(invoiceId), client.invoices.markPaid(invoiceId)]);
      return add(prepaid, customer, 7);
    }
    case 3: {
      const amount = random.pick([credits, -credits]);
      const body = {
        customer_id: customerId,
        credit_currency_key: "ai_credits",
        credits: amount,
        reason: "r",
      };
      expect((await admin.post(`${path}/corrections`, body)).status).toBe(200);
      return add(prepaid, customerId, amount);
    }
    case 4: {
      const body = {
        customer_id: customerId,
        credit_currency_key: "voice_credits",
        credits: -credits,
        reason: "r",
      };
      expect((await admin.post(`${path}/corrections`, body)).status).toBe(200);
      return add(postpaid, customerId, credits);
    }
    case 5:
      if (random.integer(5) > 0)
        return void (await client.customers.subscription(customerId, { agentId: "chat" }));
      expect((await admin.post(`${path}/close-period`, { early: true })).status).toBe(200);
      return;
    default: {
      const indicator = random.pick(["ai_credits", "voice_credits"]);
      const report = { agentId: "chat", customerId, indicator, rawUsage: { inputTokens: credits } };
      const options = { idempotencyKey: `${seed}-${reports++}` };
      // A third of the reports is sent twice.
      const copies = random.integer(3) === 0 ? 2 : 1;
      await Promise.all(Array.from({ length: copies }, () => client.usage.report(report, options)));
      if (indicator === "ai_credits") return add(prepaid, customerId, -1 - credits);
      return add(postpaid, customerId, 1 + credits);
    }
  }
}

const rows = async (text: string) => (await connection.pool.query<Record<string, unknown>>(text)).rows;

describe(`${operations} random operations by ${workers} workers (seed ${seed})`, { timeout: 600_000 }, () => {
  it("leave balances that are the sums of their entries and what was asked for, usage debited once, no deadlock", async () => {
    await Promise.all(
      Array.from({ length: workers }, async (_, worker) => {
        const random = createRandom(seed + worker);
        const server = servers[worker % 2 === 0 ? 0 : 1];
        const client = createClient({ baseUrl: server.url, apiKey: "cg_test_local", timeoutMs: 60_000 });
        const unpaid: [string, string][] = [];
        for (let count = 0; count < operations / workers; count++) await operate(client, random, unpaid);
      }),
    );
    await Promise.all(servers.map((server) => server.settled()));

    expect(failures).toEqual([]);
    expect((await verify(connection.database)).differences).toEqual([]);
    expect(await rows("select count(*) from usage_events")).toEqual([{ count: BigInt(reports) }]);
    expect(await rows("select count(*) from ledger_entries where cause = 'usage'")).toEqual([
      { count: BigInt(reports) },
    ]);
    const left = await rows(`
      select customer_id, sum(available - overage_used) filter (where kind = 'prepaid')::bigint / 1000000 as prepaid,
             sum(postpaid_used + (select coalesce(sum(credits), 0) from invoices as invoice
                                   where invoice.customer_id = wallets.customer_id and invoice.kind = 'period'))
               filter (where wallets.kind = 'postpaid')::bigint / 1000000 as postpaid
        from wallets group by customer_id order by customer_id`);
    expect(left).toEqual(
      names.map((name) => ({
        customer_id: name,
        prepaid: BigInt(prepaid.get(name) ?? 0),
        postpaid: BigInt(postpaid.get(name) ?? 0),
      })),
    );
    expect(
      await rows(
        "select count(*) from orders where status = 'active' group by customer_id having count(*) > 1",
      ),
    ).toEqual([]);
    expect(await rows("select deadlocks from pg_stat_database where datname = current_database()")).toEqual([
      { deadlocks: 0n },
    ]);
  });
});
