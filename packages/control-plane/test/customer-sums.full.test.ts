import { createHash } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connection, connect } from "../src/database/connection.ts";
import { createMigratedDatabase, type TestDatabase } from "../src/testing/index.ts";
import { readSums, type Sum, type SumSelection } from "../src/usage/sums.ts";
import { type CountedEvent, countEvents } from "../src/usage/tallies.ts";
import { customerMonths } from "../src/verification/usage.ts";
import { explain, recorder } from "./query-plan.ts";

let test: TestDatabase;
let connection: Connection;
beforeAll(async () => {
  test = await createMigratedDatabase();
  connection = connect(test.databaseUrl);
  await connection.pool.query(`
    insert into organizations (name) values ('One'), ('Other');
    insert into customers (org_id, external_id, name)
      select org_id, 'customer-' || lpad(i::text, 4, '0'), 'C' from organizations, generate_series(0, 999) as i`);
  await connection.database.transaction().execute((transaction) => countEvents(transaction, events));
  await connection.pool.query("analyze");
});
afterAll(async () => {
  await connection.close();
  await test.drop();
});

/** Two organisations, whose customers use two agents in two indicators, each on some days of fourteen months; one in a hundred in a rare currency. */
const events = Array.from({ length: 15_000 }, (_, i): CountedEvent => {
  const hash = createHash("sha256").update(String(i)).digest().readUInt32BE();
  return {
    orgId: BigInt(1 + (i % 2)),
    customerId: `customer-${String(hash % 1000).padStart(4, "0")}`,
    agentId: hash % 7 < 4 ? "chat" : "artist",
    indicator: hash % 11 < 5 ? "message" : "tokens",
    currency: hash % 101 === 1 ? "rare" : hash % 5 === 0 ? null : "credits",
    amount: BigInt(i),
    receivedAt: new Date(Date.UTC(2025, 0, 1 + (Math.floor(hash / 1000) % 420))),
  };
});

const all: SumSelection = {
  orgId: 1n,
  by: "customer",
  from: new Date("2025-01-01"),
  to: new Date("2026-01-01"),
  customerId: undefined,
  agentId: undefined,
  indicator: undefined,
  currency: undefined,
  after: undefined,
  limit: 10,
};
const cases: readonly (readonly [string, Partial<SumSelection>])[] = [
  ["a year", {}],
  ["a year that begins within a month", { from: new Date("2025-01-20"), to: new Date("2026-01-20") }],
  ["a day", { from: new Date("2025-02-28"), to: new Date("2025-03-01") }],
  ["a month", { from: new Date("2025-02-01"), to: new Date("2025-03-01") }],
  ["thirty days", { from: new Date("2025-02-11"), to: new Date("2025-03-13") }],
  ["what comes after a customer", { after: ["customer-0500"] }],
  ["the end", { after: ["customer-0995"] }],
  ["a rare currency", { currency: "rare" }],
  ["what is not in CREDITS", { currency: "", to: new Date("2025-06-02") }],
  ["an agent", { agentId: "artist" }],
  ["an agent in a rare currency", { agentId: "artist", currency: "rare" }],
  [
    "an indicator, thirty days",
    { agentId: "chat", indicator: "tokens", from: new Date("2025-02-11"), to: new Date("2025-03-13") },
  ],
  ["an indicator in a rare currency", { agentId: "chat", indicator: "tokens", currency: "rare" }],
  ["a currency that nobody uses", { currency: "none" }],
];

/** All of a span added up, and the first customers cut out of that. */
async function addedUp(selection: SumSelection): Promise<readonly Sum[]> {
  const { orgId, from, to, agentId = null, indicator = null, currency = null, after, limit } = selection;
  const { rows } = await sql<Sum>`
    select array[customer_id] as key, currency, sum(events)::bigint as events, sum(credits)::text as credits
      from customer_usage_days
     where org_id = ${orgId} and day >= ${from.toISOString()}::date and day < ${to.toISOString()}::date
       and customer_id > ${after?.[0] ?? ""} and agent_id = coalesce(${agentId}, agent_id)
       and indicator = coalesce(${indicator}, indicator) and currency = coalesce(${currency}, currency)
     group by customer_id, currency order by customer_id, currency`.execute(connection.database);
  const customers = [...new Set(rows.map(({ key }) => key[0]))].slice(0, limit);
  return rows.filter(({ key }) => customers.includes(key[0]));
}

describe("the sums of customers", () => {
  it("have months that agree with their days", async () => {
    const { rows } = await connection.pool.query("select sum(events) from customer_usage_months");
    expect(rows).toEqual([{ sum: "30000" }]);
    expect(await connection.database.transaction().execute(customerMonths)).toEqual([]);
  });

  it.each(cases)("of %s are those of all days, cut after the first customers", async (_, part) => {
    for (const limit of [1, 10, 1_000]) {
      const selection = { ...all, ...part, limit };
      expect(await readSums(connection.database, selection)).toEqual(await addedUp(selection));
    }
  });

  it.each(cases)("of %s are read without what the customers after them have used", async (_, part) => {
    const { database, queries } = recorder(connection.pool);
    await readSums(database, { ...all, ...part, limit: 11 });
    const plan = await explain(connection.pool, queries[0]);
    expect(queries).toHaveLength(1);
    // Thirteen months at most, each in three currencies or of two indicators in them; and where they are found.
    expect(plan.rowsOf("customer_usage_months")).toBeLessThan(13 * 6 * 11 + 10);
    // At most 58 days: of each the first eleven customers, some with several indicators.
    expect(plan.rowsOf("customer_usage_days")).toBeLessThan(58 * 3 * 13);
    expect(plan.scanned).toEqual([]);
  });
});
