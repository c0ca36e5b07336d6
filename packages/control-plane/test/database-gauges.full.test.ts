import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrations } from "../src/database/migrate.ts";
import { loadFixture } from "../src/fixture/load.ts";
import { createMetrics, type Metrics } from "../src/metrics/metrics.ts";
import { closePeriods } from "../src/periods/period.ts";
import { defaultPeriodSettings } from "../src/periods/settings.ts";
import { openCall, track } from "../src/voice/call.ts";
import { sweepCalls, voiceSweepAgeMs } from "../src/voice/sweep.ts";
import { phone } from "./phone.ts";
import { openScene, type Scene } from "./scene.ts";
import { lockTable } from "./table-lock.ts";

let scene: Scene;
let metrics: Metrics;
let told: unknown[];
beforeEach(async () => {
  scene = await openScene(phone);
  told = [];
  metrics = measure({});
});
afterEach(() => scene.close());

const measure = (options: { readonly deadlineMs?: number }): Metrics =>
  createMetrics({
    database: scene.database,
    pools: { requests: scene.pool },
    clock: scene.clock,
    periodSettings: defaultPeriodSettings,
    onError: (error) => told.push(error),
    ...options,
  });

/** The value of a metric that has one, `undefined` where it is left out. */
async function measured(name: string, of = metrics): Promise<number | undefined> {
  const [, value] = new RegExp(`^${name} (\\S+)$`, "m").exec(await of.render()) ?? [];
  return value === undefined ? undefined : Number(value);
}

const at = () => new Date(scene.clock.now());

describe("the queue of periods", () => {
  const close = () =>
    closePeriods({ database: scene.database, defaults: defaultPeriodSettings, now: at(), actor: "test" });

  it("is an organisation and as old as the end of its period, until its wallets are invoiced", async () => {
    scene.clock.time = Date.UTC(2026, 1, 1);
    expect(await measured("creditgate_period_queue_depth")).toBe(1);
    expect(await measured("creditgate_period_overdue_seconds")).toBe(0);
    scene.clock.time += 90_000;
    expect(await measured("creditgate_period_overdue_seconds")).toBe(90);
    await close();
    expect(await measured("creditgate_period_queue_depth")).toBe(0);
    expect(await measured("creditgate_period_overdue_seconds")).toBe(0);
  });

  it("is not hidden by an organisation whose settings are wrong: that one is a failure", async () => {
    const gone = { ...phone, organization: { name: "Gone" } };
    await loadFixture(scene.database, gone, at());
    await scene.pool.query("update organizations set time_zone = 'Nowhere/Gone' where name = 'Gone'");
    scene.clock.time = Date.UTC(2026, 1, 1, 1);
    expect(await measured("creditgate_period_queue_depth")).toBeUndefined();
    expect(await measured("creditgate_settlement_queue_depth")).toBe(0);
    await metrics.render();
    expect(told.map(String)).toEqual([
      expect.stringContaining("Nowhere/Gone"),
      expect.stringContaining("Nowhere/Gone"),
    ]);
    await close();
    await scene.pool.query("update wallets set accrues_from = '2026-01-01' where kind = 'postpaid'");
    expect(await measured("creditgate_period_failures")).toBe(1);
    expect(await measured("creditgate_period_queue_depth")).toBe(1);
    expect(await measured("creditgate_period_overdue_seconds")).toBe(3_600);
  });
});

describe("the queue of voice calls", () => {
  it("is calls that nobody has heard of for a day, and as old as that day's end", async () => {
    for (const sessionId of ["one", "two"]) {
      const key = { orgId: scene.orgId, sessionId };
      await scene.database
        .transaction()
        .execute((transaction) => openCall(transaction, key, { agentId: "caller", customerId: "pre" }, at()));
    }
    scene.clock.time += 60_000;
    await scene.database
      .transaction()
      .execute((transaction) =>
        track(transaction, { orgId: scene.orgId, sessionId: "two" }, { kind: "tts", characters: 1 }, at()),
      );
    scene.clock.time += voiceSweepAgeMs - 60_000;
    expect(await measured("creditgate_voice_queue_depth")).toBe(1);
    scene.clock.time += 90_000;
    expect(await measured("creditgate_voice_queue_depth")).toBe(2);
    expect(await measured("creditgate_voice_overdue_seconds")).toBe(90);
    await sweepCalls(scene.database, at());
    expect(await measured("creditgate_voice_queue_depth")).toBe(0);
    expect(await measured("creditgate_voice_overdue_seconds")).toBe(0);
  });
});

describe("creditgate_migrations_pending", () => {
  it("counts the steps that the database lacks", async () => {
    expect(await measured("creditgate_migrations_pending")).toBe(0);
    await scene.pool.query("delete from creditgate_migrations");
    expect(await measured("creditgate_migrations_pending")).toBe(migrations.length);
  });
});

describe("metrics of a database that does not answer", () => {
  it("are left out at the deadline, the others are told", async () => {
    const impatient = measure({ deadlineMs: 2_000 });
    const unlock = await lockTable(scene.pool, "webhook_streams");
    const text = await impatient.render();
    await unlock();
    expect(text).toContain("\ncreditgate_database_up 0\n");
    expect(text).toContain("\ncreditgate_settlement_queue_depth 0\n");
    expect(text).not.toMatch(/^creditgate_webhook_queue_depth \d/m);
    expect(text).toContain('\ncreditgate_database_connections_max{pool="requests"} 20\n');
    await expect.poll(() => measured("creditgate_database_up", impatient)).toBe(1);
    expect(await measured("creditgate_webhook_queue_depth", impatient)).toBe(0);
  });

  it("are left out where it is gone", async () => {
    await scene.pool.end();
    const text = await metrics.render();
    expect(text).toContain("\ncreditgate_database_up 0\n");
    expect(text).toContain("\ncreditgate_usage_accepted_total 0\n");
    expect(text).not.toMatch(/^creditgate_settlement_queue_depth \d/m);
    expect(told).toEqual([]);
  });
});
