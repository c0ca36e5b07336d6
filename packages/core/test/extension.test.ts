import { createMemoryOutbox, type HoldAmount } from "@creditgate/core";
import { createManualClock } from "@creditgate/core/testing";
import { createLeasedLedger, createMemoryStore } from "@creditgate/fleet";
import { describe, expect, it } from "vitest";
import {
  type Admitted,
  answer,
  createPrepaidScene,
  createScene,
  outcome,
  pending,
  type Scene,
  status,
  wallet,
} from "./service.ts";

/** Lets time pass until it is settled: a denial waits for news. */
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

const ask = (scene: Scene, hold: HoldAmount) =>
  passing(scene, scene.gate.authorize({ customerId: "alice", agentId: "chat", indicator: "message", hold }));

const extend = (scene: Scene, charge: Admitted, amount: HoldAmount) => passing(scene, charge.extend(amount));

async function admit(scene: Scene, hold: HoldAmount): Promise<Admitted> {
  const decision = await ask(scene, hold);
  if (!decision.allowed) throw new Error(`denied: ${decision.denial.code}`);
  return decision.charge;
}

const figures = async ({ gate }: Scene) => {
  const { held, unconfirmed } = (await gate.balance("alice")) ?? {};
  return { held, unconfirmed };
};

/** Scenes whose ledger is in memory, or leased from a store. */
const scenes: readonly (readonly [string, (credits: number) => Scene])[] = [
  ["in memory", (credits) => createPrepaidScene(credits)],
  [
    "in a shared store",
    (credits) => {
      const clock = createManualClock();
      const ledger = createLeasedLedger(createMemoryStore({ clock }), { clock });
      const { gate, service } = createPrepaidScene(credits, { ledger, clock });
      return { ...createPrepaidScene(credits), gate, service, clock };
    },
  ],
];

describe.each(scenes)("a hold with a least amount, with a ledger %s", (_, open) => {
  it("is all of it where the wallet can pay that", async () => {
    const scene = open(100);
    const charge = await admit(scene, { min: 1, max: 30 });
    expect(charge.held).toBe(30);
    expect(await figures(scene)).toEqual({ held: 30, unconfirmed: 0 });
  });

  it("is what is left where it cannot, and all of that is given back", async () => {
    const scene = open(100);
    const first = await admit(scene, 88);
    const charge = await admit(scene, { min: 1, max: 30 });
    expect(charge.held).toBe(12);
    charge.release();
    first.release();
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 0 });
  });

  it("is denied below the least amount, which is what is required", async () => {
    const scene = open(100);
    await admit(scene, 88);
    const decision = await ask(scene, { min: 13, max: 30 });
    expect(outcome(decision)).toBe("insufficient_credits");
    expect(decision).toMatchObject({ denial: { required: 13, available: 12, shortfall: 1 } });
  });

  it("bills what was used of it, and counts an unpriced report with all that was held", async () => {
    const scene = open(10);
    const charge = await admit(scene, { min: 1, max: 30 });
    charge.report({ model: "a" });
    await charge.settle();
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 10 });
  });
});

describe.each(scenes)("extend, with a ledger %s", (_, open) => {
  it("holds more for work that goes on, and all of it ends with the work", async () => {
    const scene = open(100);
    const charge = await admit(scene, 10);
    expect(await extend(scene, charge, 20)).toEqual({ allowed: true });
    expect(await extend(scene, charge, { min: 1, max: 100 })).toEqual({ allowed: true });
    expect(charge.held).toBe(100);
    expect(await figures(scene)).toEqual({ held: 100, unconfirmed: 0 });
    charge.report({ model: "a" }, { credits: 7 });
    charge.report({ model: "b" });
    await charge.settle();
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 100 });
  });

  it("is all or nothing, and a denial leaves what is held as it is", async () => {
    const scene = open(100);
    const charge = await admit(scene, 90);
    const extension = await extend(scene, charge, 11);
    expect(extension).toMatchObject({
      allowed: false,
      denial: { code: "insufficient_credits", required: 11, available: 10 },
    });
    expect(charge.held).toBe(90);
    expect(await figures(scene)).toEqual({ held: 90, unconfirmed: 0 });
    expect(charge.open).toBe(true);
  });

  it("is given back whole where the work is released", async () => {
    const scene = open(100);
    const charge = await admit(scene, 10);
    await extend(scene, charge, 20);
    charge.release();
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 0 });
  });
});

describe("a hold with a least amount", () => {
  it("asks for news before it is content with less", async () => {
    const scene = createPrepaidScene(10);
    (await admit(scene, 1)).release();
    scene.service.fund("alice", { ai_credits: wallet({ available: 50 }) });
    expect((await admit(scene, { min: 1, max: 30 })).held).toBe(30);
  });

  it("is content with less where no news come", async () => {
    const scene = createPrepaidScene(10);
    (await admit(scene, 1)).release();
    scene.service.onBalance = () => Promise.reject(status(503));
    expect((await admit(scene, { min: 1, max: 30 })).held).toBe(10);
  });

  it("is told in the trace", async () => {
    const scene = createPrepaidScene(10);
    const decision = await ask(scene, { min: 1, max: 30 });
    expect(decision.trace).toMatchObject({ hold: 10, held: 0, capacity: 10 });
    const denied = await ask(scene, { min: 5, max: 30 });
    expect(denied.trace).toMatchObject({ hold: 5, held: 10 });
  });

  it.each<[HoldAmount, string]>([
    [{ min: 2, max: 1 }, "hold.min: expected at most max, 1, received 2"],
    [{ min: 0, max: 1 }, "hold.min: expected a finite number of credits above 0"],
    [{ min: 1, max: Number.POSITIVE_INFINITY }, "hold.max: expected a finite number of credits above 0"],
    [{ max: 1 } as never, "hold.min: expected a finite number of credits above 0, received undefined"],
    [{ min: 1, max: 2, least: 1 } as never, "hold.least: unknown field"],
    [null as never, "hold: expected a finite number of credits above 0"],
  ])("refuses %j", async (hold, message) => {
    await expect(ask(createPrepaidScene(10), hold)).rejects.toThrow(message);
  });
});

describe("extend", () => {
  it("gives back what it gets for work that has ended meanwhile, and rejects", async () => {
    const scene = createPrepaidScene(10);
    const charge = await scene.admit(10);
    const balance = pending<ReturnType<typeof answer>>();
    scene.service.onBalance = () => balance.promise;
    const extending = expect(charge.extend(20)).rejects.toThrow("extend(): expected work that goes on");
    await charge.settle();
    await scene.clock.advance(250);
    balance.resolve(answer({ balances: { ai_credits: wallet({ available: 50 }) } }));
    await scene.clock.advance(250);
    await extending;
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 0 });
    await expect(charge.extend(1)).rejects.toThrow("extend(): expected work that goes on");
  });

  it("is allowed to work that goes on while the gate closes", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(10);
    const closing = scene.gate.close({ graceMs: 1_000 });
    expect(outcome(await ask(scene, 1))).toBe("closing");
    expect(await extend(scene, charge, 20)).toEqual({ allowed: true });
    await charge.settle();
    await scene.clock.advance(1_000);
    expect((await closing).open).toBe(0);
  });

  it("lets all work go on in observe mode, and holds what it can", async () => {
    const scene = createPrepaidScene(10, { mode: "observe" });
    const poor = await scene.admit(50);
    expect(await extend(scene, poor, 5)).toEqual({ allowed: true });
    const charge = await scene.admit(10);
    expect(await extend(scene, charge, 5)).toEqual({ allowed: true });
    expect(await figures(scene)).toEqual({ held: 10, unconfirmed: 0 });
    expect(scene.emitted("decision").map(({ allowed }) => allowed)).toEqual([false, true, false]);
  });

  it("writes down what is held in all, where holds must last", async () => {
    const outbox = createMemoryOutbox();
    const begun: unknown[] = [];
    const works = {
      begin: async ({ id, hold }: { readonly id: string; readonly hold: number }) => {
        if (hold === 45_000_000) throw new Error("disk full");
        begun.push({ id, hold });
      },
      end: async () => {},
    };
    const recover = async () => ({ reports: [], works: [] });
    const scene = createScene({
      outbox: Object.assign(outbox, { works, recover }),
      durableHolds: true,
      onOrphan: "review",
    });
    scene.service.fund("alice", { ai_credits: wallet({ available: 100 }) });
    const charge = await scene.admit(10);
    expect(await extend(scene, charge, 20)).toEqual({ allowed: true });
    expect(await extend(scene, charge, 15)).toMatchObject({
      allowed: false,
      denial: { code: "outbox_unavailable" },
    });
    const [first] = begun as { readonly id: string }[];
    expect(begun).toEqual([
      { id: first?.id, hold: 10_000_000 },
      { id: first?.id, hold: 30_000_000 },
    ]);
    expect(charge.held).toBe(30);
    expect(await figures(scene)).toEqual({ held: 30, unconfirmed: 0 });
  });

  it.each([0, -1, Number.NaN, "5"])("refuses %j", async (amount) => {
    const charge = await createPrepaidScene(10).admit(1);
    await expect(charge.extend(amount as number)).rejects.toThrow(
      "amount: expected a finite number of credits",
    );
  });
});
