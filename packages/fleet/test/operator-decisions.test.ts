import { MemoryOutboxStore } from "@creditgate/conformance";
import { createFleetOutbox } from "@creditgate/fleet";
import { createFleetOperator } from "@creditgate/fleet/operator";
import { describe, expect, it } from "vitest";
import { createPrepaidScene, type SceneOptions, status } from "../../core/test/service.ts";

const abandonMs = 60_000;

/** A gate of a fleet, and an operator of its outbox. */
function createFleet() {
  let now = 0;
  const store = new MemoryOutboxStore(() => now);
  const start = (name: string, options: SceneOptions = {}) => {
    const outbox = createFleetOutbox(store, { process: name, abandonMs, clock: { now: () => now } });
    return createPrepaidScene(100, { outbox, settlementLagMs: 1_000, ttlMs: 1, ...options });
  };
  const living = start("one");
  const operator = createFleetOperator(store, { clock: living.clock });
  const pass = async (ms: number) => {
    for (let rest = ms; rest > 0; rest -= 1_000) {
      now += 1_000;
      await living.clock.advance(1_000);
    }
  };
  const decided = async <T>(decision: T | Promise<T>): Promise<T> => {
    const [emitted] = await Promise.all([decision, pass(20_000)]);
    return emitted;
  };
  return { store, living, operator, pass, decided, start };
}

/** A report that the service refuses. */
async function dead(scene: ReturnType<typeof createPrepaidScene>, credits = 60): Promise<string> {
  scene.service.onUsage = () => Promise.reject(status(422, { problem: { code: "invalid_request" } }));
  const before = scene.emitted("dead").length;
  const charge = await scene.admit(credits);
  charge.report({ model: "m" }, { credits });
  await charge.settle();
  await scene.clock.advance(0);
  expect(scene.emitted("dead")).toHaveLength(before + 1);
  scene.service.onUsage = undefined;
  return scene.emitted("dead").at(-1)?.report.id ?? "";
}

const unconfirmed = async ({ gate }: ReturnType<typeof createPrepaidScene>) =>
  (await gate.balance("alice"))?.unconfirmed;

/** By a balance that is read now. */
async function unconfirmedLater(scene: ReturnType<typeof createPrepaidScene>) {
  await scene.admit(1);
  await scene.clock.advance(0);
  return unconfirmed(scene);
}

describe("what an operator decides on the outbox of a gate that runs", () => {
  it("sends a dead report again", async () => {
    const { living, operator, decided } = createFleet();
    const id = await dead(living);
    expect(await operator.list()).toMatchObject([{ id, state: "dead", credits: 60, customerId: "alice" }]);
    const sent = living.service.reports.length;
    expect(await decided(operator.retry([id], "the indicator exists now"))).toEqual({ done: [id], left: [] });
    expect(living.service.reports).toHaveLength(sent + 1);
    expect(living.emitted("delivered")).toMatchObject([{ report: { id } }]);
    expect(living.emitted("resolved")).toMatchObject([{ as: "retry", reason: "the indicator exists now" }]);
    expect(await unconfirmedLater(living)).toBe(0);
  });

  it("forgets one that is discarded at once, and one that was delivered after the lag", async () => {
    for (const [as, counted] of [
      ["discard", 0],
      ["delivered", 60],
    ] as const) {
      const { living, operator, pass } = createFleet();
      const id = await dead(living);
      const emitted = operator.resolve([id], { as });
      await pass(11_000);
      // The last beat was a moment ago.
      expect(await unconfirmed(living)).toBe(counted);
      await pass(9_000);
      expect(await emitted).toEqual({ done: [id], left: [] });
      expect(await unconfirmedLater(living)).toBe(0);
      expect(living.service.reports).toHaveLength(1);
      expect(await living.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
    }
  });

  it("bills work that a crash cut off what it is told, once, and lets go of its hold", async () => {
    const { living, operator, pass, decided, start } = createFleet();
    const crashed = start("two", { durableHolds: true });
    await crashed.admit(30);
    const [open] = await operator.list();
    expect(open).toMatchObject({ state: "open", credits: 30 });
    const id = open?.id ?? "";
    await expect(operator.resolve([id], { as: "discard" })).rejects.toThrow('received "one that is open"');
    await living.admit(1);
    await pass(abandonMs + 20_000);
    expect(await unconfirmed(living)).toBe(30);
    await decided(operator.resolve([id], { as: "bill", usage: { model: "m", outputTokens: 9 } }));
    expect(living.service.reports).toMatchObject([{ rawUsage: { outputTokens: 9 } }]);
    await living.admit(1);
    expect(await unconfirmed(living)).toBe(0);
    expect((await operator.list()).filter(({ state }) => state !== "delivered")).toEqual([]);
  });

  it("waits in the store while no process hears of it", async () => {
    const { living, operator, pass } = createFleet();
    const id = await dead(living);
    await living.gate.close({ graceMs: 0 });
    const emitted = operator.retry([id]);
    await pass(20_000);
    expect(await emitted).toEqual({ done: [], left: [id] });
    expect(await operator.list()).toMatchObject([{ id, isRequested: true }]);
  });

  it("is done by the heir of a process that died before it heard of it", async () => {
    const { living, operator, pass, start } = createFleet();
    const crashed = start("two");
    const id = await dead(crashed);
    await living.admit(1);
    const emitted = operator.retry([id]);
    await pass(20_000);
    expect(await emitted).toEqual({ done: [], left: [id] });
    await pass(abandonMs + 20_000);
    expect(living.emitted("resolved")).toMatchObject([{ as: "retry", report: { id } }]);
    expect(living.emitted("delivered")).toMatchObject([{ report: { id } }]);
    expect((await operator.list()).filter(({ state }) => state !== "delivered")).toEqual([]);
  });

  it("does all of it where the store fails between two of several, and tells the ledger", async () => {
    const { store, living, operator, pass } = createFleet();
    const ids = [await dead(living, 30), await dead(living, 20)];
    await pass(11_000);
    const write = store.write.bind(store);
    let discards = 0;
    store.write = async (step) => {
      // Both before the step is done, and after it.
      if (step.dropped.length > 0 && ++discards === 2) throw new Error("connection terminated");
      const written = await write(step);
      if (step.dropped.length > 0 && discards === 1) throw new Error("the answer is lost");
      return written;
    };
    const emitted = operator.resolve(ids, { as: "discard" });
    await pass(60_000);
    await emitted;
    expect(living.emitted("resolved").map(({ report: { id } }) => id)).toEqual(ids);
    expect(await unconfirmedLater(living)).toBe(0);
    expect(await operator.list()).toEqual([]);
  });

  it("does all or nothing", async () => {
    const { living, operator } = createFleet();
    const id = await dead(living);
    await expect(operator.retry([id, "unknown"])).rejects.toThrow(
      'unknown: expected a parked or dead report, received "no such id"',
    );
    await expect(operator.resolve([id], { as: "bill", usage: {} })).rejects.toThrow("expected an orphan");
    expect(await operator.list()).toMatchObject([{ id, state: "dead" }]);
    expect((await operator.list())[0]?.isRequested).toBeUndefined();
  });
});
