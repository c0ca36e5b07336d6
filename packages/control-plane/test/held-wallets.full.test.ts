import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createMetrics } from "../src/metrics/metrics.ts";
import { closePeriods } from "../src/periods/period.ts";
import { defaultPeriodSettings } from "../src/periods/settings.ts";
import { settleBatch, settleDue } from "../src/settlement/settlement.ts";
import { type SettlementWorker, startSettlementWorker } from "../src/settlement/worker.ts";
import { verify } from "../src/verification/wallets.ts";
import { openAdminApp } from "./admin-app.ts";
import { acme } from "./fixture.ts";
import { holdWallet } from "./row-lock.ts";
import { delayMs, openScene, type Scene } from "./scene.ts";
import { queued } from "./usage-rows.ts";

let scene: Scene;
let worker: SettlementWorker | undefined;
let letGo: () => Promise<void>;
beforeEach(async () => {
  scene = await openScene({
    ...acme,
    customers: ["held", "free", "open"].map((externalId) => ({
      externalId,
      name: externalId,
      wallets: [{ currency: "ai_credits", kind: "postpaid", limit: 0 }],
    })),
  });
  letGo = async () => undefined;
});
afterEach(async () => {
  await letGo();
  await worker?.stop();
  worker = undefined;
  await scene.close();
});

const now = () => new Date(scene.clock.now() + delayMs);
const random = vi.fn(() => 0.5);
const run = (onError?: (error: unknown) => void, heldReportMs?: number): SettlementWorker => {
  scene.clock.time += delayMs;
  worker = startSettlementWorker({
    database: scene.database,
    clock: scene.clock,
    pollMs: 20,
    random,
    ...(heldReportMs === undefined ? {} : { heldReportMs }),
    ...(onError === undefined ? {} : { onError }),
  });
  return worker;
};

async function used(customerId: string): Promise<bigint | undefined> {
  const { rows } = await scene.pool.query<{ postpaid_used: bigint }>(
    "select postpaid_used from wallets where customer_id = $1",
    [customerId],
  );
  return rows[0]?.postpaid_used;
}

describe("a wallet that another transaction holds", () => {
  it("is left to a later batch, with whatever number of its events come first", async () => {
    letGo = await holdWallet(scene.pool, "held");
    for (let count = 0; count < 4; count++) await scene.accept("held");
    scene.clock.time += 1;
    await scene.accept("free");
    const first = await settleBatch(scene.database, { now: now(), limit: 2 });
    expect(first).toMatchObject({ claimed: 2, settled: [], held: [{ customerId: "held" }] });
    const second = await settleBatch(scene.database, { now: now(), limit: 2, except: first.held });
    expect(second).toMatchObject({ claimed: 1, settled: [{ outcome: "accrued" }], held: [] });
    await letGo();
    expect(await settleDue(scene.database, now())).toBe(4);
    expect((await verify(scene.database)).differences).toEqual([]);
  });

  it("does not keep the worker from the usage of others, is told with the fix, and is settled when let go", async () => {
    letGo = await holdWallet(scene.pool, "held");
    await scene.accept("held");
    await scene.accept("free");
    const told: string[] = [];
    const { settled } = run((error) => told.push(String(error)), 0);
    await expect.poll(() => used("free")).toBe(1_000_000n);
    await expect.poll(() => told).toHaveLength(1);
    expect(told[0]).toMatch(
      /wallet \["held","ai_credits"\] of organisation \d+ is locked by another transaction.*pg_terminate_backend/,
    );
    expect(await used("held")).toBe(0n);
    // Workers of other replicas look at it again at other times.
    await expect.poll(() => random.mock.calls.length).toBeGreaterThan(0);
    await letGo();
    await settled();
    expect(await used("held")).toBe(1_000_000n);
  });

  it("is waited for, where it is busy each time that it is looked at", async () => {
    letGo = await holdWallet(scene.pool, "held");
    await scene.accept("held");
    const batch = settleBatch(scene.database, {
      now: now(),
      waitFor: {
        wallet: { orgId: scene.orgId, customerId: "held", currency: "ai_credits" },
        ms: 20_000,
      },
    });
    await expect
      .poll(
        async () =>
          (
            await scene.pool.query(
              "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
            )
          ).rowCount,
      )
      .toBe(1);
    await letGo();
    expect((await batch).settled).toHaveLength(1);
  });

  it("is a failure of that wallet where its period closes; the others get their invoices", async () => {
    for (const customer of ["held", "free", "open"]) await scene.accept(customer);
    await settleDue(scene.database, now());
    letGo = await holdWallet(scene.pool, "held");
    const told: string[] = [];
    const close = () =>
      closePeriods({
        database: scene.database,
        defaults: defaultPeriodSettings,
        now: new Date("2026-02-01"),
        actor: "test",
        onFailure: ({ wallet, message }) => told.push(`${wallet?.customerId}: ${message}`),
      });
    expect(await close()).toEqual({ invoices: 2, waiting: 0, failures: 1 });
    expect(told).toEqual([expect.stringMatching(/^held: .*lock timeout.*pg_stat_activity/)]);
    await letGo();
    expect(await close()).toEqual({ invoices: 1, waiting: 0, failures: 0 });
    expect((await verify(scene.database)).differences).toEqual([]);
  });
});

describe("usage that cannot be settled", () => {
  /** As after the restore of one table: its entry is in the ledger, and it is queued again. */
  async function spoil(): Promise<string> {
    const usageId = await scene.accept("held");
    await settleDue(scene.database, now());
    await scene.pool.query(queued("usage_reports", { counted: true }));
    return usageId;
  }

  it("is noted and told with its wallet and the fix, counted, and does not hold up other usage", async () => {
    const usageId = await spoil();
    for (const customer of ["held", "free", "open", "held", "free"]) await scene.accept(customer);
    const told: string[] = [];
    const { settled } = run((error) => told.push(String(error)));
    await settled();
    expect([await used("held"), await used("free"), await used("open")]).toEqual([
      3_000_000n,
      2_000_000n,
      1_000_000n,
    ]);
    expect(told).toEqual([
      expect.stringMatching(
        `usage ${usageId} of wallet \\["held","ai_credits"\\] .*ledger_entries_first_once_per_usage.*creditgate verify`,
      ),
    ]);
    const metrics = await createMetrics({
      database: scene.database,
      pools: {},
      clock: scene.clock,
      periodSettings: defaultPeriodSettings,
    }).render();
    expect(metrics).toContain("\ncreditgate_settlement_failures 1\n");
    expect(metrics).toContain("\ncreditgate_settlement_overdue_seconds 0\n");

    const admin = await openAdminApp(scene.database, scene.clock);
    const path = `/organizations/${scene.orgId}/settlement-failures?limit=1`;
    expect(await (await admin.get(path)).json()).toEqual({
      failures: [
        {
          usageId,
          customerId: "held",
          creditCurrencyKey: "ai_credits",
          credits: 1,
          receivedAt: "2026-01-01T00:00:00.000Z",
          message: expect.stringContaining("ledger_entries_first_once_per_usage"),
          failedAt: new Date(scene.clock.time).toISOString(),
        },
      ],
      next: null,
    });
    await admin.close();
  });

  it("is tried again a minute later, not told again, and forgotten when it is settled", async () => {
    await spoil();
    const batch = (later: number, isRetry: boolean) =>
      settleBatch(scene.database, { now: new Date(now().getTime() + later), isRetry });
    expect((await batch(0, false)).failures).toHaveLength(1);
    expect(await batch(59_999, true)).toMatchObject({ claimed: 0 });
    expect(await batch(60_000, true)).toMatchObject({ claimed: 1, failures: [] });
    await scene.pool.query(
      "alter table ledger_entries disable trigger all; update ledger_entries set usage_id = gen_random_uuid(); alter table ledger_entries enable trigger all",
    );
    expect((await batch(120_000, true)).settled).toHaveLength(1);
    expect((await scene.pool.query("select * from usage_due")).rows).toEqual([]);
  });

  it("does not keep the period of its organisation open", async () => {
    await spoil();
    await settleDue(scene.database, now());
    const closed = await closePeriods({
      database: scene.database,
      defaults: defaultPeriodSettings,
      now: new Date("2026-02-01"),
      actor: "test",
    });
    expect(closed).toEqual({ invoices: 1, waiting: 0, failures: 0 });
  });
});
