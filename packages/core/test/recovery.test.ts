import { CreditgateError } from "@creditgate/client";
import { createMemoryOutbox, createRegistry, type Outbox, type OutboxReport, pause } from "@creditgate/core";
import type { OpenWork, RecoveredReport, Recovery, WorkJournal } from "@creditgate/core/adapter";
import { describe, expect, it, vi } from "vitest";
import {
  answer,
  createFakeService,
  createPrepaidScene,
  createScene,
  hangs,
  outcome,
  pending,
  type Scene,
  type SceneOptions,
  status,
  wallet,
} from "./service.ts";

/** An outbox that remembers, as it is found by the next process. */
interface DurableOutbox extends Outbox {
  readonly begun: OpenWork[];
  readonly ended: string[];
  /** The ids of the work that appends have ended. */
  readonly billed: (string | undefined)[];
  readonly works: WorkJournal;
  recover(rememberMs: number): Promise<Recovery>;
}

function durableOutbox(left: Partial<Recovery> = {}, queued: readonly OutboxReport[] = []): DurableOutbox {
  const inner = createMemoryOutbox();
  void inner.append(queued);
  let waiting = queued;
  const outbox: DurableOutbox = {
    begun: [],
    ended: [],
    billed: [],
    full: false,
    append(reports, workId) {
      outbox.billed.push(workId);
      return inner.append(reports, workId);
    },
    release: (reports) => inner.release(reports),
    next(limit) {
      inner.release(waiting);
      waiting = [];
      return inner.next(limit);
    },
    delivered: (...taken) => inner.delivered(...taken),
    requeue: (reports) => inner.requeue(reports),
    park(report, reason) {
      waiting = waiting.filter(({ id }) => id !== report.id);
      return inner.park(report, reason);
    },
    bury: (...report) => inner.bury(...report),
    unpark: () => inner.unpark(),
    retry: (ids) => inner.retry(ids),
    status: () => inner.status(),
    recover: async () => ({ reports: [], works: [], ...left }),
    works: {
      begin: async (work) => void outbox.begun.push(work),
      end: async (id) => void outbox.ended.push(id),
    },
  };
  return outbox;
}

function recovered(id: string, credits: number, more: Partial<RecoveredReport> = {}): RecoveredReport {
  const entry = { id, amount: credits * 1e6 };
  return { id, customerId: "alice", currency: "ai_credits", entry, delivered: false, ...more };
}

function queued(id: string, credits: number): OutboxReport {
  return { ...recovered(id, credits), agentId: "chat", indicator: "message", rawUsage: {} };
}

const orphan: OpenWork = {
  id: "work",
  customerId: "alice",
  currency: "ai_credits",
  agentId: "chat",
  indicator: "message",
  hold: 40e6,
};

async function unconfirmed({ gate }: Scene): Promise<number | undefined> {
  return (await gate.balance("alice"))?.unconfirmed;
}

describe("a gate on an outbox that an earlier process has left", () => {
  it("counts what is in it before its first decision", async () => {
    const it = createPrepaidScene(100, { outbox: durableOutbox({ reports: [recovered("a", 60)] }) });
    expect(outcome(await it.authorize(41))).toBe("insufficient_credits");
    expect(outcome(await it.authorize(40))).toBe("allowed");
    expect(await unconfirmed(it)).toBe(60);
  });

  it("waits for it, also when many ask at once", async () => {
    const read = pending<Recovery>();
    let asked = 0;
    const outbox = durableOutbox();
    outbox.recover = () => {
      asked++;
      return read.promise;
    };
    const it = createPrepaidScene(100, { outbox });
    const decisions = Promise.all([it.authorize(50), it.authorize(50), it.gate.balance("alice")]);
    await it.clock.advance(10);
    read.resolve({ reports: [recovered("a", 60)], works: [] });
    await it.clock.advance(1_000);
    const [first, second] = await decisions;
    expect([outcome(first), outcome(second)]).toEqual(["insufficient_credits", "insufficient_credits"]);
    expect(asked).toBe(1);
  });

  it("counts what was delivered shortly before for the whole lag again", async () => {
    const reports = [recovered("a", 60, { delivered: true })];
    const it = createPrepaidScene(100, {
      outbox: durableOutbox({ reports }),
      settlementLagMs: 10_000,
      ttlMs: 1,
    });
    await it.gate.flush();
    await it.clock.advance(9_999);
    await it.admit(1);
    await it.clock.advance(0);
    expect(await unconfirmed(it)).toBe(60);
    await it.clock.advance(250);
    await it.admit(1);
    await it.clock.advance(0);
    expect(await unconfirmed(it)).toBe(0);
  });

  it("keeps an entry until the last of the reports that share it", async () => {
    const entry = { id: "shared", amount: 60e6 };
    const reports = [recovered("a", 0, { entry, delivered: true }), recovered("b", 0, { entry })];
    const it = createPrepaidScene(100, { outbox: durableOutbox({ reports }), settlementLagMs: 0, ttlMs: 1 });
    await it.admit(1);
    await it.clock.advance(1_000);
    await it.admit(1);
    await it.clock.advance(0);
    expect(await unconfirmed(it)).toBe(60);
  });

  it("delivers what is queued without being told to, and acknowledges it", async () => {
    const outbox = durableOutbox({ reports: [recovered("a", 60)] }, [queued("a", 60)]);
    const it = createPrepaidScene(100, { outbox, settlementLagMs: 0, ttlMs: 1, minRefreshMs: 0 });
    await it.admit(1);
    await it.clock.advance(1);
    expect(it.service.reports).toMatchObject([{ key: "a" }]);
    await it.clock.advance(1);
    await it.admit(1);
    await it.clock.advance(1);
    expect(await unconfirmed(it)).toBe(0);
  });

  it("cannot tell while it cannot be read, says so, and tries again", async () => {
    const outbox = durableOutbox();
    let failures = 1;
    outbox.recover = async () => {
      if (failures-- > 0) throw new Error("disk error");
      return { reports: [recovered("a", 60)], works: [] };
    };
    const it = createPrepaidScene(100, { outbox });
    await it.clock.advance(0);
    expect(outcome(await it.authorize(1))).toBe("upstream_unavailable");
    expect(outcome(await it.authorize(1))).toBe("upstream_unavailable");
    expect(it.emitted("degraded")).toMatchObject([{ what: "recovery" }]);
    await it.clock.advance(250);
    expect(outcome(await it.authorize(50))).toBe("insufficient_credits");
  });

  it("tries again ever more slowly while it cannot be read, tells each time, and stops with the gate", async () => {
    const outbox = durableOutbox();
    let reads = 0;
    outbox.recover = async () => {
      reads++;
      throw new Error("disk error");
    };
    const it = createPrepaidScene(100, { outbox });
    const after: number[] = [];
    for (const ms of [0, 249, 1, 499, 1, 31_000]) {
      await it.clock.advance(ms);
      after.push(reads);
    }
    expect(after).toEqual([1, 1, 2, 2, 3, 8]);
    expect(it.emitted("degraded")).toHaveLength(8);
    expect(await it.gate.close({ graceMs: 0 })).toMatchObject({ queued: 0 });
    expect(it.timers()).toBe(0);
  });

  it("waits no longer for it than for a balance", async () => {
    const outbox = durableOutbox();
    outbox.recover = hangs;
    const it = createPrepaidScene(100, { outbox, checkTimeoutMs: 400 });
    const decision = it.authorize(1);
    await it.clock.advance(400);
    expect(outcome(await decision)).toBe("upstream_unavailable");
  });

  it("reads and delivers it without any request", async () => {
    const outbox = durableOutbox({ reports: [recovered("a", 60)] }, [queued("a", 60)]);
    const it = createPrepaidScene(100, { outbox });
    await it.clock.advance(0);
    expect(it.service.reports).toMatchObject([{ key: "a" }]);
    expect(await outbox.status()).toMatchObject({ queued: 0 });
  });

  it("harms no process whose client has no key yet, and begins when the gate is used", async () => {
    const outbox = durableOutbox({ reports: [recovered("a", 60)] }, [queued("a", 60)]);
    const service = createFakeService();
    service.fund("alice", { ai_credits: wallet({ available: 100 }) });
    const missing = new CreditgateError("invalid_option", "apiKey: expected a key");
    let key = false;
    const client = {
      ...service.client,
      fingerprint: () => (key ? Promise.resolve("a service") : Promise.reject(missing)),
    };
    const it = createScene({ outbox, client });
    await it.clock.advance(1_000_000);
    expect(it.emitted("degraded")).toEqual([]);
    expect(outcome(await it.authorize(1))).toBe("upstream_unavailable");
    expect(it.emitted("degraded")).toEqual([{ what: "balance", error: missing }]);
    key = true;
    expect(outcome(await it.authorize(41))).toBe("insufficient_credits");
    await it.clock.advance(0);
    expect(service.reports).toMatchObject([{ key: "a" }]);
  });
});

describe("gates on one wallet", () => {
  function twoGates(options: SceneOptions) {
    const registry = createRegistry();
    const first = createPrepaidScene(100, { registry, ...options });
    return { first, registry };
  }

  it("decide nothing before each of them has read what its outbox holds, from createGate on", async () => {
    const read = pending<Recovery>();
    const outbox = durableOutbox();
    outbox.recover = () => read.promise;
    const { first, registry } = twoGates({});
    await first.admit(1);
    // The wallet is known and can pay; what the second gate will find is not.
    createPrepaidScene(100, { registry, outbox });
    const decision = first.authorize(50);
    await first.clock.advance(0);
    expect(await Promise.race([decision, "waiting"])).toBe("waiting");
    read.resolve({ reports: [recovered("a", 60)], works: [] });
    await first.clock.advance(1_000);
    expect(outcome(await decision)).toBe("insufficient_credits");
  });

  it("answer 503 while it cannot be read, but for those on other wallets", async () => {
    const outbox = durableOutbox();
    outbox.recover = () => Promise.reject(new Error("disk error"));
    const { first, registry } = twoGates({});
    const second = createPrepaidScene(100, { registry, outbox });
    await second.clock.advance(0);
    expect(outcome(await first.authorize(1))).toBe("upstream_unavailable");
    expect(first.emitted("degraded"), "the gate whose outbox it is has told").toEqual([]);
    const elsewhere = createFakeService();
    elsewhere.fund("alice", { ai_credits: wallet({ available: 100 }) });
    const client = { ...elsewhere.client, fingerprint: async () => "another service" };
    expect(outcome(await createScene({ registry, client }).authorize(1))).toBe("allowed");
    await second.gate.close({ graceMs: 0 });
    expect(outcome(await first.authorize(1))).toBe("allowed");
  });

  it("do not wait for one whose client has no key", async () => {
    const { first, registry } = twoGates({});
    const fingerprint = () => Promise.reject(new CreditgateError("invalid_option", "apiKey: expected a key"));
    const client = { ...createFakeService().client, fingerprint };
    createScene({ registry, client, outbox: durableOutbox() });
    await first.clock.advance(0);
    expect(outcome(await first.authorize(1))).toBe("allowed");
    expect(registry.recoveries?.none, "nothing slows them down").toBe(true);
  });
});

describe("a report that was on its way when its process ended", () => {
  const left = (more: Partial<Recovery> = {}) =>
    durableOutbox({ reports: [recovered("a", 60)], sent: [queued("a", 60)], ...more }, [queued("a", 60)]);

  it.each(["auto", "park"] as const)(
    "is not sent again where that could bill it twice: parked and told, with ambiguous: %s",
    async (ambiguous) => {
      const it = createPrepaidScene(100, { outbox: left(), ambiguous });
      await it.clock.advance(100_000);
      expect(it.service.reports).toEqual([]);
      expect(it.emitted("parked")).toMatchObject([{ report: { id: "a" }, error: expect.any(Error) }]);
      expect(await it.gate.flush()).toEqual({ queued: 0, parked: 1, dead: 0 });
      expect(outcome(await it.authorize(40))).toBe("allowed");
      expect(await unconfirmed(it), "it may have cost what it may have cost").toBe(60);
    },
  );

  it("counts once, also where the outbox does not take at first that it is parked", async () => {
    const outbox = left();
    const { park } = outbox;
    let failures = 1;
    outbox.park = (...parked) => {
      if (failures-- > 0) throw new Error("disk full");
      return park(...parked);
    };
    const it = createPrepaidScene(100, { outbox });
    await it.clock.advance(1_000);
    expect(it.emitted("degraded")).toMatchObject([{ what: "recovery" }]);
    expect(outcome(await it.authorize(40))).toBe("allowed");
    expect(await unconfirmed(it)).toBe(60);
  });

  it("is sent with its key as soon as the service is known to honour keys", async () => {
    const it = createPrepaidScene(100, { outbox: left() });
    const charge = await it.admit(1);
    charge.report({ model: "b" }, { credits: 1 });
    await charge.settle();
    await it.clock.advance(0);
    expect(it.service.reports.map(({ key }) => key)).toEqual([expect.any(String), "a"]);
  });

  it("is sent as soon as another gate on the service and key has seen that keys are honoured", async () => {
    const registry = createRegistry();
    const it = createPrepaidScene(100, { registry, outbox: left() });
    const other = createPrepaidScene(100, { registry });
    await it.clock.advance(0);
    expect(it.emitted("parked")).toHaveLength(1);
    const charge = await other.admit(1);
    charge.report({ model: "b" }, { credits: 1 });
    await charge.settle();
    await it.clock.advance(0);
    expect(it.service.reports).toMatchObject([{ key: "a" }]);
    expect(await it.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
  });

  it("is not parked where another gate on the service and key has seen that before", async () => {
    const registry = createRegistry();
    const other = createPrepaidScene(100, { registry });
    const charge = await other.admit(1);
    charge.report({ model: "b" }, { credits: 1 });
    await charge.settle();
    await other.clock.advance(0);
    const it = createPrepaidScene(100, { registry, outbox: left() });
    await it.clock.advance(0);
    expect(it.emitted("parked")).toEqual([]);
    expect(it.service.reports).toMatchObject([{ key: "a" }]);
  });

  it("is sent again where the earlier process knew that this service honours keys", async () => {
    const it = createPrepaidScene(100, { outbox: left({ keysHonouredBy: "a service" }) });
    await it.clock.advance(0);
    expect(it.service.reports).toMatchObject([{ key: "a" }]);
    const other = createPrepaidScene(100, { outbox: left({ keysHonouredBy: "another service" }) });
    await other.clock.advance(0);
    expect(other.service.reports).toEqual([]);
  });

  it("is sent again with ambiguous: retry", async () => {
    const it = createPrepaidScene(100, { outbox: left(), ambiguous: "retry" });
    await it.clock.advance(0);
    expect(it.service.reports).toMatchObject([{ key: "a" }]);
  });
});

describe("a lasting outbox", () => {
  const left: Recovery = { reports: [recovered("a", 1)], works: [], sent: [queued("a", 1)] };

  /** Writes down what the outbox and the service are told, in order. */
  function journal(options: SceneOptions = {}, inner = durableOutbox()) {
    const heard: string[] = [];
    const outbox = {
      ...inner,
      sendings: {
        begin: async (ids: readonly string[]) => void heard.push(`begin ${ids.length}`),
        end: async (ids: readonly string[]) => void heard.push(`end ${ids.length}`),
        keysHonoured: async (service: string) => void heard.push(`keys honoured by ${service}`),
      },
    };
    const scene = createPrepaidScene(100, { outbox, ...options });
    scene.service.onUsage = async ({ key }) => {
      heard.push("sent");
      return answer({}, key);
    };
    const work = async (pieces: number) => {
      const charges = await Promise.all(Array.from({ length: pieces }, () => scene.admit(1)));
      for (const charge of charges) charge.report({});
      await Promise.all(charges.map((charge) => charge.settle()));
      await scene.clock.advance(0);
    };
    return { ...scene, outbox, heard, work };
  }

  it("hears what is sent before it is sent, until the service is known to honour keys, which it remembers", async () => {
    const it = journal();
    await it.work(1);
    expect(it.heard).toEqual(["begin 1", "sent", "keys honoured by a service"]);
    await it.work(2);
    expect(it.heard.slice(3)).toEqual(["sent", "sent"]);
  });

  it("is told again that the service honours keys where that could not be written, and lets go what is parked", async () => {
    const it = journal({}, durableOutbox(left, [queued("a", 1)]));
    const { keysHonoured } = it.outbox.sendings;
    it.outbox.sendings.keysHonoured = () => {
      it.outbox.sendings.keysHonoured = keysHonoured;
      return Promise.reject(new Error("the disk is full"));
    };
    const unpark = vi.spyOn(it.outbox, "unpark");
    await it.work(1);
    await it.clock.advance(1_000);
    expect(it.heard).toEqual(["begin 1", "sent", "keys honoured by a service", "sent"]);
    expect(unpark).toHaveBeenCalledOnce();
    expect(await it.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
  });

  it("hears it each time with ambiguous: park, of all that leave together at once, and never with retry", async () => {
    const park = journal({ ambiguous: "park", concurrency: 2 });
    await park.work(1);
    await park.work(1);
    expect(park.heard.filter((what) => what === "begin 1")).toHaveLength(2);
    const retry = journal({ ambiguous: "retry" });
    await retry.work(1);
    expect(retry.heard).toEqual(["sent", "keys honoured by a service"]);
  });

  it("hears at once that a report was not processed, and before it is sent again", async () => {
    const it = journal();
    it.service.onUsage = () => Promise.reject(status(503));
    await it.work(1);
    expect(it.heard).toEqual(["begin 1", "end 1"]);
    await it.clock.advance(250);
    expect(it.heard).toEqual(["begin 1", "end 1", "begin 1", "end 1"]);
  });

  it("is asked again while it cannot write that down, and nothing is sent before", async () => {
    const it = journal();
    let failures = 2;
    const { begin } = it.outbox.sendings;
    it.outbox.sendings.begin = async (ids) => {
      if (failures-- > 0) throw new Error("disk full");
      await begin(ids);
    };
    await it.work(1);
    expect(it.heard).toEqual([]);
    expect(await unconfirmed(it)).toBe(1);
    await it.clock.advance(1_000);
    expect(it.heard).toEqual(["begin 1", "sent", "keys honoured by a service"]);
  });

  it("hears that nothing was sent after all, when the gate closes meanwhile", async () => {
    const it = journal();
    const written = pending<undefined>();
    it.outbox.sendings.begin = () => written.promise;
    const requeue = vi.spyOn(it.outbox, "requeue");
    await it.work(1);
    const closed = it.gate.close({ graceMs: 0 });
    await it.clock.advance(0);
    expect(await closed).toMatchObject({ queued: 1 });
    written.resolve(undefined);
    await it.clock.advance(0);
    expect(it.heard).toEqual([]);
    expect(requeue).toHaveBeenCalledOnce();
  });
});

describe("durableHolds", () => {
  function durable(outbox: Outbox, options: Parameters<typeof createPrepaidScene>[1] = {}): Scene {
    return createPrepaidScene(100, { outbox, durableHolds: true, ...options });
  }

  it("writes the hold before the work begins, and ends it with the bill", async () => {
    const outbox = durableOutbox();
    const it = durable(outbox);
    const charge = await it.admit(40);
    expect(outbox.begun).toMatchObject([{ customerId: "alice", agentId: "chat", hold: 40e6 }]);
    charge.report({ model: "a" });
    await charge.settle();
    expect(outbox.billed).toEqual([outbox.begun[0]?.id]);
    charge.report({ model: "late" });
    await it.clock.advance(0);
    expect(outbox.billed).toEqual([outbox.begun[0]?.id, undefined]);
  });

  it("ends it with a pause, and what goes on is work of its own: its bill has another key", async () => {
    const outbox = durableOutbox();
    const it = durable(outbox);
    const charge = await it.admit(40);
    charge.report({ model: "a" }, { credits: 3 });
    expect(await pause(charge, 20)).toEqual({ allowed: true });
    const [first, second] = outbox.begun;
    expect(outbox.billed).toEqual([first?.id]);
    expect(second).toMatchObject({ customerId: "alice", hold: 20e6 });
    expect(second?.id).not.toBe(first?.id);
    charge.report({ model: "b" });
    await charge.settle();
    await it.clock.advance(0);
    expect(outbox.billed).toEqual([first?.id, second?.id]);
    expect(it.service.reports.map(({ key }) => key)).toEqual([first?.id, second?.id]);
    const free = await it.admit(10);
    await pause(free, 5);
    expect(outbox.ended).toEqual([outbox.begun[2]?.id]);
  });

  it("ends it for work that cost nothing before the hold goes back, and tries until that is written", async () => {
    const outbox = durableOutbox();
    let failures = 2;
    const works: Outbox["works"] = {
      begin: async () => {},
      async end(id) {
        if (failures-- > 0) throw new Error("disk full");
        outbox.ended.push(id);
      },
    };
    const it = durable({ ...outbox, works }, { random: () => 0.5 });
    const charge = await it.admit(40);
    charge.release();
    // Twice as long after the second failure, and of both a share by chance.
    await it.clock.advance(50 + 99);
    expect(await it.gate.balance("alice")).toMatchObject({ held: 40 });
    await it.clock.advance(1);
    expect(outbox.ended).toHaveLength(1);
    expect(await it.gate.balance("alice")).toMatchObject({ held: 0 });
  });

  it("writes nothing for a denial", async () => {
    const outbox = durableOutbox();
    await durable(outbox).authorize(101);
    expect(outbox.begun).toEqual([]);
  });

  it("admits nothing whose hold cannot be written", async () => {
    const works = { begin: () => Promise.reject(new Error("disk full")), end: async () => {} };
    const it = durable({ ...durableOutbox(), works });
    expect(outcome(await it.authorize(40))).toBe("outbox_unavailable");
    expect(await it.gate.balance("alice")).toMatchObject({ held: 0 });
    expect(it.emitted("degraded")).toMatchObject([{ what: "outbox" }]);
  });

  it("takes back what was being written when the gate closed", async () => {
    const outbox = durableOutbox();
    const begun = pending<void>();
    const it = durable({ ...outbox, works: { ...outbox.works, begin: () => begun.promise } });
    const decision = it.authorize(40);
    await it.clock.advance(0);
    const closed = it.gate.close();
    begun.resolve();
    expect(outcome(await decision)).toBe("closing");
    await closed;
    expect(outbox.ended).toHaveLength(1);
  });

  it.each([
    ["review", 60, [], []],
    ["none", 100, ["work"], []],
    ["default", 60, [], ["work"]],
  ] as const)("onOrphan: %s", async (onOrphan, left, ended, billed) => {
    const outbox = durableOutbox({ works: [orphan] });
    const it = durable(outbox, { onOrphan, defaultUsage: { outputTokens: 7 } });
    expect(outcome(await it.authorize(left + 1))).toBe("insufficient_credits");
    expect(outcome(await it.authorize(left))).toBe("allowed");
    expect(outbox.ended).toEqual(ended);
    expect(outbox.billed).toEqual(billed);
    expect(it.emitted("orphan")).toEqual([{ work: orphan, policy: onOrphan }]);
    const sent = { key: "work", customerId: "alice", indicator: "message", rawUsage: { outputTokens: 7 } };
    await it.clock.advance(0);
    expect(it.service.reports).toMatchObject(billed.map(() => sent));
  });

  it.each([
    ["outbox", { durableHolds: true }],
    ["outbox", { durableHolds: true, outbox: createMemoryOutbox() }],
    ["defaultUsage", { onOrphan: "default" }],
    ["onOrphan", { onOrphan: "guess" as never }],
  ] as const)("refuses a bad %s", (option, options) => {
    expect(() => createPrepaidScene(1, options)).toThrow(`${option}: expected`);
  });
});
