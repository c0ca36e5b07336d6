import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connection, connect } from "../src/database/connection.ts";
import { migrate, migrations } from "../src/database/migrate.ts";
import { closePeriods } from "../src/periods/period.ts";
import { defaultPeriodSettings } from "../src/periods/settings.ts";
import { createTestDatabase, type TestDatabase } from "../src/testing/index.ts";
import { verify } from "../src/verification/wallets.ts";

let database: TestDatabase;
let connection: Connection;
beforeAll(async () => {
  database = await createTestDatabase();
  connection = connect(database.databaseUrl);
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

const usage = (id: number, receivedAt: string, settledAt: string) => `
  insert into usage_events (org_id, usage_id, request_hash, agent_id, indicator, customer_id, raw_usage, currency,
                            amount, received_at, due_at, settled_at, outcome)
  values (1, '00000000-0000-4000-8000-00000000000${id}', repeat('0', 64), 'chat', 'message', 'anna', '{}', 'ai', 1,
          '${receivedAt}', '${receivedAt}', '${settledAt}', 'accrued');
  insert into ledger_entries (org_id, customer_id, currency, cause, usage_id, available, pending, overage_used,
                              postpaid_used, created_at)
  values (1, 'anna', 'ai', 'usage', '00000000-0000-4000-8000-00000000000${id}', 0, 0, 0, 1, '${settledAt}');`;

/** As the version before left it: two uses on January's invoice, one of which came after its end, then three in February. */
const before = `
insert into organizations (name) values ('Acme');
insert into agents (org_id, agent_id, external_id, name) values (1, 'chat', 'chat', 'Chat');
insert into indicators (org_id, agent_id, name) values (1, 'chat', 'message');
insert into customers (org_id, external_id, name) values (1, 'anna', 'Anna');
insert into wallets (org_id, customer_id, currency, kind, postpaid_used, accrues_from)
  values (1, 'anna', 'ai', 'postpaid', 3, '2026-02-01');
${usage(1, "2026-01-31T10:00Z", "2026-01-31T10:01Z")}
${usage(2, "2026-02-01T00:00:10Z", "2026-02-01T00:00:11Z")}
insert into invoices (org_id, invoice_id, customer_id, kind, status, credit_currency, credits, period_start, period_end, created_at)
  values (1, '10000000-0000-4000-8000-000000000000', 'anna', 'period', 'open', 'ai', 2, '2026-01-01', '2026-02-01', '2026-02-01T00:00:30Z');
insert into ledger_entries (org_id, customer_id, currency, cause, invoice_id, available, pending, overage_used, postpaid_used, created_at)
  values (1, 'anna', 'ai', 'period', '10000000-0000-4000-8000-000000000000', 0, 0, 0, -2, '2026-02-01T00:00:30Z');
${usage(3, "2026-01-31T23:59:59Z", "2026-02-01T00:00:40Z")}
${usage(4, "2026-02-28T23:59:59Z", "2026-03-01T00:00:02Z")}
${usage(5, "2026-03-01T00:00:00Z", "2026-03-01T00:00:03Z")}
update currencies set unit_amount = 2000000, unit_currency = 'EUR';
`;

describe("the migration to invoices that end where their period does", () => {
  it("leaves old invoices as they are, and dates what is not invoiced yet by when it was received", async () => {
    await migrate(
      connection.pool,
      migrations.filter(({ version }) => version < 10),
    );
    await connection.pool.query(before);
    await migrate(connection.pool);
    expect((await verify(connection.database)).differences).toEqual([]);
    const closed = await closePeriods({
      database: connection.database,
      defaults: defaultPeriodSettings,
      now: new Date("2026-03-01T00:01:00Z"),
      actor: "test",
    });
    expect(closed).toEqual({ invoices: 1, waiting: 0, failures: 0 });
    const { rows } = await connection.pool.query(
      "select credits, amount, currency, period_start from invoices order by period_end",
    );
    expect(rows).toMatchObject([
      { credits: 2n, amount: null },
      { credits: 2n, amount: 4n, currency: "EUR", period_start: new Date("2026-02-01") },
    ]);
    expect((await verify(connection.database)).differences).toEqual([]);
  });
});
