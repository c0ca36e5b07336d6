import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadFixture } from "../src/fixture/load.ts";
import { createMetrics } from "../src/metrics/metrics.ts";
import { type ClosedPeriods, closePeriods } from "../src/periods/period.ts";
import { defaultPeriodSettings } from "../src/periods/settings.ts";
import { startPeriodWorker } from "../src/periods/worker.ts";
import { openAdminApp } from "./admin-app.ts";
import { acme } from "./fixture.ts";
import { openScene, type Scene } from "./scene.ts";

const wallet = (used: number) => [{ currency: "ai_credits", kind: "postpaid" as const, limit: 0, used }];

/** Acme with one customer, who is well, and two other organisations; all have something to be invoiced. */
let scene: Scene;
let told: string[];
beforeEach(async () => {
  scene = await openScene({ ...acme, customers: [{ externalId: "well", name: "Well", wallets: wallet(5) }] });
  told = [];
  for (const name of ["Bad", "Zone"]) {
    await loadFixture(
      scene.database,
      {
        organization: { name },
        customers: [
          { externalId: "big", name: "Big", wallets: wallet(1_000_000_000) },
          { externalId: "small", name: "Small", wallets: wallet(1) },
        ],
      },
      new Date(scene.clock.now()),
    );
  }
});
afterEach(() => scene.close());

const close = (): Promise<ClosedPeriods> =>
  closePeriods({
    database: scene.database,
    defaults: defaultPeriodSettings,
    now: new Date("2026-02-01"),
    actor: "test",
    onFailure: ({ wallet, message }) => told.push(`${wallet?.customerId ?? "all"}: ${message}`),
  });

async function invoiced(): Promise<string[]> {
  const { rows } = await scene.pool.query<{ line: string }>(
    "select name || '/' || customer_id as line from invoices join organizations using (org_id) order by 1",
  );
  return rows.map(({ line }) => line);
}

/** As it could be before there was a bound. */
const priceOf = (name: string, version: number, amount: number) =>
  scene.pool.query(
    "insert into unit_prices select org_id, 'ai_credits', $2, 'epoch', $3, 'EUR' from organizations where name = $1",
    [name, version, amount],
  );

describe("closePeriods, where a period cannot be invoiced", () => {
  it("invoices all others, says which wallet and what to do, and invoices it when that is done", async () => {
    await priceOf("Bad", 1, 1e12);
    expect(await close()).toEqual({ invoices: 4, waiting: 0, failures: 1 });
    expect(await invoiced()).toEqual(["Acme/well", "Bad/small", "Zone/big", "Zone/small"]);
    expect(told).toEqual([
      "big: amount: expected at most 9223372036854775807 minor units of EUR, received 1000000000000000000000. A credit costs 1000000000000 of them: set a unitPrice of at most 1000000 (POST …/currencies)",
    ]);
    expect(await close()).toEqual({ invoices: 0, waiting: 0, failures: 1 });
    await priceOf("Bad", 2, 7);
    expect(await close()).toEqual({ invoices: 1, waiting: 0, failures: 0 });
    const { rows } = await scene.pool.query(
      "select amount from invoices where credits = 1000000000000000 and amount > 0",
    );
    expect(rows).toEqual([{ amount: 7_000_000_000n }]);
    expect((await scene.pool.query("select * from period_failures")).rows).toEqual([]);
  });

  it("invoices other organisations where the calendar of one cannot be told", async () => {
    await scene.pool.query("update organizations set time_zone = 'Atlantis/Poseidonis' where name = 'Zone'");
    expect(await close()).toEqual({ invoices: 3, waiting: 0, failures: 1 });
    expect(told).toEqual(['all: time zone "Atlantis/Poseidonis" not recognized']);
    await scene.pool.query("update organizations set time_zone = null");
    expect(await close()).toEqual({ invoices: 2, waiting: 0, failures: 0 });
    expect((await scene.pool.query("select * from period_failures")).rows).toEqual([]);
  });
});

describe("a period that cannot be invoiced", () => {
  it("is told once by the worker, in a metric, and to administrators", async () => {
    await priceOf("Bad", 1, 1e12);
    scene.clock.time = Date.UTC(2026, 1, 1);
    const lines: string[] = [];
    const passes: number[] = [];
    const worker = startPeriodWorker({
      database: scene.database,
      clock: {
        now: () => {
          passes.push(scene.clock.time);
          return scene.clock.time;
        },
      },
      defaults: defaultPeriodSettings,
      pollMs: 1,
      graceMs: 0,
      onError: (error) => lines.push(String(error)),
    });
    await expect.poll(() => passes.length).toBeGreaterThan(3);
    await worker.stop();
    expect(lines).toEqual([
      expect.stringMatching(
        /^ControlPlaneError: period: wallet \["big","ai_credits"\] of organisation \d+ cannot be invoiced up to 2026-02-01T00:00:00.000Z: amount: .*set a unitPrice of at most 1000000/,
      ),
    ]);
    const metrics = createMetrics({
      database: scene.database,
      pools: {},
      clock: scene.clock,
      periodSettings: defaultPeriodSettings,
    });
    expect(await metrics.render()).toContain("\ncreditgate_period_failures 1\n");

    const admin = await openAdminApp(scene.database, scene.clock);
    const { rows } = await scene.pool.query<{ org_id: bigint }>(
      "select org_id from organizations where name = 'Bad'",
    );
    const response = await admin.get(`/organizations/${rows[0]?.org_id}/period-failures`);
    expect(await response.json()).toMatchObject({
      failures: [
        { customerId: "big", creditCurrencyKey: "ai_credits", periodEnd: "2026-02-01T00:00:00.000Z" },
      ],
    });
    await admin.close();
  });
});
