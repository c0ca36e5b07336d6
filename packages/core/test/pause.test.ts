import { createMemoryOutbox, type Denial, type PauseOptions, pause } from "@creditgate/core";
import { settleElsewhere } from "@creditgate/core/adapter";
import { describe, expect, it } from "vitest";
import {
  type Admitted,
  answer,
  createPrepaidScene,
  hangs,
  pending,
  type Scene,
  type SceneOptions,
  status,
  wallet,
} from "./service.ts";

/** A wallet of 10, all of it held for work that has used 4. */
async function dryWork(options: SceneOptions = {}) {
  const scene = createPrepaidScene(10, {
    settlementLagMs: 86_400_000,
    maxStaleMs: 86_400_000,
    actionTimeoutMs: 0,
    ...options,
  });
  const charge = await scene.admit(10);
  charge.report({ model: "m" }, { credits: 4 });
  return { scene, charge };
}

const pay = ({ service }: Scene, available: number) =>
  service.fund("alice", { ai_credits: wallet({ available }) });

/** Pauses, and shows how far it is. */
function start(charge: Admitted, need: number, options: PauseOptions = {}) {
  const denials: Denial[] = [];
  let state = "waiting";
  const done = pause(charge, need, { onPause: (denial) => denials.push(denial), ...options });
  done.then(
    ({ allowed }) => {
      state = allowed ? "allowed" : "denied";
    },
    () => {
      state = "failed";
    },
  );
  return { done, denials, state: () => state };
}

const figures = async ({ gate }: Scene) => {
  const { held, unconfirmed } = (await gate.balance("alice")) ?? {};
  return { held, unconfirmed };
};

async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick++) await undefined;
}

function closed(): never {
  throw new Error("closed");
}

describe("pause", () => {
  it("bills what was reported, gives the rest back and holds for what comes next", async () => {
    const { scene, charge } = await dryWork();
    const { done, denials } = start(charge, 5);
    await scene.clock.advance(0);
    expect(await done).toEqual({ allowed: true });
    expect(charge.held).toBe(5);
    expect(charge.reported).toEqual([]);
    expect(await figures(scene)).toEqual({ held: 5, unconfirmed: 4 });
    charge.report({ model: "next" }, { credits: 2 });
    await charge.settle();
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 6 });
    await scene.clock.advance(1_000);
    expect(scene.service.reports.map(({ rawUsage }) => rawUsage.model)).toEqual(["m", "next"]);
    expect(new Set(scene.service.reports.map(({ key }) => key)).size).toBe(2);
    expect(scene.emitted("settled").map(({ credits }) => credits)).toEqual([4, 2]);
    expect(denials).toEqual([]);
  });

  it("emits no bill of nothing, also if the outbox takes its time", async () => {
    const works = { begin: async () => {}, end: async () => {} };
    const recover = async () => ({ reports: [], works: [] });
    const outbox = Object.assign(createMemoryOutbox(), { works, recover });
    const scene = createPrepaidScene(10, { outbox, durableHolds: true, onOrphan: "review" });
    const charge = await scene.admit(10);
    const { done } = start(charge, 5);
    await scene.clock.advance(0);
    expect(await done).toEqual({ allowed: true });
    expect(scene.emitted("settled")).toEqual([]);
  });

  describe("while the outbox takes nothing", () => {
    const full = () => Promise.reject(new Error("disk full"));

    /** Work whose bill waits, and what lets the outbox take it. */
    async function stuckWork(add: () => Promise<void> = full) {
      const outbox = createMemoryOutbox();
      const taking = outbox.append.bind(outbox);
      const { scene, charge } = await dryWork({ outbox: Object.assign(outbox, { append: add }) });
      return { scene, charge, mend: () => Object.assign(outbox, { append: taking }) };
    }

    for (const [name, add] of [
      ["fails", full],
      ["hangs", () => hangs()],
    ] as const) {
      it(`waits as long as told for one that ${name}, and holds nothing new`, async () => {
        const { scene, charge } = await stuckWork(add);
        const { done, denials, state } = start(charge, 2, { waitMs: 20_000 });
        await scene.clock.advance(19_000);
        expect(state()).toBe("waiting");
        await scene.clock.advance(1_000);
        expect(await done).toMatchObject({
          allowed: false,
          denial: { code: "outbox_unavailable", status: 503 },
        });
        expect(charge.held).toBe(0);
        expect(denials).toEqual([]);
      });

      it(`ends a second after the gate begins to close, for one that ${name}`, async () => {
        const { scene, charge } = await stuckWork(add);
        const { done, state } = start(charge, 2);
        await scene.clock.advance(1_000);
        const closing = scene.gate.close({ graceMs: 5_000 });
        await scene.clock.advance(1_000);
        expect(state()).toBe("denied");
        expect(await done).toMatchObject({ denial: { code: "closing" } });
        const again = start(charge, 2);
        await scene.clock.advance(1_000);
        expect(await again.done).toMatchObject({ denial: { code: "closing" } });
        charge.release();
        await scene.clock.advance(10_000);
        await closing;
      });
    }

    it("ends with the denial when its bill is given up", async () => {
      const { scene, charge } = await dryWork({
        queue: { send: full, flush: async () => {} },
        settleTimeoutMs: 5_000,
      });
      const { done } = start(charge, 2);
      await scene.clock.advance(6_000);
      expect(scene.emitted("undelivered")).toHaveLength(1);
      expect(await done).toMatchObject({ denial: { code: "outbox_unavailable" } });
    });

    it("has settle() resolve when the bill of the pause is stored too", async () => {
      const { scene, charge, mend } = await stuckWork();
      const { done } = start(charge, 2, { waitMs: 0 });
      await scene.clock.advance(1_000);
      expect(await done).toMatchObject({ allowed: false });
      mend();
      charge.report({ model: "late" }, { credits: 1 });
      let isSettled = false;
      const settled = charge.settle().then(() => {
        isSettled = true;
      });
      await scene.clock.advance(0);
      expect(scene.service.reports.map(({ rawUsage }) => rawUsage.model)).toEqual(["late"]);
      expect(isSettled).toBe(false);
      await scene.clock.advance(10_000);
      await settled;
      expect(scene.service.reports.map(({ rawUsage }) => rawUsage.model)).toEqual(["late", "m"]);
    });

    it("bills once all the same when the outbox is back", async () => {
      const { scene, charge, mend } = await stuckWork();
      const { done } = start(charge, 2, { waitMs: 0 });
      await scene.clock.advance(1_000);
      expect(await done).toMatchObject({ allowed: false });
      charge.report({ model: "late" }, { credits: 1 });
      const settled = charge.settle();
      mend();
      await scene.clock.advance(10_000);
      await settled;
      await scene.clock.advance(1_000);
      expect(scene.service.reports.map(({ rawUsage }) => rawUsage.model).sort()).toEqual(["late", "m"]);
      expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 5 });
    });

    it("waits no longer than a second for a client that has left", async () => {
      const { scene, charge } = await stuckWork();
      const client = new AbortController();
      const { done, state } = start(charge, 2, { signal: client.signal });
      await scene.clock.advance(5_000);
      expect(state()).toBe("waiting");
      client.abort();
      await scene.clock.advance(1_000);
      expect(await done).toMatchObject({ allowed: false, denial: { code: "outbox_unavailable" } });
    });
  });

  it("holds nothing if the outbox hangs as it goes on, and ends what that writes down later", async () => {
    const written = new Set<string>();
    let hanging = false;
    const stuck = pending<void>();
    const works = {
      async begin({ id }: { readonly id: string }) {
        if (hanging) await stuck.promise;
        written.add(id);
      },
      end: async (id: string) => void written.delete(id),
    };
    const outbox = Object.assign(createMemoryOutbox(), {
      works,
      recover: async () => ({ reports: [], works: [] }),
    });
    const scene = createPrepaidScene(10, { outbox, durableHolds: true, onOrphan: "review" });
    const charge = await scene.admit(2);
    const { done, state } = start(charge, 12, { waitMs: 20_000 });
    await scene.clock.advance(1_000);
    hanging = true;
    pay(scene, 100);
    scene.gate.refresh("alice");
    await scene.clock.advance(18_000);
    expect(state()).toBe("waiting");
    await scene.clock.advance(1_000);
    expect(await done).toMatchObject({ allowed: false, denial: { code: "outbox_unavailable" } });
    expect(charge.held).toBe(0);
    expect(await figures(scene)).toMatchObject({ held: 0 });
    hanging = false;
    expect(await charge.extend(3)).toEqual({ allowed: true });
    stuck.resolve();
    await scene.clock.advance(1_000);
    // What goes on now.
    expect(written.size).toBe(1);
    charge.release();
    await scene.clock.advance(1_000);
    expect(written.size).toBe(0);
    expect(await figures(scene)).toMatchObject({ held: 0 });
  });

  it("holds nothing while it waits, and goes on when a payment is told", async () => {
    const { scene, charge } = await dryWork();
    const { done, denials, state } = start(charge, 8);
    await scene.clock.advance(2_000);
    expect(denials).toMatchObject([{ code: "insufficient_credits", required: 8, available: 6 }]);
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 4 });
    // Others go on meanwhile with what there is.
    (await scene.admit(6)).release();
    expect(state()).toBe("waiting");
    pay(scene, 100);
    scene.gate.refresh("alice");
    await scene.clock.advance(500);
    expect(await done).toEqual({ allowed: true });
    expect(charge.held).toBe(8);
  });

  it("finds out by itself within half a minute", async () => {
    const { scene, charge } = await dryWork();
    const { state } = start(charge, 8);
    await scene.clock.advance(40_000);
    const asked = scene.service.balanceRequests.length;
    expect(state()).toBe("waiting");
    pay(scene, 100);
    await scene.clock.advance(15_500);
    expect(state()).toBe("allowed");
    expect(scene.service.balanceRequests.length - asked).toBeLessThanOrEqual(2);
  });

  it("goes on when other work of the process gives credits back", async () => {
    const { scene, charge } = await dryWork();
    await start(charge, 1).done;
    const other = await scene.admit(5);
    const waiting = start(charge, 4);
    await scene.clock.advance(1_000);
    expect(waiting.state()).toBe("waiting");
    other.release();
    await scene.clock.advance(500);
    expect(waiting.state()).toBe("allowed");
  });

  it("serves a customer's work in the order in which it came", async () => {
    const { scene, charge } = await dryWork();
    await start(charge, 1).done;
    const second = await scene.admit(1);
    const [large, small] = [start(charge, 50), start(second, 8)];
    const order: string[] = [];
    void large.done.then(() => order.push("large"));
    void small.done.then(() => order.push("small"));
    await scene.clock.advance(500);
    pay(scene, 40);
    scene.gate.refresh("alice");
    await scene.clock.advance(1_000);
    // What is enough for the second is left for the first.
    expect([large.state(), small.state()]).toEqual(["waiting", "waiting"]);
    pay(scene, 100);
    scene.gate.refresh("alice");
    await scene.clock.advance(1_000);
    expect(order).toEqual(["large", "small"]);
  });

  it("is over after waitMs, with the denial, and the work can still be billed", async () => {
    const { scene, charge } = await dryWork();
    const { done, state } = start(charge, 8, { waitMs: 20_000 });
    await scene.clock.advance(19_999);
    expect(state()).toBe("waiting");
    await scene.clock.advance(1);
    expect(await done).toMatchObject({ allowed: false, denial: { code: "insufficient_credits" } });
    expect(charge.open).toBe(true);
    expect(charge.held).toBe(0);
    charge.report({ model: "last" }, { credits: 1 });
    await charge.settle();
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 5 });
    await scene.clock.advance(1_000);
    expect(scene.service.reports.map(({ rawUsage }) => rawUsage.model)).toEqual(["m", "last"]);
    await scene.clock.advance(1_000);
    expect(scene.timers()).toBe(0);
  });

  it("can be extended after it was denied, and gives all of that back", async () => {
    const { scene, charge } = await dryWork();
    const { done } = start(charge, 8, { waitMs: 0 });
    await scene.clock.advance(500);
    expect(await done).toMatchObject({ allowed: false });
    expect(await charge.extend(3)).toEqual({ allowed: true });
    expect(charge.held).toBe(3);
    expect(await charge.extend(1)).toEqual({ allowed: true });
    expect(await figures(scene)).toEqual({ held: 4, unconfirmed: 4 });
    charge.release();
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 4 });
  });

  it("tells every 15 s that it goes on", async () => {
    const { scene, charge } = await dryWork();
    let told = 0;
    start(charge, 8, { onWait: () => told++ });
    await scene.clock.advance(46_000);
    expect(told).toBe(3);
  });

  it.each<[string, PauseOptions]>([
    ["onWait throws", { onWait: () => closed() }],
    ["onWait rejects with", { onWait: async () => closed() }],
    ["onPause throws", { onPause: () => closed() }],
    ["onPause rejects with", { onPause: async () => closed() }],
  ])("fails with what %s, such as a stream that is closed, and holds nothing", async (_, options) => {
    const { scene, charge } = await dryWork();
    const { done, state } = start(charge, 8, options);
    await scene.clock.advance(16_000);
    expect(state()).toBe("failed");
    await expect(done).rejects.toThrow("closed");
    pay(scene, 100);
    scene.gate.refresh("alice");
    await scene.clock.advance(60_000);
    expect(await figures(scene)).toMatchObject({ held: 0 });
  });

  it("waits an outage through", async () => {
    const { scene, charge } = await dryWork();
    const { state } = start(charge, 8);
    await scene.clock.advance(1_000);
    scene.service.onBalance = () => Promise.reject(status(503));
    await scene.clock.advance(20_000);
    expect(state()).toBe("waiting");
    scene.service.onBalance = undefined;
    pay(scene, 100);
    await scene.clock.advance(30_000);
    expect(state()).toBe("allowed");
  });

  it.each<[string, (charge: Admitted, controller: AbortController) => void]>([
    ["its signal", (_, controller) => controller.abort()],
    ["a client that disconnects", (charge) => charge.disconnect()],
  ])("ends by %s, with nothing held", async (_, end) => {
    const { scene, charge } = await dryWork();
    const controller = new AbortController();
    const { done } = start(charge, 8, { signal: controller.signal });
    await scene.clock.advance(1_000);
    end(charge, controller);
    expect(await done).toMatchObject({ allowed: false, denial: { code: "insufficient_credits" } });
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 4 });
    await charge.settle();
    await scene.clock.advance(1_000);
    expect(scene.timers()).toBe(0);
  });

  it("does not begin to wait for a client that has left", async () => {
    const { scene, charge } = await dryWork();
    charge.disconnect();
    const { done, denials } = start(charge, 8);
    await scene.clock.advance(500);
    expect(await done).toMatchObject({ allowed: false });
    expect(denials).toEqual([]);
  });

  it("ends with the work, and is refused for work that has ended", async () => {
    const { scene, charge } = await dryWork();
    const { done } = start(charge, 8);
    await scene.clock.advance(1_000);
    await charge.settle();
    expect(await done).toMatchObject({ allowed: false });
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 4 });
    await expect(pause(charge, 1)).rejects.toThrow("work that has ended");
  });

  it("ends at once when the gate closes, and does not begin then", async () => {
    const { scene, charge } = await dryWork();
    const { done } = start(charge, 8);
    await scene.clock.advance(1_000);
    const closing = scene.gate.close();
    expect(await done).toMatchObject({ allowed: false, denial: { code: "closing" } });
    const again = start(charge, 8);
    await scene.clock.advance(500);
    expect(await again.done).toMatchObject({ allowed: false, denial: { code: "closing" } });
    await charge.settle();
    await scene.clock.advance(1_000);
    expect((await closing).undelivered).toEqual([]);
  });

  it("lets so many go on in a second, after a payment that serves all", async () => {
    const { scene, charge } = await dryWork({ resumesPerSecond: 10 });
    await start(charge, 1).done;
    const charges = [charge];
    for (let number = 0; number < 5; number++) charges.push(await scene.admit(1));
    const paused = Array.from({ length: 6 }, (_, index) => start(charges[index] as Admitted, 20));
    await scene.clock.advance(1_000);
    pay(scene, 1_000);
    scene.gate.refresh("alice");
    await scene.clock.advance(250);
    const first = paused.filter(({ state }) => state() === "allowed").length;
    await scene.clock.advance(200);
    const second = paused.filter(({ state }) => state() === "allowed").length;
    expect([first, second - first]).toEqual([3, 2]);
    await scene.clock.advance(1_000);
    expect(paused.every(({ state }) => state() === "allowed")).toBe(true);
  });

  it("holds nothing while it waits for its turn", async () => {
    const { scene, charge } = await dryWork({ resumesPerSecond: 1 });
    await start(charge, 1).done;
    const charges = [charge, await scene.admit(1), await scene.admit(1)] as const;
    const paused = charges.map((each) => start(each, 20));
    const states = () => paused.map(({ state }) => state());
    await scene.clock.advance(1_000);
    pay(scene, 100);
    const decided = scene.emitted("decision").length;
    scene.gate.refresh("alice");
    await scene.clock.advance(500);
    expect(states()).toEqual(["allowed", "waiting", "waiting"]);
    expect(await figures(scene)).toMatchObject({ held: 20 });
    await scene.clock.advance(2_000);
    expect(states()).toEqual(["allowed", "allowed", "allowed"]);
    // One decision for each, however often it was tried.
    expect(scene.emitted("decision").length - decided).toBe(3);
    for (const each of charges) each.release();
    await scene.clock.advance(60_000);
    expect(scene.timers()).toBe(0);
  });

  it("gives the turn of work that has ended to another customer's", async () => {
    const scene = createPrepaidScene(10, {
      resumesPerSecond: 1,
      maxStaleMs: 86_400_000,
      actionTimeoutMs: 0,
    });
    const names = ["alice", "bob", "carol"];
    const charges: Admitted[] = [];
    for (const name of names) {
      scene.service.fund(name, { ai_credits: wallet({ available: 10 }) });
      charges.push(await scene.admit(1, name));
    }
    const paused = charges.map((each) => start(each, 20));
    const states = () => paused.map(({ state }) => state());
    await scene.clock.advance(1_000);
    for (const name of names) scene.service.fund(name, { ai_credits: wallet({ available: 100 }) });
    for (const name of names) {
      scene.gate.refresh(name);
      await scene.clock.advance(100);
    }
    expect(states()).toEqual(["allowed", "waiting", "waiting"]);
    await charges[1]?.settle();
    await scene.clock.advance(900);
    expect(states()).toEqual(["allowed", "denied", "allowed"]);
  });

  it("never fails if the work ends just as it goes on, and holds nothing then", async () => {
    const states = new Set<string>();
    for (let steps = 0; steps < 80; steps++) {
      const { scene, charge } = await dryWork();
      const { done, state } = start(charge, 8);
      await scene.clock.advance(1_000);
      pay(scene, 100);
      scene.gate.refresh("alice");
      scene.service.onBalance = async () => {
        scene.service.onBalance = undefined;
        void ticks(steps).then(() => charge.settle());
        return answer({ balances: { ai_credits: wallet({ available: 100 }) } });
      };
      await scene.clock.advance(500);
      await done;
      states.add(state());
      expect(await figures(scene)).toMatchObject({ held: 0 });
    }
    expect([...states].sort()).toEqual(["allowed", "denied"]);
  });

  it("does not keep the customer's other work waiting for a judgement that hangs", async () => {
    let hanging = false;
    const { scene, charge } = await dryWork({ wallet: () => (hanging ? hangs() : "prepaid") });
    await start(charge, 1).done;
    const second = await scene.admit(1);
    const [first, other] = [start(charge, 50, { waitMs: 4_000 }), start(second, 20)];
    await scene.clock.advance(1_000);
    hanging = true;
    scene.gate.refresh("alice");
    await scene.clock.advance(1_000);
    hanging = false;
    pay(scene, 100);
    await scene.clock.advance(36_000);
    expect([first.state(), other.state()]).toEqual(["denied", "allowed"]);
    expect(await figures(scene)).toMatchObject({ held: 20 });
  });

  it("lets a thousand customers go on after their payments, at its rate, with one request for each balance at a time", async () => {
    const scene = createPrepaidScene(10, { settlementLagMs: 86_400_000, actionTimeoutMs: 0 });
    const paused: ReturnType<typeof start>[] = [];
    for (let number = 0; number < 1_000; number++) {
      scene.service.fund(`c${number}`, { ai_credits: wallet({ available: 10 }) });
      paused.push(start(await scene.admit(10, `c${number}`), 20, { waitMs: number < 100 ? 9_000 : 60_000 }));
    }
    await scene.clock.advance(1_000);
    const count = (wanted: string) => paused.filter(({ state }) => state() === wanted).length;
    expect(count("waiting")).toBe(1_000);
    for (let number = 0; number < 1_000; number++) {
      if (number % 2 === 0) scene.service.fund(`c${number}`, { ai_credits: wallet({ available: 100 }) });
      scene.gate.refresh(`c${number}`);
    }
    for (let second = 1; second <= 10; second++) {
      const before = count("allowed");
      await scene.clock.advance(1_000);
      expect(count("allowed") - before).toBeLessThanOrEqual(51);
    }
    expect(count("allowed")).toBe(500);
    await scene.clock.advance(60_000);
    expect([count("allowed"), count("denied")]).toEqual([500, 500]);
    expect(scene.service.mostAirborne).toBe(1);
    expect((await scene.gate.status()).held).toBe(500 * 20);
  });

  it("leaves no hold, and counts all that it has used, of a customer who was forgotten while the work waited", async () => {
    for (const isPaid of [false, true]) {
      const { scene, charge } = await dryWork({ maxCustomers: 1, settlementLagMs: 1_000 });
      scene.service.fund("bob", { ai_credits: wallet({ available: 1 }) });
      const { done } = start(charge, 8);
      await scene.clock.advance(2_000);
      await scene.admit(1, "bob").then(({ release }) => release());
      expect(await scene.gate.balance("alice")).toBeUndefined();
      pay(scene, isPaid ? 20 : 6);
      scene.gate.refresh("alice");
      await scene.clock.advance(60_000);
      expect((await done).allowed).toBe(isPaid);
      charge.report({ model: "next" }, { credits: 3 });
      await charge.settle();
      expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 3 });
    }
  });

  it("counts what it has used elsewhere, of a customer who was forgotten and is back", async () => {
    const { scene, charge } = await dryWork({ maxCustomers: 1, settlementLagMs: 1_000 });
    const { done } = start(charge, 8, { waitMs: 4_000 });
    await scene.clock.advance(2_000);
    pay(scene, 6);
    scene.service.fund("bob", { ai_credits: wallet({ available: 1 }) });
    await scene.admit(1, "bob").then(({ release }) => release());
    await scene.clock.advance(2_000);
    expect(await done).toMatchObject({ allowed: false });
    await scene.admit(1).then(({ release }) => release());
    await settleElsewhere(charge, 5);
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 5 });
  });

  it("makes no more wait than maxPaused", async () => {
    const { scene, charge } = await dryWork({ maxPaused: 1 });
    await start(charge, 1).done;
    const second = await scene.admit(1);
    const [one, other] = [start(charge, 50), start(second, 50)];
    await scene.clock.advance(1_000);
    expect([one.state(), other.state()]).toEqual(["waiting", "denied"]);
  });

  it("waits for nothing where the gate only observes", async () => {
    const { scene, charge } = await dryWork({ mode: "observe" });
    const { done, denials } = start(charge, 80);
    await scene.clock.advance(500);
    expect(await done).toEqual({ allowed: true });
    expect(denials).toEqual([]);
  });

  it("is refused while a call of the work is under way, or another pause", async () => {
    const { scene, charge } = await dryWork();
    const takeBack = charge.beforeBill(() => {});
    await expect(pause(charge, 1)).rejects.toThrow("expected work between two model calls");
    takeBack();
    start(charge, 8);
    await scene.clock.advance(1_000);
    await expect(pause(charge, 1)).rejects.toThrow("expected work between two model calls");
  });

  it.each<[PauseOptions, string]>([
    [{ waitMs: 600_001 }, "waitMs: expected"],
    [{ wait: 1 } as never, "wait: unknown option"],
    [{ onPause: 1 } as never, "onPause: expected a function"],
    [{ signal: 1 } as never, "signal: expected an AbortSignal"],
  ])("refuses %j, and the hold stays", async (options, message) => {
    const { charge } = await dryWork();
    await expect(pause(charge, 1, options)).rejects.toThrow(message);
    await expect(pause(charge, 0)).rejects.toThrow("need: expected a finite number of credits above 0");
    expect(charge.held).toBe(10);
  });
});

describe("gate.refresh()", () => {
  it("has the balance of a customer in memory read again, and of no other", async () => {
    const scene = createPrepaidScene(10);
    scene.gate.refresh("alice");
    expect(scene.service.balanceRequests).toEqual([]);
    (await scene.admit(1)).release();
    pay(scene, 100);
    await scene.clock.advance(1_000);
    scene.gate.refresh("alice");
    scene.gate.refresh("bob");
    scene.gate.refresh("");
    await scene.clock.advance(1_000);
    expect(scene.service.balanceRequests).toEqual(["alice", "alice"]);
    expect(await scene.gate.balance("alice")).toMatchObject({ capacity: 100 });
  });
});
