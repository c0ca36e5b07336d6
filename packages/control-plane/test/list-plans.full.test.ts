import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { endpoints } from "@creditgate/client";
import express from "express";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { creditsJournal } from "../src/books/credits-journal.ts";
import { moneyJournal } from "../src/books/money-journal.ts";
import { readPostings } from "../src/books/postings.ts";
import { endpointRoutes } from "../src/endpoint/endpoint-routes.ts";
import { type Listener, listen } from "../src/http/listener.ts";
import { customerHandlers } from "../src/routes/customers.ts";
import type { Operation } from "../src/routes/operation.ts";
import { orderHandlers } from "../src/routes/orders.ts";
import { operations } from "../src/routes/table.ts";
import { type AdminApp, openAdminApp } from "./admin-app.ts";
import { acme } from "./fixture.ts";
import { explain, recorder } from "./query-plan.ts";
import { openScene, type Scene } from "./scene.ts";
import { queued } from "./usage-rows.ts";

/** Forty tenants with as much as Acme has: 10 customers, 500 entries of the ledger, invoices, orders, audited changes. */
const others = 40;
const perTenant = 500;

let scene: Scene;
let listener: Listener;
let admin: AdminApp;
let recorded: ReturnType<typeof recorder>;
let cursors: { readonly order: string; readonly invoice: string };
beforeAll(async () => {
  scene = await openScene({ ...acme, customers: [] });
  await scene.pool.query(`
    insert into organizations (name) select 'Other ' || i from generate_series(1, ${others}) i;
    insert into customers (org_id, external_id, name) select org_id, 'c' || i, 'C' from organizations, generate_series(0, 9) i;
    insert into customers (org_id, external_id, name) select org_id, 'd' || i, 'D' from organizations, generate_series(0, 99) i;
    insert into wallets (org_id, customer_id, currency, kind, available)
      select org_id, external_id, 'ai_credits', 'prepaid', case when external_id like 'd%7' then 0 else 1 end from customers;
    insert into wallets (org_id, customer_id, currency, kind) select org_id, external_id, 'rare', 'prepaid' from customers where external_id like 'd%3';
    insert into wallets (org_id, customer_id, currency, kind) select org_id, external_id, 'later', 'postpaid' from customers where external_id like 'd%9';
    insert into budgets (org_id, customer_id, currency, key, credit_limit, every, time_zone, begun_at)
      select org_id, external_id, 'ai_credits', 'member:' || i, 1, 'day', 'UTC', now() - interval '1 year' from customers, generate_series(0, 19) i where external_id like 'c%';
    insert into budget_sums (org_id, customer_id, currency, key, period, used)
      select org_id, customer_id, currency, key, date_trunc('day', timestamptz '2026-01-01', 'UTC') - i * interval '1 day', 1 from budgets, generate_series(0, 3) i;
    insert into ledger_entries (org_id, customer_id, currency, entry_no, cause, top_up_id, reason, available, pending, overage_used, postpaid_used, created_at,
                                  available_after, pending_after, overage_used_after, postpaid_used_after)
      select org_id, 'c' || i % 10, 'ai_credits', i, case when i < 90 then 'correction' else 'top_up' end,
             case when i < 90 then null else gen_random_uuid() end, case when i < 90 then 'r' end, 1, 0, 0, 0, now() - i * interval '1 minute', 1, 0, 0, 0
        from generate_series(1, ${perTenant}) i, organizations;
    insert into ledger_entries (org_id, customer_id, currency, entry_no, cause, top_up_id, available, pending, overage_used, postpaid_used, created_at,
                                  available_after, pending_after, overage_used_after, postpaid_used_after)
      select org_id, 'd3', 'rare', i, 'top_up', gen_random_uuid(), 1, 0, 0, 0, now() - i * interval '1 day', 1, 0, 0, 0 from generate_series(1, 3) i, organizations;
    insert into orders (org_id, order_id, customer_id, name, start_date, kind, status, created_at, activated_at)
      select org_id, gen_random_uuid(), 'c' || i % 10, 'Plan', now(), 'plan', 'active', now() - i * interval '1 minute', now()
        from generate_series(1, ${perTenant}) i, organizations;
    insert into invoices (org_id, invoice_id, customer_id, order_id, kind, status, amount, created_at, paid_at)
      select org_id, gen_random_uuid(), customer_id, order_id, 'order', 'paid', 1, created_at, now() from orders;
    insert into invoices (org_id, invoice_id, customer_id, kind, status, credit_currency, credits, period_start, period_end, created_at)
      select org_id, gen_random_uuid(), external_id, 'period', 'open', 'ai_credits', 1, now() - interval '2 days', now() - interval '1 day', now() - interval '3 days' from customers;
    update invoices set status = 'open', paid_at = null where created_at > now() - interval '50 minutes';
    update orders set kind = 'replacement' where created_at < now() - interval '480 minutes';
    insert into credit_notes (org_id, credit_note_id, invoice_id, customer_id, amount, currency, reason, created_at)
      select org_id, gen_random_uuid(), invoice_id, customer_id, 1, 'EUR', 'r', created_at from invoices where kind = 'order';
    insert into voice_sessions (org_id, session_id, agent_id, customer_id, opened_at, abandoned_at)
      select ${scene.orgId}, 's' || i, 'chat', 'c' || i % 10, now() - i * interval '1 minute', case when i < 20 then now() end
        from generate_series(1, ${perTenant}) i;
    insert into audit_log (org_id, actor, action, subject, at)
      select org_id, case when i < 20 then 'rare' when i between 250 and 252 then 'rarest' else 'test' end, case when i < 20 then 'rare' when i between 250 and 252 then 'rarest' else 'x' end, '1', now() - i * interval '1 minute' from generate_series(1, ${perTenant}) i, organizations;
    insert into usage_reports (org_id, usage_id, request_hash, agent_id, indicator, customer_id, raw_usage, currency, amount, received_at)
      select ${scene.orgId}, gen_random_uuid(), repeat('0', 64), 'chat', case when i % 100 = 0 then 'speech' else 'message' end, case when i % 100 < 50 then 'c1' else 'c2' end, '{}', 'ai_credits', 1,
             now() - i * interval '1 minute'
        from generate_series(1, 5000) i;
    insert into usage_outcomes (org_id, usage_id, agent_id, indicator, customer_id, currency, amount, received_at, settled_at, outcome)
      select org_id, usage_id, agent_id, indicator, customer_id, currency, amount, received_at, now(), 'wallet_missing'
        from usage_reports where received_at >= now() - interval '9 minutes';
    insert into ledger_entries (org_id, customer_id, currency, entry_no, cause, usage_id, available, pending, overage_used, postpaid_used, created_at,
                                  available_after, pending_after, overage_used_after, postpaid_used_after)
      select org_id, customer_id, currency, 1000 + row_number() over (), 'usage', usage_id, -1, 0, 0, 0, received_at - interval '1 year', 0, 0, 0, 0
        from usage_reports where received_at between now() - interval '4000 minutes' and now() - interval '9 minutes';
    insert into usage_outcomes (org_id, usage_id, agent_id, indicator, customer_id, currency, amount, received_at, settled_at, outcome)
      select org_id, usage_id, agent_id, indicator, customer_id, currency, 0, received_at, now(), 'free'
        from usage_reports where received_at < now() - interval '4000 minutes';
    insert into usage_outcomes (org_id, usage_id, agent_id, indicator, customer_id, currency, amount, received_at, settled_at, outcome)
      select ${scene.orgId}, gen_random_uuid(), 'chat', 'message', 'c1', 'ai_credits', 0, now() - i * interval '1 minute', now(), 'free'
        from generate_series(6000, 30000) i;
    ${queued("usage_reports where received_at between now() - interval '100 minutes' and now() - interval '50 minutes'", { due: "'infinity'" })};
    analyze`);
  const { rows } = await scene.pool.query(
    `select (select order_id from orders where org_id = $1 and customer_id = 'c1' order by created_at desc offset 5 limit 1) as order,
            (select invoice_id from invoices where org_id = $1 and customer_id = 'c1' order by created_at desc offset 5 limit 1) as invoice`,
    [scene.orgId],
  );
  cursors = rows[0];
  recorded = recorder(scene.pool);
  const { database } = recorded;
  const app = express();
  app.use((_request, response, next) => {
    response.locals.caller = { orgId: scene.orgId, keyId: "test", actor: "test" };
    next();
  });
  const { customerOrders, customerInvoices, orderInvoices } = endpoints;
  app.use(
    endpointRoutes<"customerOrders" | "customerInvoices" | "orderInvoices", Operation>({
      endpoints: { customerOrders, customerInvoices, orderInvoices },
      table: operations,
      handlers: { ...customerHandlers(database), ...orderHandlers },
      guards: () => [],
      otherMethods: [],
      database,
      clock: scene.clock,
    }),
  );
  admin = await openAdminApp(database, scene.clock);
  listener = await listen(app, { host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await admin.close();
  await listener.drain(0);
  await scene.close();
});

const own = () => `/admin/api/organizations/${scene.orgId}`;
const mine = "/api/v1/customers/by-external-id/c1";
const anHourAgo = () => new Date(Date.now() - 60 * 60 * 1_000).toISOString();
const pages: Readonly<Record<string, () => string>> = {
  "the ledger": () => `${own()}/ledger?limit=10`,
  "the ledger by cause": () => `${own()}/ledger?limit=10&cause=correction`,
  "the ledger in a currency": () => `${own()}/ledger?limit=10&creditCurrencyKey=rare`,
  "the ledger by time": () => `${own()}/ledger?limit=10&to=${anHourAgo()}`,
  "the ledger of a customer by cause": () => `${own()}/ledger?limit=10&customerId=c1&cause=correction`,
  "the ledger of a customer": () => `${own()}/ledger?limit=10&customerId=c1`,
  "the ledger of a wallet": () => `${own()}/ledger?limit=10&customerId=c1&creditCurrencyKey=ai_credits`,
  "the orders": () => `${own()}/orders?limit=10`,
  "the orders of a customer": () => `${own()}/orders?limit=10&customerId=c1`,
  "the orders that are active": () => `${own()}/orders?limit=10&status=active`,
  "the orders that replace others": () => `${own()}/orders?limit=10&type=replacement`,
  "the credit notes": () => `${own()}/credit-notes?limit=10`,
  "the credit notes of a customer": () => `${own()}/credit-notes?limit=10&customerId=c1`,
  "the invoices": () => `${own()}/invoices?limit=10`,
  "the invoices that are open": () => `${own()}/invoices?limit=10&status=open`,
  "the invoices of periods": () => `${own()}/invoices?limit=10&type=period`,
  "the invoices of a customer": () => `${own()}/invoices?limit=10&customerId=c1`,
  "the audit log of an organisation": () => `/admin/api/audit?limit=10&organizationId=${scene.orgId}`,
  "the audit log": () => "/admin/api/audit?limit=10",
  "the audit log by action": () => `/admin/api/audit?limit=10&organizationId=${scene.orgId}&action=rare`,
  "the audit log by actor": () => `/admin/api/audit?limit=10&organizationId=${scene.orgId}&actor=rare`,
  "the audit log of all by actor": () => "/admin/api/audit?limit=10&actor=rarest",
  "the audit log of all by action": () => "/admin/api/audit?limit=10&action=rarest",
  "the API keys": () => `${own()}/api-keys?limit=10`,
  "the currencies": () => `${own()}/currencies?limit=10`,
  "the organisations": () => "/admin/api/organizations?limit=10",
  "the customers": () => `${own()}/customers?limit=10`,
  "the wallets": () => `${own()}/wallets?limit=10`,
  "the wallets in a currency": () => `${own()}/wallets?limit=10&creditCurrencyKey=rare`,
  "the wallets of a kind": () => `${own()}/wallets?limit=10&kind=postpaid`,
  "the wallets that can pay nothing": () => `${own()}/wallets?limit=10&state=exhausted`,
  "the wallets near their end": () => `${own()}/urgent-wallets?limit=10&urgency=exhausted`,
  "the wallets of a customer": () => `${own()}/wallets?limit=10&customerId=c1`,
  "the budgets": () => `${own()}/budgets?limit=10`,
  "the budgets of a customer": () => `${own()}/budgets?limit=10&customerId=c1`,
  "the usage": () => `${own()}/usage?limit=10`,
  "the usage by time": () => `${own()}/usage?limit=10&to=${anHourAgo()}`,
  "the usage of a customer": () => `${own()}/usage?limit=10&customerId=c1`,
  "the usage of an indicator": () => `${own()}/usage?limit=10&agentId=chat&indicator=speech`,
  "the usage that has no wallet": () => `${own()}/usage?limit=10&outcome=wallet_missing`,
  "the usage that waits": () => `${own()}/usage?limit=10&outcome=unsettled`,
  "the usage that is not billed": () => `${own()}/unbilled-usage?limit=10`,
  "the calls": () => `${own()}/voice-sessions?limit=10`,
  "the calls of a customer": () => `${own()}/voice-sessions?limit=10&customerId=c1`,
  "the calls of an agent": () => `${own()}/voice-sessions?limit=10&agentId=chat`,
  "the calls that were given up": () => `${own()}/voice-sessions?limit=10&state=abandoned`,
  "a customer's orders": () => `${mine}/orders?limit=10`,
  "a customer's invoices": () => `${mine}/invoices?limit=10`,
  "an order's invoices": () => `/api/v1/orders/${cursors.order}/invoices?limit=10`,
};

/** Whose rows are each of one customer. */
const tablesOfCustomers =
  /\b(customers|wallets|usage_reports|usage_due|usage_outcomes|usage_settlements|ledger_entries|orders|invoices|credit_notes|voice_sessions|budgets|budget_sums)\b/;

describe("a page of 10, among many tenants", () => {
  it.each(Object.keys(pages))("of %s reads the rows that it answers, and few others", async (name) => {
    recorded.queries.length = 0;
    const path = pages[name]?.() ?? "";
    const [, below] = path.split("/admin/api");
    const ask = async (query: string) => {
      const response = await (below === undefined
        ? fetch(`${listener.url}${path}${query}`)
        : admin.get(`${below}${query}`));
      expect(response.status).toBe(200);
      return (await response.json()) as { readonly next: string | null };
    };
    const first = await ask("");
    const lists = Object.values(first).filter(Array.isArray);
    expect(lists[0]?.length).toBeGreaterThan(0);
    if (first.next !== null) await ask(`&cursor=${first.next}`);
    const queries = recorded.queries.splice(0);
    expect(queries.length).toBeLessThan(16);
    for (const query of queries) {
      const plan = await explain(scene.pool, query);
      for (const table of [
        "ledger_entries",
        "invoices",
        "orders",
        "credit_notes",
        "audit_log",
        "usage_reports",
        "usage_due",
        "usage_outcomes",
        "wallets",
        "budgets",
        "budget_sums",
      ]) {
        // Of what has an outcome it is read once more for the report.
        const most = table === "usage_outcomes" ? 22 : 11;
        expect([table, plan.rowsOf(table) <= most], query.sql).toEqual([table, true]);
        expect(plan.scanned).not.toContain(table);
      }
    }
  });

  it("crosses customers where decisions/0014 says so, and nowhere else", async () => {
    const crossing: string[] = [];
    for (const [name, path] of Object.entries(pages)) {
      const [, below] = path().split("/admin/api");
      recorded.queries.length = 0;
      expect(
        (await (below === undefined ? fetch(`${listener.url}${path()}`) : admin.get(below))).status,
      ).toBe(200);
      const ofCustomers = recorded.queries.filter(({ sql }) => tablesOfCustomers.test(sql));
      if (ofCustomers.some(({ parameters }) => !parameters.includes("c1"))) crossing.push(name);
    }
    const decision = readFileSync(
      fileURLToPath(new URL("../../../decisions/0014-more-machines.md", import.meta.url)),
      "utf8",
    );
    const [, listed = ""] = /asked for each page: ([^.]+)\./.exec(decision) ?? [];
    expect(crossing.toSorted()).toEqual(
      listed
        .split(";")
        .map((name) => name.trim().replaceAll(/\s+/g, " "))
        .toSorted(),
    );
  });

  it.each([moneyJournal, creditsJournal])(
    "of the journal of $name reads no others either",
    async (journal) => {
      const { orgId } = scene;
      const span = { from: new Date(Date.now() - 2 * 24 * 60 * 60 * 1_000).toISOString() };
      let cursor: string | undefined;
      for (let count = 0; count < 3; count += 1) {
        const read = await readPostings(recorded.database, journal, { orgId, span, limit: 10, cursor });
        expect(new Set(read.postings.map(({ entry }) => entry)).size).toBe(10);
        cursor = read.next ?? undefined;
        const plan = await explain(scene.pool, recorded.queries.at(-1));
        // Of each of three steps, and of the invoices of credit notes.
        expect(plan.rowsOf("invoices")).toBeLessThanOrEqual(40);
        expect(plan.rowsOf("credit_notes")).toBeLessThanOrEqual(10);
        expect(plan.rowsOf("ledger_entries")).toBeLessThanOrEqual(10);
        expect(plan.scanned).toEqual([]);
      }
    },
  );

  // By the index of another order it would read all of the organisation's, and throw away none of its rows.
  it("of the ledger in a currency is read by the index that has its order", async () => {
    recorded.queries.length = 0;
    await admin.get(`/organizations/${scene.orgId}/ledger?limit=10&creditCurrencyKey=rare`);
    const plans = await Promise.all(recorded.queries.map((query) => explain(scene.pool, query)));
    const read = plans.flatMap(({ indexes }) =>
      indexes.filter((name) => name.startsWith("ledger_entries_first")),
    );
    expect(read).toEqual(["ledger_entries_first_currency_time"]);
  });
});
