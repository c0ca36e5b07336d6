import type { OutboxReport, UsageQueue } from "@creditgate/core";
import { createMemoryOutbox } from "@creditgate/core";
import { describe, expect, it } from "vitest";
import { answer, createPrepaidScene, hangs, outcome, pending, type Scene, status } from "./service.ts";

interface Isolate extends Scene {
  /** Models of the reports that nobody could deliver. */
  readonly undelivered: readonly unknown[];
}

/** A gate without outbox or queue. */
function isolate(options: Parameters<typeof createPrepaidScene>[1] = {}): Isolate {
  const undelivered: unknown[] = [];
  const onUndelivered = ({ rawUsage }: OutboxReport) => void undelivered.push(rawUsage.model);
  return { ...createPrepaidScene(100, { onUndelivered, ...options }), undelivered };
}

/** Admits work, reports these models, and settles; resolves with what was handed to `waitUntil`. */
async function request({ gate }: Scene, ...models: string[]): Promise<readonly Promise<unknown>[]> {
  const background: Promise<unknown>[] = [];
  const decision = await gate.authorize({
    customerId: "alice",
    agentId: "chat",
    indicator: "message",
    hold: 1,
    waitUntil: (work) => background.push(work),
  });
  if (!decision.allowed) throw new Error(decision.denial.code);
  // The balance request, if there was one; what follows is the billing.
  background.splice(0);
  for (const model of models) decision.charge.report({ model }, { credits: 1 });
  void decision.charge.settle();
  return background;
}

async function unconfirmed({ gate }: Scene): Promise<number | undefined> {
  return (await gate.balance("alice"))?.unconfirmed;
}

describe("a gate with onUndelivered", () => {
  it("delivers within settle(), whose promise it hands to waitUntil, and leaves no timer", async () => {
    const it = isolate();
    const [background, ...more] = await request(it, "a", "b");
    await background;
    expect(it.service.reports.map(({ rawUsage }) => rawUsage.model)).toEqual(["a", "b"]);
    expect(it.undelivered).toEqual([]);
    expect(more).toEqual([]);
    expect(it.timers()).toBe(0);
  });

  it("tries again as ever, with the same key, as long as there is time", async () => {
    const it = isolate();
    let failures = 3;
    it.service.onUsage = async ({ key }) => {
      if (failures-- > 0) throw status(503);
      return answer({}, key);
    };
    const [background] = await request(it, "a");
    await it.clock.advance(5_000);
    await background;
    expect(new Set(it.service.reports.map(({ key }) => key)).size).toBe(1);
    expect(it.service.reports).toHaveLength(4);
    expect(it.undelivered).toEqual([]);
  });

  it("gives up after 25 s, tells once, keeps the usage counted, and leaves no timer", async () => {
    const it = isolate();
    it.service.onUsage = () => Promise.reject(status(503));
    const [background] = await request(it, "a", "b");
    await it.clock.advance(24_999);
    expect(it.undelivered).toEqual([]);
    await it.clock.advance(1);
    await background;
    expect(it.undelivered).toEqual(["a", "b"]);
    expect(await unconfirmed(it)).toBe(2);
    expect(it.timers()).toBe(0);
  });

  it("tells of what got no answer in time, and of what was refused or parked", async () => {
    const it = isolate({ settleTimeoutMs: 1_000 });
    it.service.onUsage = async ({ rawUsage }) => {
      if (rawUsage.model === "hangs") return hangs();
      throw rawUsage.model === "dead" ? status(422, { problem: { code: "invalid_request" } }) : status(500);
    };
    for (const model of ["hangs", "dead", "parked"]) await request(it, model);
    await it.clock.advance(1_000);
    expect(it.undelivered).toEqual(["dead", "parked", "hangs"]);
    expect(it.emitted("dead")).toHaveLength(1);
    expect(it.emitted("parked")).toHaveLength(1);
  });

  it("learns from one request that the service honours keys, for all that follow", async () => {
    const it = isolate();
    await Promise.all(await request(it, "a"));
    it.service.onUsage = async ({ key }) => {
      if (it.service.reports.length === 2) throw status(500);
      return answer({}, key);
    };
    const [background] = await request(it, "b");
    await it.clock.advance(1_000);
    await background;
    expect(it.undelivered).toEqual([]);
    expect(it.service.reports).toHaveLength(3);
  });

  it("tries again what may have been processed, once another answer to the same request echoes a key", async () => {
    const it = isolate();
    const answered = pending<void>();
    it.service.onUsage = async ({ rawUsage, key }) => {
      if (it.service.reports.length === 1) throw status(500);
      if (rawUsage.model === "b") await answered.promise;
      return answer({}, key);
    };
    const [background] = await request(it, "a", "b");
    await it.clock.advance(0);
    expect(it.emitted("parked")).toMatchObject([{ report: { rawUsage: { model: "a" } } }]);
    answered.resolve();
    await background;
    expect(it.service.reports.map(({ rawUsage }) => rawUsage.model)).toEqual(["a", "b", "a"]);
    expect(it.undelivered).toEqual([]);
  });

  it("sends at most `concurrency` reports of a request at once", async () => {
    const it = isolate({ concurrency: 2 });
    const answered = pending<void>();
    it.service.onUsage = async ({ key }) => {
      await answered.promise;
      return answer({}, key);
    };
    const [background] = await request(it, "a", "b", "c");
    await it.clock.advance(0);
    expect(it.service.reports).toHaveLength(2);
    answered.resolve();
    await background;
    expect(it.service.reports).toHaveLength(3);
  });

  it("ends its pauses when it is flushed", async () => {
    const it = isolate();
    it.service.onUsage = () => Promise.reject(status(503));
    await request(it, "a");
    await it.clock.advance(0);
    it.service.onUsage = async ({ key }) => answer({}, key);
    expect(await it.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
    expect(it.service.reports).toHaveLength(2);
  });

  it("tells once that usage cannot be delivered", async () => {
    const it = isolate();
    it.service.onUsage = () => Promise.reject(status(503));
    const [background] = await request(it, "a");
    await it.clock.advance(25_000);
    await background;
    expect(it.service.reports.length).toBeGreaterThan(2);
    expect(it.emitted("degraded")).toMatchObject([{ what: "delivery" }]);
  });

  it("delivers for one request while another waits: no two share anything", async () => {
    const it = isolate();
    it.service.onUsage = ({ rawUsage, key }) =>
      rawUsage.model === "slow" ? hangs() : Promise.resolve(answer({}, key));
    await request(it, "slow");
    await Promise.all(await request(it, "b"));
    expect(it.service.reports.map(({ rawUsage }) => rawUsage.model)).toEqual(["slow", "b"]);
  });

  it("hands a late report to waitUntil too", async () => {
    const it = isolate();
    const background: Promise<unknown>[] = [];
    const decision = await it.gate.authorize({
      customerId: "alice",
      agentId: "chat",
      indicator: "message",
      hold: 1,
      waitUntil: (work) => background.push(work),
    });
    if (!decision.allowed) throw new Error(decision.denial.code);
    await decision.charge.settle();
    decision.charge.report({ model: "late" });
    expect(background, "the balance request, the late report").toHaveLength(2);
    await Promise.all(background);
    expect(it.service.reports).toHaveLength(1);
  });

  it("lets close() wait for its requests, and says what is left", async () => {
    const it = isolate();
    it.service.onUsage = hangs;
    await request(it, "a");
    await it.clock.advance(0);
    const closed = it.gate.close({ graceMs: 5_000 });
    await it.clock.advance(5_000);
    expect(await closed).toEqual({ queued: 1, parked: 0, dead: 0, open: 0, undelivered: [] });
    expect(it.undelivered).toEqual(["a"]);
  });

  it("bills on when waitUntil or onUndelivered throws, and tells", async () => {
    const error = new Error("outside of a request");
    const it = isolate({
      onUndelivered: () => {
        throw error;
      },
    });
    it.service.onUsage = () => Promise.reject(status(422, { problem: { code: "invalid_request" } }));
    const decision = await it.gate.authorize({
      customerId: "alice",
      agentId: "chat",
      indicator: "message",
      hold: 1,
      waitUntil: () => {
        throw error;
      },
    });
    if (!decision.allowed) throw new Error(decision.denial.code);
    decision.charge.report({ model: "a" });
    await decision.charge.settle();
    expect(it.emitted("degraded")).toMatchObject([{ error }]);
    expect(it.emitted("undelivered")).toMatchObject([{ error, reports: [{ rawUsage: { model: "a" } }] }]);
  });
});

/** A queue that takes what it is sent when it is flushed. */
function createQueue(): UsageQueue & { readonly accepted: OutboxReport[]; failures: number } {
  const sent: OutboxReport[] = [];
  const queue = {
    accepted: [] as OutboxReport[],
    failures: 0,
    async send(reports: readonly OutboxReport[]) {
      sent.push(...reports);
    },
    async flush() {
      if (queue.failures-- > 0) throw new Error("the queue is away");
      queue.accepted.push(...sent.splice(0));
    },
  };
  return queue;
}

describe("a gate with a queue", () => {
  it("has settled when the queue has taken the reports, and sends nothing itself", async () => {
    const queue = createQueue();
    const it = createPrepaidScene(100, { queue });
    await Promise.all(await request(it, "a", "b"));
    expect(queue.accepted).toMatchObject([
      { customerId: "alice", rawUsage: { model: "a" } },
      { rawUsage: { model: "b" } },
    ]);
    expect(it.service.reports).toEqual([]);
    expect(it.timers()).toBe(0);
  });

  it("gives it data alone, which a call to another process can carry", async () => {
    const accepted: unknown[] = [];
    const queue = {
      send: async (reports: readonly OutboxReport[]) => void accepted.push(structuredClone(reports)),
      flush: async () => {},
    };
    const it = createPrepaidScene(100, { queue });
    const waitUntil = () => {};
    const work = { customerId: "alice", agentId: "chat", indicator: "message", hold: 1, waitUntil };
    const decision = await it.gate.authorize(work);
    if (!decision.allowed) throw new Error(decision.denial.code);
    decision.charge.report({}, { indicator: "image" });
    void decision.charge.settle();
    await it.clock.advance(0);
    expect(accepted).toMatchObject([[{ indicator: "image" }]]);
  });

  it("holds until the queue has it, then counts it until settlementLagMs after that", async () => {
    const flushed = pending<void>();
    const queue = { send: async () => {}, flush: () => flushed.promise };
    const it = createPrepaidScene(100, { queue, settlementLagMs: 1_000, ttlMs: 1, minRefreshMs: 0 });
    await request(it, "a");
    await it.clock.advance(0);
    expect(await it.gate.balance("alice")).toMatchObject({ held: 1, unconfirmed: 0 });
    flushed.resolve();
    await it.clock.advance(0);
    expect(await it.gate.balance("alice")).toMatchObject({ held: 0, unconfirmed: 1 });
    await it.clock.advance(1_001);
    await request(it);
    await it.clock.advance(0);
    expect(await unconfirmed(it)).toBe(0);
  });

  it("tries again with the same reports while it fails", async () => {
    const queue = createQueue();
    queue.failures = 2;
    const it = createPrepaidScene(100, { queue });
    const [background] = await request(it, "a");
    await it.clock.advance(1_000);
    await background;
    expect(new Set(queue.accepted.map(({ id }) => id)).size).toBe(1);
    expect(it.emitted("degraded")).toHaveLength(2);
  });

  it("tells onUndelivered of what the queue did not take in time, and counts it as used", async () => {
    const queue = createQueue();
    queue.failures = Number.POSITIVE_INFINITY;
    const it = isolate({ queue, settleTimeoutMs: 2_000 });
    await request(it, "a");
    await it.clock.advance(2_000);
    expect(it.undelivered).toEqual(["a"]);
    expect(it.emitted("undelivered")).toEqual([]);
    expect(await it.gate.balance("alice")).toMatchObject({ held: 0, unconfirmed: 1 });
    expect(it.timers()).toBe(0);
  });

  it("tells with an event where there is no onUndelivered: the report, and settle() rejects", async () => {
    const queue = createQueue();
    queue.failures = Number.POSITIVE_INFINITY;
    const it = createPrepaidScene(10, { queue, settleTimeoutMs: 2_000 });
    const charge = await it.admit(10);
    charge.report({ model: "a" }, { credits: 4 });
    const settled = expect(charge.settle()).rejects.toThrow("the queue is away");
    await it.clock.advance(2_000);
    await settled;
    expect(it.emitted("undelivered")).toMatchObject([
      { reports: [{ customerId: "alice", rawUsage: { model: "a" } }], error: expect.any(Error) },
    ]);
    expect(await it.gate.balance("alice")).toMatchObject({ held: 0, unconfirmed: 4 });
    // What the report costs is spoken for; the rest of the hold is not.
    expect(outcome(await it.authorize(6))).toBe("allowed");
    await it.clock.advance(1_000_000);
    expect(await unconfirmed(it)).toBe(4);
  });

  it("gives up what the queue has not taken when the gate closes", async () => {
    const queue = createQueue();
    queue.failures = Number.POSITIVE_INFINITY;
    const it = createPrepaidScene(10, { queue });
    const charge = await it.admit(10);
    charge.report({ model: "a" });
    const settled = expect(charge.settle()).rejects.toThrow("the queue is away");
    const closed = it.gate.close({ graceMs: 1_000 });
    await it.clock.advance(1_000);
    expect(await closed).toMatchObject({ undelivered: [{ rawUsage: { model: "a" } }] });
    await settled;
    expect(it.emitted("undelivered")).toHaveLength(1);
  });
});

describe("options", () => {
  it.each([
    ["outbox", { outbox: createMemoryOutbox(), onUndelivered: () => {} }],
    ["outbox", { outbox: createMemoryOutbox(), queue: createQueue() }],
    ["queue", { queue: {} as UsageQueue }],
    ["settleTimeoutMs", { settleTimeoutMs: -1, onUndelivered: () => {} }],
    ["onUndelivered", { onUndelivered: 5 as never }],
  ])("refuses a bad %s", (option, options) => {
    expect(() => createPrepaidScene(1, options)).toThrow(`${option}: expected`);
  });
});
