import { createMemoryOutbox } from "@creditgate/core";
import { settleElsewhere } from "@creditgate/core/adapter";
import { createManualClock } from "@creditgate/core/testing";
import { createLeasedLedger, createMemoryStore } from "@creditgate/fleet";
import { describe, expect, it } from "vitest";
import { createPrepaidScene, outcome, type Scene, wallet } from "./service.ts";

const figures = async ({ gate }: Scene) => {
  const { held, unconfirmed } = (await gate.balance("alice")) ?? {};
  return { held, unconfirmed };
};

/** Lets time pass until it is settled: a shared store is asked. */
async function passing<T>({ clock }: Scene, promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const end = () => {
    isSettled = true;
  };
  promise.then(end, end);
  await clock.advance(0);
  while (!isSettled) await clock.advance(50);
  return promise;
}

function leased(credits: number): Scene {
  const clock = createManualClock();
  const ledger = createLeasedLedger(createMemoryStore({ clock }), { clock });
  return { ...createPrepaidScene(credits, { ledger, clock }), clock };
}

describe.each([
  ["in memory", (credits: number) => createPrepaidScene(credits)],
  ["in a shared store", leased],
])("settleElsewhere, with a ledger %s", (_, open) => {
  it("turns all that was held into usage that counts, and reports nothing", async () => {
    const scene = open(100);
    const charge = await passing(scene, scene.admit(30));
    await passing(scene, charge.extend(40));
    await settleElsewhere(charge, 12.5);
    expect(charge.open).toBe(false);
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 12.5 });
    expect(outcome(await passing(scene, scene.authorize(88)))).toBe("insufficient_credits");
    expect(scene.service.reports).toEqual([]);
    expect(scene.emitted("settled")).toMatchObject([{ reports: 0, credits: 12.5 }]);
  });

  it("counts no longer once a balance shows the debit", async () => {
    const scene = open(100);
    const charge = await passing(scene, scene.admit(30));
    await settleElsewhere(charge, 20);
    scene.service.fund("alice", { ai_credits: wallet({ available: 80 }) });
    await scene.clock.advance(11_000);
    expect(outcome(await passing(scene, scene.authorize(80)))).toBe("allowed");
  });
});

describe("settleElsewhere", () => {
  it("bills what was reported as well", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(30);
    charge.report({ model: "a" }, { credits: 3 });
    await settleElsewhere(charge, 20);
    await scene.clock.advance(0);
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 23 });
    expect(scene.service.reports).toMatchObject([{ rawUsage: { model: "a" } }]);
    expect(scene.emitted("settled")).toMatchObject([{ reports: 1, credits: 23 }]);
  });

  it("has what waits for the bill report before", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(30);
    charge.beforeBill(() => charge.report({ model: "late" }, { credits: 1 }));
    await settleElsewhere(charge, 2);
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 3 });
    expect(scene.emitted("late")).toEqual([]);
  });

  it("does nothing to work that has ended", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(30);
    charge.release();
    await settleElsewhere(charge, 20);
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 0 });
  });

  it("takes work that a gate has let in although it only observes, and work that is free", async () => {
    const scene = createPrepaidScene(10, { mode: "observe" });
    const poor = await scene.admit(50);
    await settleElsewhere(poor, 20);
    expect(poor.open).toBe(false);
    await settleElsewhere(await scene.admit(1, ""), 20);
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 0 });
  });

  it("ends work that is written down", async () => {
    const ended: string[] = [];
    const works = { begin: async () => {}, end: async (id: string) => void ended.push(id) };
    const recover = async () => ({ reports: [], works: [] });
    const outbox = Object.assign(createMemoryOutbox(), { works, recover });
    const scene = createPrepaidScene(100, { outbox, durableHolds: true, onOrphan: "review" });
    const charge = await scene.admit(30);
    await settleElsewhere(charge, 20);
    expect(ended).toHaveLength(1);
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 20 });
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY, "5"])("refuses %j, and goes on", async (credits) => {
    const charge = await createPrepaidScene(100).admit(30);
    expect(() => settleElsewhere(charge, credits as number)).toThrow("credits: expected a number");
    expect(charge.open).toBe(true);
  });
});
