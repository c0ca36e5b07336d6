import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFairShare } from "../src/database/fair-share.ts";
import { loadFixture } from "../src/fixture/load.ts";
import { startSettlementWorker } from "../src/settlement/worker.ts";
import { createUsageIntake } from "../src/usage/intake.ts";
import { createPaceReports, readPace } from "../src/usage/settlement-pace.ts";
import { acme } from "./fixture.ts";
import { recorder } from "./query-plan.ts";
import { holdWallet } from "./row-lock.ts";
import { openScene, type Scene } from "./scene.ts";
import { lockTable } from "./table-lock.ts";

const customers = Array.from({ length: 50 }, (_, index) => `customer-${index}`);

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({
    ...acme,
    customers: customers.map((externalId) => ({
      externalId,
      name: externalId,
      wallets: [{ currency: "ai_credits", kind: "prepaid", available: 1 }],
    })),
  });
});
afterAll(() => scene.close());

describe("createUsageIntake", () => {
  it("takes reports of many customers with a statement for each writer, beside one that reads the price now and then", async () => {
    const { database, queries } = recorder(scene.pool);
    const intake = createUsageIntake({
      database,
      clock: scene.clock,
      settlementDelayMs: 0,
      share: createFairShare({ slots: 10, maxWaiting: 1_000, waitMs: 10_000 }),
      onAccepted: () => undefined,
    });
    const accept = (customerId: string) =>
      intake.accept({
        orgId: scene.orgId,
        report: { agentId: "chat", customerId, indicator: "message", rawUsage: {} },
        idempotencyKey: undefined,
        hash: "0".repeat(64),
      });
    const receipts = await Promise.all([...customers, "nobody"].map(accept));
    expect(receipts.filter(({ accepted }) => accepted)).toHaveLength(customers.length);
    expect(receipts.at(-1)).toEqual({ accepted: false, reason: "customer_unknown" });
    const begin = queries.length;
    await Promise.all(customers.map(accept));
    const statements = queries.slice(begin).filter(({ sql }) => !sql.includes("settlement_pace"));
    const inserts = statements.map(({ sql }) => sql.includes("insert into usage_reports"));
    expect(inserts).toEqual([true, true]);
  });

  it("reads the prices of many indicators with one statement, and finds those that exist", async () => {
    const agents = Array.from({ length: 200 }, (_, index) => `agent-${index}`);
    const indicators = [
      { name: "message", billing: "CREDITS", currency: "ai_credits", price: { perEvent: 2 } },
    ];
    await loadFixture(
      scene.database,
      {
        ...acme,
        agents: agents.map((agentId) => ({
          agentId,
          agent_external_id: agentId,
          agent_name: agentId,
          indicators,
        })),
      },
      new Date(scene.clock.now()),
    );
    const { database, queries } = recorder(scene.pool);
    // One slot: the first statement holds it, and nothing else may wait.
    const intake = createUsageIntake({
      database,
      clock: scene.clock,
      settlementDelayMs: 0,
      share: createFairShare({ slots: 1, maxWaiting: 1, waitMs: 10_000 }),
      onAccepted: () => undefined,
    });
    const accept = (agentId: string) =>
      intake.accept({
        orgId: scene.orgId,
        report: { agentId, customerId: "customer-0", indicator: "message", rawUsage: {} },
        idempotencyKey: undefined,
        hash: "0".repeat(64),
      });
    const receipts = await Promise.all([...agents, "none"].map(accept));
    expect(receipts.slice(0, -1).every((receipt) => receipt.accepted && receipt.amount === 2_000_000n)).toBe(
      true,
    );
    expect(receipts.at(-1)).toEqual({ accepted: false, reason: "agent_unknown" });
    expect(queries.filter(({ sql }) => sql.includes("join prices"))).toHaveLength(1);
  });

  it("stores a report as it came, with names that look like the text between two of them", async () => {
    const rawUsage = { plan: "a\\nb", note: 'two\nlines, "quoted", {braces}, \\N, \u0000 and \u2028' };
    const odd = `, "{}\\N' \u2028`;
    await scene.pool.query("insert into customers (org_id, external_id, name) values ($1, $2, 'Odd')", [
      scene.orgId,
      odd,
    ]);
    const accept = (customerId: string, idempotencyKey: string | undefined) =>
      scene.intake.accept({
        orgId: scene.orgId,
        report: { agentId: "chat", customerId, indicator: "message", rawUsage },
        idempotencyKey,
        hash: "0".repeat(64),
      });
    const receipts = await Promise.all([
      accept("customer-0", undefined),
      accept(odd, '"NULL",'),
      accept(odd, undefined),
    ]);
    const ids = receipts.map((receipt) => (receipt.accepted ? receipt.usageId : receipt.reason));
    const { rows } = await scene.pool.query(
      "select customer_id, idempotency_key, raw_usage::text from usage_reports where usage_id = any($1::uuid[]) order by array_position($1::uuid[], usage_id)",
      [ids],
    );
    const raw_usage = JSON.stringify(rawUsage);
    expect(rows).toEqual([
      { customer_id: "customer-0", idempotency_key: null, raw_usage },
      { customer_id: odd, idempotency_key: '"NULL",', raw_usage },
      { customer_id: odd, idempotency_key: null, raw_usage },
    ]);
  });

  it("refuses a report with a line break in a name, and stores those beside it for their own customers", async () => {
    const accept = (customerId: string) =>
      scene.intake.accept({
        orgId: scene.orgId,
        report: { agentId: "chat", customerId, indicator: "message", rawUsage: { plan: `of ${customerId}` } },
        idempotencyKey: undefined,
        hash: "0".repeat(64),
      });
    const receipts = await Promise.allSettled(
      ["customer-0\ncustomer-0", "customer-1", "customer-2"].map(accept),
    );
    expect(receipts).toMatchObject([
      { status: "rejected", reason: { message: "expected usage without line breaks, received one" } },
      { status: "fulfilled", value: { accepted: true } },
      { status: "fulfilled", value: { accepted: true } },
    ]);
    const { rows } = await scene.pool.query(
      "select customer_id, raw_usage::text from usage_reports where raw_usage::text like '%of customer%' order by 1",
    );
    expect(rows).toEqual([
      { customer_id: "customer-1", raw_usage: '{"plan":"of customer-1"}' },
      { customer_id: "customer-2", raw_usage: '{"plan":"of customer-2"}' },
    ]);
  });
});

describe("the pace of settlement", () => {
  const queue = (reports: number, agoMs: number, customer = "customer-1", isReopened = false) =>
    scene.pool.query(
      `insert into usage_due (org_id, usage_id, received_at, due_at, amount, customer_id, agent_id, indicator, currency, counted)
       select $1, gen_random_uuid(), $2, $2, 0, $4, 'chat', 'message', 'ai_credits', $5 from generate_series(1, $3)`,
      [scene.orgId, new Date(scene.clock.now() - agoMs), reports, customer, isReopened],
    );

  /** A worker, and how late it reported that it is. */
  const work = () => {
    const { database, queries } = recorder(scene.pool);
    const worker = startSettlementWorker({ database, clock: scene.clock });
    const reported = () =>
      queries.filter(({ sql }) => sql.includes("settlement_pace")).map(({ parameters }) => parameters[0]);
    return { worker, reported };
  };

  const lateMs = async (): Promise<number> => {
    const { database, queries } = recorder(scene.pool);
    const pace = readPace({ database, elapsed: { now: () => 0 } });
    expect(pace.lateMs()).toBe(0);
    await expect.poll(() => queries).toHaveLength(1);
    return pace.lateMs();
  };

  it("is reported after each full batch, and when all is settled", async () => {
    await scene.pool.query("delete from usage_due");
    await queue(2_000, 3_000);
    await queue(2_000, 700);
    await queue(1, 600);
    const { worker, reported } = work();
    await worker.settled();
    await expect.poll(reported).toEqual([3_000, 700, 0]);
    await worker.stop();
  });

  it("holds up no settlement where it cannot be reported", async () => {
    await scene.pool.query("delete from usage_due");
    const stored = async () => (await scene.pool.query("select late_ms from settlement_pace")).rows;
    createPaceReports(scene.database)(1);
    await expect.poll(stored).toEqual([{ late_ms: 1 }]);
    const unlock = await lockTable(scene.pool, "settlement_pace");
    for (const agoMs of [9_000, 8_000, 7_000]) await queue(2_000, agoMs);
    const { worker, reported } = work();
    await worker.settled();
    expect(reported()).toEqual([]);
    await unlock();
    await expect.poll(reported).toEqual([9_000, 0]);
    expect(await stored()).toEqual([{ late_ms: 0 }]);
    await worker.stop();
  });

  it("is none of usage that is settled again", async () => {
    await queue(2_000, 3_600_000, "customer-1", true);
    await queue(1, 600);
    const { worker, reported } = work();
    await worker.settled();
    await worker.stop();
    expect(reported()).toEqual([]);
  });

  it("is none of usage that is late for a wallet that is held", async () => {
    const letGo = await holdWallet(scene.pool, "customer-1");
    await queue(2_000, 9_000);
    await queue(5, 0, "customer-2");
    const { worker, reported } = work();
    const left = async () => {
      const { rows } = await scene.pool.query("select from usage_due where customer_id = 'customer-2'");
      return rows.length;
    };
    await expect.poll(left).toBe(0);
    await letGo();
    await worker.stop();
    expect(reported()).toEqual([]);
  });

  it("is read as it was reported last, unless that is a while ago: a worker that has stopped is not waited for", async () => {
    createPaceReports(scene.database)(700);
    await expect.poll(lateMs).toBe(700);
    for (const ago of ["16 s", "-16 s"]) {
      await scene.pool.query(`update settlement_pace set reported_at = now() - interval '${ago}'`);
      expect(await lateMs()).toBe(0);
    }
  });
});
