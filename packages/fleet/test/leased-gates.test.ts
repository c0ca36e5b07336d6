import {
  createGate,
  createMemoryOutbox,
  createRegistry,
  type Gate,
  type GateOptions,
  type Outbox,
} from "@creditgate/core";
import type { Account, NotedReservation, RecoveredReport } from "@creditgate/core/adapter";
import { createManualClock, type ManualClock, microtasks } from "@creditgate/core/testing";
import {
  createAccountState,
  createLeasedLedger,
  createMemoryStore,
  exchange,
  type LeasedLedgerOptions,
  type SharedStore,
  type SyncRequest,
  type SyncResponse,
} from "@creditgate/fleet";
import { afterEach, describe, expect, it } from "vitest";
import { createFakeService, type FakeService, outcome, wallet } from "../../core/test/service.ts";

const lagMs = 1_000;

/** A store that counts its syncs, may fail or be silent, and may be restarted. */
class TestStore implements SharedStore {
  readonly #clock: ManualClock;
  readonly #accounts = new Map<string, ReturnType<typeof createAccountState>>();
  #epoch = { epoch: "1", born: Number.MIN_SAFE_INTEGER };
  readonly timeoutMs = 1_000;
  syncs = 0;
  behaviour: "answers" | "fails" | "is silent" | "loses answers" = "answers";

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  restart(): void {
    this.#epoch = { epoch: `${this.#epoch.epoch}+`, born: this.#clock.now() };
  }

  async exchange(account: string, request: SyncRequest): Promise<SyncResponse> {
    this.syncs++;
    if (this.behaviour === "is silent") return new Promise(() => {});
    if (this.behaviour === "fails") throw new Error("the store is down");
    const state = this.#accounts.get(account) ?? createAccountState();
    this.#accounts.set(account, state);
    const answer = exchange(state, request, { clock: Math.floor(this.#clock.now()), ...this.#epoch });
    if (this.behaviour === "loses answers") throw new Error("the answer was lost");
    return answer;
  }

  /** What is outstanding in all, by account: reservations and usage. */
  get out(): number {
    let out = 0;
    for (const account of this.#accounts.values()) out += account.out;
    return out;
  }
}

/** What tells a gate from the others of its process. */
interface GatePart {
  readonly currency?: string;
  readonly outbox?: Outbox | undefined;
}

/** Gates of several processes on one store, one service and one clock. */
class Fleet {
  readonly clock = createManualClock();
  readonly store = new TestStore(this.clock);
  readonly service: FakeService = createFakeService();
  readonly gates: Gate[] = [];
  readonly #dead = new Set<Gate>();

  constructor(credits: number) {
    this.fund(credits);
    this.service.onUsage = async ({ key }) => ({ status: 200, body: {}, idempotencyKey: key });
  }

  fund(credits: number): void {
    const figures = wallet({ available: credits });
    this.service.fund("alice", { ai_credits: figures, voice_credits: figures });
  }

  /** From here on nothing of this process is heard. */
  kill(gate: Gate): void {
    this.#dead.add(gate);
    this.gates.splice(this.gates.indexOf(gate), 1);
  }

  start({ outbox, ...lease }: LeasedLedgerOptions & { readonly outbox?: Outbox } = {}): Gate {
    return this.startProcess([{ outbox }], lease)[0];
  }

  /** A process with a gate for each of these, all on one ledger. It is dead when the first of them is killed. */
  startProcess(
    parts: readonly [GatePart, ...GatePart[]],
    lease: LeasedLedgerOptions = {},
  ): [Gate, ...Gate[]] {
    const { clock, service } = this;
    const registry = createRegistry();
    const store: SharedStore = {
      exchange: (account, request) =>
        this.#dead.has(first) ? new Promise(() => {}) : this.store.exchange(account, request),
    };
    const ledger = createLeasedLedger(store, { clock, ...lease });
    const create = ({ currency = "ai_credits", outbox }: GatePart): Gate =>
      this.#create({ client: service.client, registry, ledger, clock, currency, outbox });
    const [one, ...others] = parts;
    const first: Gate = create(one);
    return [first, ...others.map(create)];
  }

  #create(
    options: Pick<GateOptions, "client" | "registry" | "ledger" | "clock" | "currency" | "outbox">,
  ): Gate {
    const gate = createGate({
      ...options,
      wallet: "prepaid",
      settlementLagMs: lagMs,
      minRefreshMs: 0,
      lagWatch: false,
      logger: false,
      actionTimeoutMs: 0,
    } as GateOptions);
    this.gates.push(gate);
    return gate;
  }

  /** What becomes of the promise, while the clock goes on. */
  async during<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const settle = () => {
      isSettled = true;
    };
    promise.then(settle, settle);
    for (let turn = 0; turn < 1_000 && !isSettled; turn++) await this.clock.advance(10);
    return promise;
  }

  ask(gate: Gate, hold: number) {
    const request = { customerId: "alice", agentId: "chat", indicator: "message", hold };
    return this.during(gate.authorize(request));
  }

  async admit(gate: Gate, hold: number) {
    const decision = await this.ask(gate, hold);
    if (!decision.allowed) throw new Error(`denied: ${decision.denial.code}`);
    return decision.charge;
  }

  /** Pieces of work of this size that the gate admits, of so many. */
  async admitted(gate: Gate, hold: number, tries: number): Promise<number> {
    let admitted = 0;
    for (let turn = 0; turn < tries; turn++) if ((await this.ask(gate, hold)).allowed) admitted++;
    return admitted;
  }
}

let fleet: Fleet;

afterEach(async () => {
  await fleet.during(Promise.all(fleet.gates.map((gate) => gate.close({ graceMs: 0 }))));
});

describe.each([true, false])("gates of several processes on one store, leases: %s", (leases) => {
  it("admit together what the wallet can pay, and no more", async () => {
    fleet = new Fleet(100);
    const gates = [1, 2, 3].map(() => fleet.start({ leases }));
    let admitted = 0;
    for (let turn = 0; turn < 20; turn++)
      for (const gate of gates) admitted += await fleet.admitted(gate, 7, 1);
    expect(admitted).toBe(14);
  });

  it("deny with 402 what the wallet cannot pay, on news that one of them has read", async () => {
    fleet = new Fleet(10);
    const [one, two] = [fleet.start({ leases }), fleet.start({ leases })];
    await fleet.admit(one, 6);
    const asked = fleet.service.balanceRequests.length;
    const decision = await fleet.ask(two, 5);
    expect(decision).toMatchObject({
      allowed: false,
      denial: { status: 402, code: "insufficient_credits", available: 4 },
    });
    expect(fleet.service.balanceRequests.length).toBe(asked + 1);
  });

  it("let in at once who has just paid", async () => {
    fleet = new Fleet(10);
    const [one, two] = [fleet.start({ leases }), fleet.start({ leases })];
    await fleet.admit(one, 10);
    expect(outcome(await fleet.ask(two, 5))).toBe("insufficient_credits");
    fleet.fund(20);
    expect(outcome(await fleet.ask(two, 5))).toBe("allowed");
  });

  it("count what one of them has billed until the balance shows it", async () => {
    fleet = new Fleet(10);
    const [one, two] = [fleet.start({ leases }), fleet.start({ leases })];
    const charge = await fleet.admit(one, 6);
    charge.report({ inputTokens: 1 });
    await charge.settle();
    await fleet.clock.advance(300);
    expect(fleet.service.reports).toHaveLength(1);
    expect(outcome(await fleet.ask(two, 5))).toBe("insufficient_credits");
    fleet.fund(4);
    await fleet.clock.advance(lagMs + 200);
    expect(outcome(await fleet.ask(two, 5))).toBe("insufficient_credits");
    expect(outcome(await fleet.ask(two, 4))).toBe("allowed");
  });
});

describe.each([true, false])("what work leaves of its hold, leases: %s", (leases) => {
  it.each(["settles", "fails"])("is there for another process a moment after it %s", async (end) => {
    fleet = new Fleet(10);
    const [one, two] = [fleet.start({ leases }), fleet.start({ leases })];
    for (let turn = 0; turn < 6; turn++) {
      const [busy, next] = turn % 2 === 0 ? [one, two] : [two, one];
      const charge = await fleet.admit(busy, 9);
      expect(outcome(await fleet.ask(next, 9))).toBe("insufficient_credits");
      if (end === "fails") charge.release();
      else charge.report({ model: "m" }, { credits: 0.1 });
      await charge.settle();
      await fleet.clock.advance(10);
    }
  });
});

describe("a gate on a leased ledger", () => {
  it("decides most requests in memory", async () => {
    fleet = new Fleet(1_000_000);
    const gate = fleet.start();
    await fleet.admit(gate, 7);
    await fleet.clock.advance(250);
    fleet.store.syncs = 0;
    for (let turn = 0; turn < 300; turn++) await fleet.ask(gate, 7);
    const seconds = 3;
    expect(fleet.store.syncs).toBeLessThan(20 * seconds);
  });

  it("gives back what it does not use when its traffic stops", async () => {
    fleet = new Fleet(1_000);
    const [one, two] = [fleet.start(), fleet.start()];
    for (let turn = 0; turn < 10; turn++) {
      const charge = await fleet.admit(one, 10);
      await charge.settle();
    }
    expect(fleet.store.out).toBeGreaterThan(0);
    await fleet.clock.advance(1_000);
    expect(fleet.store.out).toBe(0);
    expect(outcome(await fleet.ask(two, 1_000))).toBe("allowed");
  });

  it("gives back to another process what that one needs", async () => {
    fleet = new Fleet(1_000);
    const [one, two] = [fleet.start(), fleet.start()];
    for (let turn = 0; turn < 15; turn++) await fleet.admit(one, 10);
    const before = fleet.clock.now();
    expect(outcome(await fleet.ask(two, 850))).toBe("allowed");
    expect(fleet.clock.now() - before).toBeLessThan(300);
  });

  it("answers 503 while the store does not, and admits again when it does", async () => {
    fleet = new Fleet(1_000);
    const gate = fleet.start();
    await fleet.admit(gate, 10);
    for (const behaviour of ["fails", "is silent", "loses answers"] as const) {
      fleet.store.behaviour = behaviour;
      await fleet.clock.advance(3_000);
      expect(outcome(await fleet.ask(gate, 10))).toBe("ledger_unavailable");
      fleet.store.behaviour = "answers";
      await fleet.clock.advance(2_000);
      expect(outcome(await fleet.ask(gate, 10))).toBe("allowed");
    }
  });

  it("answers 503 through the quarantine of a restarted store, and then admits what is left", async () => {
    fleet = new Fleet(100);
    const [one, two] = [fleet.start(), fleet.start()];
    await fleet.admit(one, 60);
    fleet.store.restart();
    expect(outcome(await fleet.ask(two, 10))).toBe("ledger_unavailable");
    await fleet.clock.advance(3_000 + lagMs);
    expect(outcome(await fleet.ask(two, 50))).toBe("insufficient_credits");
    expect(outcome(await fleet.ask(two, 40))).toBe("allowed");
  });

  it("gives its reservation back when it closes, and keeps what open work may cost", async () => {
    fleet = new Fleet(100);
    const [one, two] = [fleet.start(), fleet.start()];
    const charge = await fleet.admit(one, 30);
    await fleet.admit(one, 20);
    await charge.settle();
    expect(await fleet.during(one.close({ graceMs: 100 }))).toMatchObject({ open: 1 });
    expect(outcome(await fleet.ask(two, 81))).toBe("insufficient_credits");
    expect(outcome(await fleet.ask(two, 80))).toBe("allowed");
  });

  it("says nothing of a wallet that is idle", async () => {
    fleet = new Fleet(100);
    const gate = fleet.start();
    const charge = await fleet.admit(gate, 30);
    await charge.settle();
    await fleet.clock.advance(10_000);
    fleet.store.syncs = 0;
    await fleet.clock.advance(60_000);
    expect(fleet.store.syncs).toBe(0);
  });
});

describe("the syncs of a process", () => {
  it("answer no balance request that came after the one they were for", async () => {
    const clock = createManualClock();
    const answers: (() => void)[] = [];
    const state = createAccountState();
    const store: SharedStore = {
      exchange: (_account, request) =>
        new Promise((resolve) => {
          answers.push(() =>
            resolve(
              exchange(state, request, { clock: clock.now(), epoch: "1", born: Number.MIN_SAFE_INTEGER }),
            ),
          );
        }),
    };
    const account = createLeasedLedger(store, { clock }).account("a service", "alice", "ai_credits");
    const early = expect(account.beginRefresh(clock.now())).rejects.toThrow("does not answer");
    await clock.advance(1_500);
    await early;
    const late = account.beginRefresh(clock.now());
    await clock.advance(10);
    for (const answer of answers.splice(0)) answer();
    await clock.advance(10);
    // The first request left for one that has given up; the second leaves when that is known to have failed.
    for (let turn = 0; turn < 5; turn++) {
      for (const answer of answers.splice(0)) answer();
      await clock.advance(30);
    }
    expect(await late).toMatchObject({ wait: expect.any(Number) });
  });
});

describe("the wallets that are idle", () => {
  it("cost the store nothing: 1,000 that 8 processes have used", async () => {
    const clock = createManualClock({ drain: () => microtasks(25) });
    const memory = createMemoryStore({ clock });
    let syncs = 0;
    let out = 0;
    const store: SharedStore = {
      async exchange(account, request) {
        syncs++;
        const answer = await memory.exchange(account, request);
        out = Math.max(out, answer.out);
        return answer;
      },
    };
    const ledgers = Array.from({ length: 8 }, () => createLeasedLedger(store, { clock }));
    const wallets = Array.from({ length: 1_000 }, (_, index) =>
      ledgers.map((ledger) => ledger.account("a service", `customer ${index}`, "ai_credits")),
    );
    const use = async (account: Account) => {
      const hold = await account.hold(7, "prepaid", Number.NEGATIVE_INFINITY);
      if (!hold.admitted) throw new Error("denied");
      for (const usage of account.settle(hold, [7])) account.acknowledge(usage, lagMs);
    };
    const used = wallets.map(async (accounts) => {
      const permit = await accounts[0]?.beginRefresh(clock.now());
      if (permit === undefined || !("go" in permit)) throw new Error("a balance request must leave");
      await accounts[0]?.install(permit.go, { prepaid: 1_000, postpaid: 1_000 }, 60_000);
      await Promise.all(accounts.map(use));
    });
    // A hundred syncs of each process at once: time stands still until all have been answered.
    for (let turn = 0; turn < 50; turn++) await clock.advance(0);
    await clock.advance(10_000);
    await Promise.all(used);
    expect(out).toBeGreaterThan(0);
    syncs = 0;
    out = 0;
    await clock.advance(10_000);
    expect({ syncs, out }).toEqual({ syncs: 0, out: 0 });
  });
});

describe("a process that dies", () => {
  /** What an outbox in a file has for the next process. */
  function durable(reports: readonly RecoveredReport[] = [], reservations: NotedReservation[] = []) {
    const forgotten: string[] = [];
    const outbox: Outbox = {
      ...methodsOf(createMemoryOutbox()),
      recover: async () => ({ reports, works: [], reservations }),
      forget: (ids) => void forgotten.push(...ids),
      reservations: {
        begin: async (reservation) => void reservations.push(reservation),
        end(account, processes) {
          const left = reservations.filter(
            (one) => one.account !== account || !processes.includes(one.process),
          );
          reservations.splice(0, reservations.length, ...left);
        },
      },
    };
    return { outbox, reservations, forgotten };
  }

  function methodsOf(outbox: Outbox): Outbox {
    return {
      full: false,
      append: (...args) => outbox.append(...args),
      release: (reports) => outbox.release(reports),
      next: (limit) => outbox.next(limit),
      delivered: (...args) => outbox.delivered(...args),
      requeue: (reports) => outbox.requeue(reports),
      park: (...args) => outbox.park(...args),
      bury: (...args) => outbox.bury(...args),
      unpark: () => outbox.unpark(),
      retry: (ids) => outbox.retry(ids),
      status: () => outbox.status(),
    };
  }

  it("leaves a reservation that its successor frees at once, but for what it had reported", async () => {
    fleet = new Fleet(100);
    const first = durable();
    const dead = fleet.start({ outbox: first.outbox });
    await fleet.admit(dead, 60);
    const [noted] = first.reservations;
    expect(noted).toMatchObject({ customerId: "alice", currency: "ai_credits" });
    const other = fleet.start();
    fleet.kill(dead);
    // Nothing is freed by time.
    await fleet.clock.advance(200_000);
    expect(outcome(await fleet.ask(other, 50))).toBe("insufficient_credits");
    const entry = { id: "e", amount: 25_000_000 };
    const left = { id: "r", customerId: "alice", currency: "ai_credits", entry, delivered: true };
    const second = durable([left], first.reservations);
    fleet.start({ outbox: second.outbox });
    await fleet.clock.advance(500);
    expect(second.reservations).toContainEqual(noted);
    expect(outcome(await fleet.ask(other, 76))).toBe("insufficient_credits");
    expect(outcome(await fleet.ask(other, 75))).toBe("allowed");
    expect(second.forgotten).toEqual(["r"]);
    await fleet.clock.advance(10_000);
    expect(second.reservations).toEqual([]);
  });

  it.each(["ai_credits", "voice_credits"])(
    "leaves what its gates have in use to the successors of their outboxes: a second gate on %s",
    async (currency) => {
      fleet = new Fleet(100);
      const [one, two] = [durable(), durable()];
      const gates = fleet.startProcess([{ outbox: one.outbox }, { outbox: two.outbox, currency }]);
      await fleet.admit(gates[0], 20);
      await fleet.admit(gates[1] as Gate, 60);
      const [, other = fleet.start()] = fleet.startProcess([{}, { currency }]);
      for (const gate of gates) fleet.kill(gate);
      fleet.start({ outbox: durable([], one.reservations).outbox });
      await fleet.clock.advance(10_000);
      expect(outcome(await fleet.ask(other, 41))).toBe("insufficient_credits");
      const entry = { id: "e", amount: 50_000_000 };
      const left = { id: "r", customerId: "alice", currency, entry, delivered: false };
      fleet.service.onUsage = async () => new Promise(() => {});
      fleet.startProcess([{ outbox: durable([left], two.reservations).outbox, currency }]);
      await fleet.clock.advance(500);
      expect(outcome(await fleet.ask(other, 51))).toBe("insufficient_credits");
      expect(outcome(await fleet.ask(other, 50))).toBe("allowed");
    },
  );

  it("has noted its reservation before the store can hear of it", async () => {
    fleet = new Fleet(100);
    const { outbox } = durable();
    const gate = fleet.start({
      outbox: { ...outbox, reservations: { begin: () => Promise.reject(new Error("disk")), end() {} } },
    });
    expect(outcome(await fleet.ask(gate, 10))).toBe("ledger_unavailable");
    expect(fleet.store.out).toBe(0);
  });

  it("is told where the outbox takes no note of it, and tries again ever more seldom, while a request waits", async () => {
    fleet = new Fleet(100);
    const { outbox } = durable();
    let [tries, isDown] = [0, true];
    const begin = async () => {
      tries++;
      if (isDown) throw new Error("disk full");
    };
    const random = () => 0.9;
    const gate = fleet.start({ random, outbox: { ...outbox, reservations: { begin, end() {} } } });
    const emitted: unknown[] = [];
    gate.on("degraded", ({ what, error }) => void emitted.push([what, (error as Error).message]));
    expect(outcome(await fleet.ask(gate, 10))).toBe("ledger_unavailable");
    expect(emitted[0]).toEqual(["ledger", "the outbox takes no note that credits are asked for: disk full"]);
    expect(tries).toBeLessThan(20);
    await fleet.clock.advance(1_000);
    const before = tries;
    await fleet.clock.advance(60_000);
    expect(tries).toBe(before);
    isDown = false;
    expect(outcome(await fleet.ask(gate, 10))).toBe("allowed");
  });

  it("stays noted for a lease after the last store that had forgotten what was given back", async () => {
    fleet = new Fleet(100);
    const { outbox, reservations } = durable();
    const gate = fleet.start({ outbox, leaseMs: 3_000 });
    const decision = await fleet.during(
      gate.authorize({ customerId: "alice", agentId: "a", indicator: "i", hold: 10 }),
    );
    if (decision.allowed) decision.charge.release();
    await fleet.clock.advance(2_000);
    expect(fleet.store.out).toBe(0);
    fleet.store.restart();
    await fleet.clock.advance(4_000);
    expect(reservations).toHaveLength(1);
    await fleet.clock.advance(4_000);
    expect(reservations).toEqual([]);
  });

  it("is forgotten after a while if nothing outlasts it: what it had counts as spent first", async () => {
    fleet = new Fleet(100);
    const dead = fleet.start({ abandonMs: 10_000 });
    await fleet.admit(dead, 60);
    const other = fleet.start();
    fleet.kill(dead);
    await fleet.clock.advance(5_000);
    expect(outcome(await fleet.ask(other, 50))).toBe("insufficient_credits");
    await fleet.clock.advance(4_900);
    expect(outcome(await fleet.ask(other, 50))).toBe("insufficient_credits");
    await fleet.clock.advance(lagMs + 200);
    expect(outcome(await fleet.ask(other, 50))).toBe("allowed");
  });
});

describe("createLeasedLedger", () => {
  it("refuses options that make no sense", () => {
    fleet = new Fleet(0);
    const store = createMemoryStore({ clock: fleet.clock });
    expect(() => createLeasedLedger(store, { leaseMs: 0 })).toThrow(/leaseMs/);
    expect(() => createLeasedLedger(store, { leaseMs: 100, abandonMs: 50 })).toThrow(/abandonMs/);
    expect(() => createLeasedLedger({} as SharedStore)).toThrow(/store/);
    expect(() => createLeasedLedger(store, { lease: true } as LeasedLedgerOptions)).toThrow(/leases/);
  });
});
