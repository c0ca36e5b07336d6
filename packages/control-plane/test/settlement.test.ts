import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { changePrice } from "../src/pricing/prices.ts";
import { failureRetryMs } from "../src/settlement/failures.ts";
import { settleBatch, settleDue } from "../src/settlement/settlement.ts";
import { startSettlementWorker } from "../src/settlement/worker.ts";
import { topUpWallets } from "../src/wallets/top-up.ts";
import { acme } from "./fixture.ts";
import { explain, type Plan, recorder } from "./query-plan.ts";
import { delayMs, openScene, type Scene } from "./scene.ts";
import { reported } from "./usage-rows.ts";

const names = Array.from({ length: 12 }, (_, index) => `customer-${index}`);

let scene: Scene;
beforeEach(async () => {
  scene = await openScene({
    ...acme,
    customers: names.map((externalId, index) => ({
      externalId,
      name: externalId,
      wallets: [
        index % 2 === 0
          ? { currency: "ai_credits", kind: "prepaid" }
          : { currency: "ai_credits", kind: "postpaid", limit: 0 },
        { currency: "voice_credits", kind: "postpaid", limit: 0 },
      ],
    })),
  });
});
afterEach(() => scene.close());

const due = () => new Date(scene.clock.now() + delayMs);
const wallet = (customer: string) =>
  scene.database
    .selectFrom("wallets")
    .select(["available", "overage_used", "postpaid_used"])
    .where("customer_id", "=", customer)
    .where("currency", "=", "ai_credits")
    .executeTakeFirstOrThrow();

async function column(text: string): Promise<unknown[]> {
  return (await scene.pool.query({ text, rowMode: "array" })).rows.map(([value]) => value);
}

describe("settleDue", () => {
  it("settles the same 500 events exactly once, by 20 workers at once", async () => {
    const indicators = ["message", "speech", "gift", "seat"];
    await Promise.all(
      Array.from({ length: 500 }, (_, index) =>
        scene.accept(names[index % 12] ?? "", indicators[index % 4], index),
      ),
    );
    const settled = await Promise.all(
      Array.from({ length: 20 }, async () => {
        let total = 0;
        for (let count = 1; count > 0; total += count) count = await settleDue(scene.database, due(), 7);
        return total;
      }),
    );
    // A worker may end early, when others have claimed what is left; together they leave nothing.
    while ((await settleDue(scene.database, due())) > 0) settled.push(1);

    expect(settled.reduce((sum, count) => sum + count)).toBe(500);
    expect(await column("select count(*) from usage_due")).toEqual([0n]);
    expect(await column("select count(*) from ledger_entries")).toEqual(
      await column(
        "select count(*) from usage_reports where usage_id not in (select usage_id from usage_outcomes)",
      ),
    );
    const sums = "select sum(available + overage_used + postpaid_used)";
    const billed = await column("select sum(amount) from usage_reports");
    expect(await column("select sum(overage_used + postpaid_used - available) from wallets")).toEqual(billed);
    expect(await column(`${sums} from wallets`)).toEqual(await column(`${sums} from ledger_entries`));
  });

  it("does not deadlock with top-ups of the same wallets", async () => {
    await Promise.all(names.flatMap((name) => [scene.accept(name), scene.accept(name, "speech")]));
    const credits = ["voice_credits", "ai_credits"].map((currency) => ({ currency, amount: 1n }));
    await Promise.all([
      ...Array.from({ length: 8 }, () => settleDue(scene.database, due(), 5)),
      ...names.map((name) =>
        scene.database.transaction().execute((tx) => topUpWallets(tx, scene.orgId, name, credits, due())),
      ),
    ]);
  });

  it("leaves a key known whose report is settled: it is not queued again", async () => {
    const report = () =>
      scene.intake.accept({
        orgId: scene.orgId,
        report: { agentId: "chat", customerId: "customer-0", indicator: "message", rawUsage: {} },
        idempotencyKey: "key",
        hash: "0".repeat(64),
      });
    const first = await report();
    expect(await settleDue(scene.database, due())).toBe(1);
    expect(await report()).toEqual({ ...first, isReplay: true });
    expect(await settleDue(scene.database, due())).toBe(0);
    expect((await wallet("customer-0")).overage_used).toBe(1_000_000n);
  });

  it("leaves usage alone until it is due", async () => {
    await scene.accept("customer-0");
    expect(await settleDue(scene.database, new Date(due().getTime() - 1))).toBe(0);
    expect(await settleDue(scene.database, due())).toBe(1);
  });

  it("charges the price in force when the usage was received", async () => {
    await scene.accept("customer-0", "message", 1000);
    const key = { orgId: scene.orgId, agentId: "chat", indicator: "message" };
    const now = new Date(scene.clock.now());
    const terms = { billing: "CREDITS", currency: "ai_credits", price: { perEvent: 50 } };
    await scene.database
      .transaction()
      .execute((transaction) => changePrice(transaction, key, terms, { validFrom: now, now, setBy: "test" }));
    await settleDue(scene.database, due());
    expect((await wallet("customer-0")).overage_used).toBe(1_500_000n);
  });

  it("leaves no trace of a batch that fails half way, and settles it later", async () => {
    await scene.accept("customer-0");
    await scene.pool.query(
      "alter table ledger_entries add constraint broken check (cause <> 'usage') not valid",
    );
    expect(await settleDue(scene.database, due())).toBe(0);
    expect((await wallet("customer-0")).overage_used).toBe(0n);
    await scene.pool.query("alter table ledger_entries drop constraint broken");
    const now = new Date(due().getTime() + failureRetryMs);
    expect((await settleBatch(scene.database, { now, isRetry: true })).settled).toHaveLength(1);
    expect((await wallet("customer-0")).overage_used).toBe(1_000_000n);
  });

  it("reads of a long queue what it takes, also where it was short when counted last, and a batch is divided", async () => {
    const rows = `
      select ${scene.orgId}::bigint as org_id, 'key ' || i as idempotency_key, 'message' as indicator, 'customer-0' as customer_id,
             'ai_credits' as currency, 1 as amount, '2026-01-01'::timestamptz - i * interval '1 ms' as received_at
        from generate_series(1, 4000) as i`;
    await scene.pool.query("alter table usage_due set (autovacuum_enabled = off)");
    await scene.pool.query(reported(rows));
    const [failing] = await column("select usage_id from usage_due order by due_at offset 50 limit 1");
    await scene.pool.query(
      `alter table ledger_entries add constraint broken check (usage_id <> '${failing}') not valid`,
    );

    const { database, queries } = recorder(scene.pool);
    expect((await settleBatch(database, { now: due(), limit: 100 })).settled).toHaveLength(99);
    const client = await scene.pool.connect();
    const claims = async () => {
      const plans: Plan[] = [];
      for (const query of queries) {
        if (query.sql.includes("set_config")) await client.query(query.sql);
        if (query.sql.includes("for update skip locked")) plans.push(await explain(client, query));
      }
      return plans;
    };
    await client.query("begin");
    const plans = await claims().finally(() => client.release(true));
    expect(plans.length).toBeGreaterThan(2);
    expect(Math.max(...plans.map((plan) => plan.rowsOf("usage_due")))).toBeLessThanOrEqual(100);
    expect(plans.flatMap(({ scanned }) => scanned)).not.toContain("usage_due");
  });

  it("gives up on usage that a wallet cannot hold, and settles the rest", async () => {
    const full = 2n ** 63n - 1n;
    await scene.pool.query(
      "update wallets set overage_used = $1 where customer_id = 'customer-0' and kind = 'prepaid'",
      [full],
    );
    await scene.accept("customer-0");
    await scene.accept("customer-2");
    expect(await settleDue(scene.database, due())).toBe(2);
    expect((await wallet("customer-0")).overage_used).toBe(full);
    expect((await wallet("customer-2")).overage_used).toBe(1_000_000n);
    expect(await column("select outcome from usage_settlements order by outcome")).toEqual([
      "debited",
      "out_of_range",
    ]);
  });
});

describe("startSettlementWorker", () => {
  it("settles what it finds at its start, and what it is woken for", async () => {
    await scene.accept("customer-0");
    scene.clock.time += delayMs;
    const worker = startSettlementWorker({ database: scene.database, clock: scene.clock, pollMs: 60_000 });
    await worker.settled();
    expect((await wallet("customer-0")).overage_used).toBe(1_000_000n);
    await scene.accept("customer-0");
    scene.clock.time += delayMs;
    worker.wake(new Date(scene.clock.now()));
    await worker.settled();
    expect((await wallet("customer-0")).overage_used).toBe(2_000_000n);
    await worker.stop();
  });

  it("finds by itself what another replica has accepted and left behind", async () => {
    const worker = startSettlementWorker({ database: scene.database, clock: scene.clock, pollMs: 20 });
    await worker.settled();
    await scene.accept("customer-0");
    scene.clock.time += delayMs;
    await worker.settled();
    await worker.stop();
    expect((await wallet("customer-0")).overage_used).toBe(1_000_000n);
  });

  it("tries a hundred of many that have failed, so that other usage need not wait, and all once they can be settled", async () => {
    const failed = Array.from({ length: 250 }, () => scene.accept("customer-0"));
    await Promise.all(failed);
    scene.clock.time += delayMs + failureRetryMs;
    const before = new Date(scene.clock.now() - failureRetryMs);
    await scene.pool.query("update usage_due set failed_at = $1, message = 'broken'", [before]);
    await scene.pool.query(
      "alter table ledger_entries add constraint broken check (cause <> 'usage') not valid",
    );
    const start = () => startSettlementWorker({ database: scene.database, clock: scene.clock });
    await start().stop();
    expect(await column("select count(*) from usage_due group by failed_at order by failed_at")).toEqual([
      150n,
      100n,
    ]);
    await scene.pool.query("alter table ledger_entries drop constraint broken");
    scene.clock.time += failureRetryMs;
    const worker = start();
    await expect.poll(() => column("select count(*) from usage_due")).toEqual([0n]);
    await worker.stop();
  });

  it("does not wait for what is not due when it is stopped", async () => {
    const worker = startSettlementWorker({ database: scene.database, clock: scene.clock });
    await scene.accept("customer-0");
    const settled = worker.settled();
    await Promise.all([worker.stop(), expect(settled).rejects.toThrow("stopped")]);
  });

  it("tells of an error, and tries again", async () => {
    await scene.accept("customer-0");
    scene.clock.time += delayMs;
    await scene.pool.query("alter table wallets rename to hidden");
    const random = vi.fn(() => 0.5);
    const error = await new Promise((onError) => {
      const worker = startSettlementWorker({ database: scene.database, clock: scene.clock, random, onError });
      scene.close = (
        (close) => () =>
          worker.stop().then(close)
      )(scene.close);
    });
    expect(String(error)).toContain('relation "wallets" does not exist');
    await expect.poll(() => random.mock.calls.length).toBeGreaterThan(0);
    await scene.pool.query("alter table hidden rename to wallets");
    scene.clock.time += 10_000;
    await expect.poll(() => wallet("customer-0")).toMatchObject({ overage_used: 1_000_000n });
  });
});
