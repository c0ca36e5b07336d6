import { MemoryOutboxStore } from "@creditgate/conformance";
import { createManualClock, type ManualClock } from "@creditgate/core/testing";
import {
  createFleetOutbox,
  createLeasedLedger,
  createMemoryStore,
  type OutboxStore,
} from "@creditgate/fleet";
import { describe, expect, it } from "vitest";
import { createPrepaidScene, type Scene, type SceneOptions, status } from "../../core/test/service.ts";

const abandonMs = 60_000;

/** Processes of one fleet. Each has a clock of its own, which goes with that of the store as long as it is alive. */
function createFleet() {
  let now = 0;
  const store = new MemoryOutboxStore(() => now);
  const clocks: ManualClock[] = [];
  let isAway = false;
  let isRefused = (_text: string) => false;
  const open: OutboxStore = {
    async heartbeat(heartbeat) {
      if (isAway) throw new Error("the store is away");
      return store.heartbeat(heartbeat);
    },
    async write(step) {
      if (step.added.some(({ text }) => isRefused(text))) throw new Error("the store refuses it");
      return store.write(step);
    },
    read: (...place) => store.read(...place),
    takeRequests: (process) => store.takeRequests(process),
    list: (after) => store.list(after),
    request: (requests) => store.request(requests),
  };
  return {
    start(away: boolean, options: SceneOptions = {}): Scene {
      const clock = { now: () => now };
      const outbox = createFleetOutbox(open, { process: `process ${clocks.length}`, abandonMs, clock });
      const scene = createPrepaidScene(100, { outbox, settlementLagMs: 1_000, ttlMs: 1, ...options });
      scene.service.onUsage = away ? () => Promise.reject(status(503)) : undefined;
      clocks.push(scene.clock);
      return scene;
    },
    async pass(ms: number, ...alive: readonly Scene[]) {
      for (let rest = ms; rest > 0; rest -= 1_000) {
        now += 1_000;
        for (const { clock } of alive) await clock.advance(1_000);
      }
    },
    failWrites(refused: (text: string) => boolean) {
      isRefused = refused;
    },
    setAway(away: boolean) {
      isAway = away;
    },
  };
}

async function work({ clock, ...scene }: Scene, credits: number): Promise<void> {
  const charge = await scene.admit(credits);
  charge.report({ model: "m" }, { credits });
  await charge.settle();
  await clock.advance(0);
}

const unconfirmed = async ({ gate }: Scene) => (await gate.balance("alice"))?.unconfirmed;

describe("a gate with the outbox of a fleet", () => {
  it("is refused where it would decide before it knows what the process before has left", () => {
    const outbox = createFleetOutbox(new MemoryOutboxStore(() => 0));
    expect(() => createPrepaidScene(100, { outbox })).toThrow(
      "outbox: expected one with the option `process`, or a shared `ledger` beside it",
    );
    const clock = createManualClock();
    const ledger = createLeasedLedger(createMemoryStore({ clock }), { clock });
    createPrepaidScene(100, { outbox, ledger });
  });

  it("records and tells once what it takes over, where that fails midway", async () => {
    const fleet = createFleet();
    const [dead, living] = [
      fleet.start(true, { durableHolds: true }),
      fleet.start(true, { onOrphan: "default", defaultUsage: { model: "m" } }),
    ];
    await work(dead, 20);
    await dead.admit(10);
    await dead.admit(30);
    await living.admit(1);
    fleet.failWrites((text) => text.includes('"hold":30') || text.includes('"amount":30000000'));
    await fleet.pass(abandonMs + 20_000, living);
    expect(living.emitted("degraded").some(({ what }) => what === "outbox")).toBe(true);
    fleet.failWrites(() => false);
    await fleet.pass(20_000, living);
    expect(await unconfirmed(living)).toBe(60);
    expect(living.emitted("orphan")).toHaveLength(2);
    living.service.onUsage = undefined;
    await fleet.pass(abandonMs, living);
    expect(living.emitted("delivered")).toHaveLength(3);
    await living.admit(1);
    await living.clock.advance(0);
    expect(await unconfirmed(living)).toBe(0);
  });

  it("counts and delivers once what another process has left", async () => {
    const fleet = createFleet();
    const [dead, living] = [fleet.start(true), fleet.start(false)];
    await work(dead, 60);
    await living.admit(1);
    expect(await unconfirmed(living)).toBe(0);
    await fleet.pass(abandonMs + 10_000, living);
    expect(await unconfirmed(living)).toBe(60);
    expect(living.emitted("delivered")).toMatchObject([{ report: { customerId: "alice" } }]);
    expect(living.service.reports).toHaveLength(1);
    await fleet.pass(abandonMs, living);
    expect(living.service.reports).toHaveLength(1);
  });

  it("counts what another has taken over from it for the lag, and sends it no more", async () => {
    const fleet = createFleet();
    const [sleeper, living] = [fleet.start(true), fleet.start(true)];
    await work(sleeper, 60);
    await living.admit(1);
    await fleet.pass(abandonMs + 10_000, living);
    const sent = sleeper.service.reports.length;
    await fleet.pass(11_000, sleeper, living);
    sleeper.service.onUsage = undefined;
    await fleet.pass(abandonMs, sleeper, living);
    await sleeper.admit(1);
    await sleeper.clock.advance(0);
    expect(await unconfirmed(sleeper)).toBe(0);
    expect(await unconfirmed(living)).toBe(60);
    expect(sleeper.service.reports.length).toBeLessThanOrEqual(sent + 1);
    expect(sleeper.emitted("delivered")).toHaveLength(0);
  });

  it("tells once that its outbox does not answer, and goes on", async () => {
    const fleet = createFleet();
    const living = fleet.start(false);
    await living.admit(1);
    fleet.setAway(true);
    await fleet.pass(30_000, living);
    expect(living.emitted("degraded")).toMatchObject([{ what: "outbox" }]);
    fleet.setAway(false);
    await fleet.pass(10_000, living);
    fleet.setAway(true);
    await fleet.pass(10_000, living);
    expect(living.emitted("degraded")).toHaveLength(2);
  });

  it("takes over nothing once it is closed", async () => {
    const fleet = createFleet();
    const [dead, closed] = [fleet.start(true), fleet.start(false)];
    await work(dead, 60);
    await closed.gate.close({ graceMs: 0 });
    await fleet.pass(2 * abandonMs, closed);
    expect(closed.service.reports).toEqual([]);
    expect(closed.timers()).toBe(0);
  });
});
