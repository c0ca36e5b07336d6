import { MemoryOutboxStore, type OutboxOnTrial, testOutbox, testOutboxStore } from "@creditgate/conformance";
import type { OutboxReport } from "@creditgate/core";
import type { NotedReservation } from "@creditgate/core/adapter";
import { createManualClock } from "@creditgate/core/testing";
import { createFleetOutbox, type FleetOutbox, type OutboxStore } from "@creditgate/fleet";
import { describe, expect, it } from "vitest";

const abandonMs = 60_000;

function trial(): OutboxOnTrial {
  const clock = createManualClock();
  const store = new MemoryOutboxStore(() => clock.now());
  const start = () => createFleetOutbox(store, { process: "one", maxReports: 5, clock });
  return { outbox: start(), maxReports: 5, crash: start, advance: clock.advance };
}

testOutbox("a fleet's, in a store in memory", { create: trial, durable: true }, { describe, it });

testOutboxStore(
  "in memory",
  {
    create() {
      const clock = createManualClock();
      return { store: new MemoryOutboxStore(() => clock.now()), advance: clock.advance };
    },
  },
  { describe, it },
);

function report(id: string, entry = { id, amount: 7 }): OutboxReport {
  return {
    id,
    customerId: "ada",
    agentId: "chat",
    indicator: "message",
    rawUsage: { model: "m" },
    currency: "credits",
    entry,
  };
}

function reservation(process: string): NotedReservation {
  return { account: "ada's account", process, service: "s", customerId: "ada", currency: "credits" };
}

/** A store whose answers can be lost, and the outboxes of its processes. */
function fleet() {
  const clock = createManualClock();
  const memory = new MemoryOutboxStore(() => clock.now());
  const faults = { lost: 0, refused: 0, steps: 0 };
  const flaky = async <T>(step: () => Promise<T>): Promise<T> => {
    if (faults.refused > 0) {
      faults.refused--;
      throw new Error("the store is away");
    }
    const answer = await step();
    if (faults.lost === 0) return answer;
    faults.lost--;
    throw new Error("the answer was lost");
  };
  const store: OutboxStore = {
    heartbeat: (heartbeat) => flaky(() => memory.heartbeat(heartbeat)),
    write(step) {
      faults.steps++;
      return flaky(() => memory.write(step));
    },
    read: (...place) => flaky(() => memory.read(...place)),
    takeRequests: (process) => memory.takeRequests(process),
    list: (after) => memory.list(after),
    request: (requests) => memory.request(requests),
  };
  const start = async (process?: string) => {
    const outbox = createFleetOutbox(store, { process, abandonMs, clock });
    await outbox.recover(0);
    return outbox;
  };
  /** Time passes, and these processes are alive. */
  const pass = async (ms: number, ...alive: readonly FleetOutbox[]) => {
    for (let rest = ms; rest > 0; rest -= 10_000) {
      await clock.advance(Math.min(rest, 10_000));
      for (const outbox of alive) await outbox.fleet.heartbeat(0);
    }
  };
  return { memory, faults, start, pass, clock };
}

async function file(outbox: FleetOutbox, ...ids: readonly string[]): Promise<void> {
  const reports = ids.map((id) => report(id));
  await outbox.append(reports);
  outbox.release(reports);
}

const ids = (reports: readonly { readonly id: string }[]) => reports.map(({ id }) => id);
const waiting = async (outbox: FleetOutbox) => ids(await outbox.next(1_000));

describe("createFleetOutbox", () => {
  it.each([
    ["process", { process: "" }],
    ["maxReports", { maxReports: 0 }],
    ["maxBytes", { maxBytes: 0.5 }],
    ["abandonMs", { abandonMs: 999 }],
    ["clock", { clock: {} }],
    ["maxReport", { maxReport: 1 }],
  ])("refuses a bad %s", (option, options) => {
    const store = new MemoryOutboxStore(() => 0);
    expect(() => createFleetOutbox(store, options as object)).toThrow(
      expect.objectContaining({ code: "invalid_option", message: expect.stringContaining(`${option}:`) }),
    );
  });

  it("writes what comes at once in one step, and what comes meanwhile in the next", async () => {
    const { faults, start } = fleet();
    const outbox = await start();
    await Promise.all(Array.from({ length: 100 }, (_, at) => outbox.append([report(`r${at}`)])));
    expect(faults.steps).toBe(1);
    expect(await outbox.status()).toEqual({ queued: 100, parked: 0, dead: 0 });
  });

  it("is full at its bound of bytes, and fails while the store is away, until it is known to be back", async () => {
    const { faults, start, pass, memory } = fleet();
    const outbox = await start();
    faults.refused = 1;
    await expect(outbox.append([report("a")])).rejects.toThrow("the store is away");
    expect([outbox.failing, outbox.full]).toEqual([true, false]);
    await pass(10_000, outbox);
    expect(outbox.failing).toBe(false);
    const small = createFleetOutbox(memory, { maxBytes: 10 });
    await small.append([report("b")]);
    expect(small.full).toBe(true);
    await small.bury(report("b"), "422");
    expect([small.full, small.fullOfDead]).toEqual([false, true]);
    await small.retry(["b"]);
    await small.delivered([report("b")], 0, []);
    expect([small.full, small.fullOfDead]).toEqual([false, false]);
  });

  it("has a report once whose append lost its answer, whether or not it is appended again", async () => {
    const { faults, start } = fleet();
    const first = await start("one");
    faults.lost = 1;
    await expect(first.append([report("a")])).rejects.toThrow("the answer was lost");
    await first.append([report("a")]);
    first.release([report("a")]);
    faults.lost = 1;
    await expect(first.append([report("b")])).rejects.toThrow("the answer was lost");
    await file(first, "c");
    expect(await waiting(first)).toEqual(["a", "c"]);
    expect(await waiting(await start("one"))).toEqual(["a", "b", "c"]);
  });

  it("leaves to a living process what it has", async () => {
    const { start, pass } = fleet();
    const [one, two] = [await start(), await start()];
    await file(one, "a");
    await pass(3 * abandonMs, one, two);
    expect(await two.fleet.heartbeat(0)).toMatchObject({ reports: [], lost: [] });
    expect(await waiting(two)).toEqual([]);
    expect(await waiting(one)).toEqual(["a"]);
  });

  it("takes over what a process has left that is silent, and hands it out once the ledger has it", async () => {
    const { start, pass } = fleet();
    const [dead, two] = [await start(), await start()];
    await file(dead, "a", "b", "c", "d");
    await dead.reservations.begin(reservation("the ledger of the dead"));
    await dead.park(report("b"), "reset");
    await dead.delivered([report("c")], 1_000, []);
    await dead.sendings.begin(["d"]);
    await dead.works.begin({ ...report("work"), hold: 3 });
    await pass(abandonMs - 10_000, two);
    expect((await two.fleet.heartbeat(1_000)).reports).toEqual([]);
    await pass(10_000);
    const found = await two.fleet.heartbeat(1_000);
    expect(found.reports.map(({ id, delivered }) => [id, delivered])).toEqual([
      ["a", false],
      ["b", false],
      ["c", true],
      ["d", false],
    ]);
    expect(found).toMatchObject({
      works: [{ id: "work", hold: 3 }],
      sent: [{ id: "d" }],
      reservations: [reservation("the ledger of the dead")],
      lost: [],
    });
    expect(await waiting(two)).toEqual([]);
    // What the ledger has not taken is given again.
    expect((await two.fleet.heartbeat(1_000)).reports).toHaveLength(4);
    two.fleet.entered();
    await two.reservations.end("ada's account", ["the ledger of the dead"]);
    expect(await two.fleet.heartbeat(1_000)).toMatchObject({ reports: [], works: [], reservations: [] });
    expect(await waiting(two)).toEqual(["a", "d"]);
    expect(await two.status()).toEqual({ queued: 2, parked: 1, dead: 0 });
  });

  it("lets one of many take over what is left, and a third what that one leaves", async () => {
    const { start, pass } = fleet();
    const [one, two, three] = [await start(), await start(), await start()];
    await file(one, "a");
    await one.reservations.begin(reservation("ledger one"));
    await two.reservations.begin(reservation("ledger two"));
    await pass(abandonMs, two, three);
    const taken = [await two.fleet.heartbeat(0), await three.fleet.heartbeat(0)].map(
      ({ reports }) => reports.length,
    );
    expect(taken).toEqual([1, 0]);
    // It dies before its ledger has them.
    await pass(abandonMs, three);
    const found = await three.fleet.heartbeat(0);
    expect(ids(found.reports)).toEqual(["a"]);
    expect(found.reservations).toEqual([reservation("ledger one"), reservation("ledger two")]);
  });

  it("finds none gone after the store was away for all of them", async () => {
    const { start, pass } = fleet();
    const [one, two] = [await start(), await start()];
    await file(one, "a");
    await pass(10 * abandonMs);
    expect((await two.fleet.heartbeat(0)).reports).toEqual([]);
    const fresh = await start();
    expect(await waiting(fresh)).toEqual([]);
    await pass(abandonMs - 10_000, one, two, fresh);
    expect(await waiting(one)).toEqual(["a"]);
  });

  it("takes over at once what a process left that was closed, and what its namesake before it left", async () => {
    const { start } = fleet();
    const [closed, crashed, other] = [await start(), await start("web-1"), await start()];
    await file(closed, "a");
    await file(crashed, "b");
    await closed.close();
    expect(ids((await other.fleet.heartbeat(0)).reports)).toEqual(["a"]);
    expect(await waiting(await start("web-1"))).toEqual(["b"]);
    await expect(closed.append([report("c")])).rejects.toThrow("closed");
  });

  it("tells one that wakes too late what another has, sends none of it, and goes on with what is new", async () => {
    const { start, pass } = fleet();
    const [sleeper, two] = [await start("web-1"), await start()];
    await file(sleeper, "a", "b");
    expect(ids(await sleeper.next(1))).toEqual(["a"]);
    await sleeper.reservations.begin(reservation("the ledger of the sleeper"));
    await pass(abandonMs, two);
    expect(ids((await two.fleet.heartbeat(0)).reports)).toEqual(["a", "b"]);
    two.fleet.entered();
    await two.reservations.end("ada's account", ["the ledger of the sleeper"]);
    await file(sleeper, "c");
    expect(await waiting(sleeper)).toEqual(["c"]);
    await expect(sleeper.sendings.begin(["a"])).rejects.toThrow("another process has taken over 1 reports");
    const { lost } = await sleeper.fleet.heartbeat(0);
    expect(lost).toEqual(["a", "b"]);
    expect((await sleeper.fleet.heartbeat(0)).lost).toEqual([]);
    await expect(sleeper.sendings.begin(["b"])).rejects.toThrow("another process");
    await sleeper.delivered([report("a")], 0, []);
    await sleeper.requeue([report("a")]);
    expect(await waiting(sleeper)).toEqual([]);
    expect(await waiting(two)).toEqual(["a", "b"]);
    // Its ledger is in use again: who takes over what is new must know.
    await pass(abandonMs, two);
    expect((await two.fleet.heartbeat(0)).reservations).toEqual([reservation("the ledger of the sleeper")]);
  });

  it("writes everything anew into a store that has lost its memory", async () => {
    const { memory, faults, start } = fleet();
    const outbox = await start("one");
    await file(outbox, "a", "b", "c", "d");
    await outbox.reservations.begin(reservation("the ledger"));
    await outbox.works.begin({ ...report("work"), hold: 3 });
    await outbox.park(report("b"), "reset");
    await outbox.delivered([report("c")], 1_000, []);
    memory.restore();
    faults.lost = 2;
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(outbox.fleet.heartbeat(0)).rejects.toThrow("lost");
    await outbox.fleet.heartbeat(0);
    const next = await start("one");
    const found = await next.recover(1_000);
    expect(found.reports.map(({ id, delivered }) => [id, delivered])).toEqual([
      ["a", false],
      ["b", false],
      ["c", true],
      ["d", false],
    ]);
    expect(found).toMatchObject({ works: [{ id: "work" }], reservations: [reservation("the ledger")] });
    expect(await next.status()).toEqual({ queued: 2, parked: 1, dead: 0 });
  });

  it("brings a store that went back to an older state to what it was", async () => {
    const { memory, start, pass } = fleet();
    const [dead, outbox] = [await start(), await start("one")];
    await file(dead, "of the dead");
    await file(outbox, "a", "b");
    await pass(abandonMs, outbox);
    await outbox.fleet.heartbeat(0);
    outbox.fleet.entered();
    const image = memory.image();
    await outbox.delivered([report("a"), report("of the dead")], 0, []);
    await file(outbox, "c");
    memory.restore(image);
    await file(outbox, "d");
    expect(await waiting(await start("one"))).toEqual(["b", "c", "d"]);
    const other = await start();
    await pass(abandonMs, other);
    const { reports } = await other.fleet.heartbeat(0);
    expect(ids(reports.filter(({ delivered }) => !delivered))).toEqual(["b", "c", "d"]);
  });

  it("leaves nothing of what it has taken over and delivered", async () => {
    const { memory, start, pass } = fleet();
    const [dead, outbox] = [await start(), await start()];
    await file(dead, "a");
    await pass(abandonMs, outbox);
    await outbox.fleet.heartbeat(0);
    outbox.fleet.entered();
    await outbox.delivered([report("a")], 0, []);
    await file(outbox, "b");
    for (let heartbeat = 0; heartbeat < 2; heartbeat++) await outbox.fleet.heartbeat(0);
    const { lanes, rows } = memory.image();
    expect(lanes.size).toBe(1);
    expect(rows.size).toBe(1);
  });

  it("does not retire a ledger that a living process has begun too", async () => {
    const { start, pass } = fleet();
    const [first, second, other] = [await start(), await start(), await start()];
    await first.reservations.begin(reservation("of their process"));
    await second.reservations.begin(reservation("of their process"));
    await first.close();
    expect((await other.fleet.heartbeat(0)).reservations).toEqual([]);
    await pass(abandonMs, other);
    expect((await other.fleet.heartbeat(0)).reservations).toEqual([reservation("of their process")]);
  });
});
