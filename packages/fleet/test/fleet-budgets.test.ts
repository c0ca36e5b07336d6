import { MemoryOutboxStore } from "@creditgate/conformance";
import {
  type Budget,
  createGate,
  createRegistry,
  createRunBudget,
  type Gate,
  type GateOptions,
  type ServiceBudget,
  type ServiceReport,
} from "@creditgate/core";
import { createManualClock } from "@creditgate/core/testing";
import {
  createFleetOutbox,
  createLeasedLedger,
  createMemoryStore,
  type SharedStore,
} from "@creditgate/fleet";
import { describe, expect, it } from "vitest";

type Hold = number | { readonly min: number; readonly max: number };

/** Processes on one store, and a service of one's own that settles at once: a credit for each output token. */
class Fleet {
  readonly clock = createManualClock();
  readonly budgets = new Map<string, ServiceBudget>([
    ["member:ann", { limit: 100, used: 0 }],
    ["member:bob", { limit: 100, used: 0 }],
    ["team:red", { limit: 100, used: 0 }],
  ]);
  readonly reads: (readonly string[] | undefined)[] = [];
  readonly reports: ServiceReport[] = [];
  readonly #store = createMemoryStore({ clock: this.clock });
  readonly #outboxes = new MemoryOutboxStore(() => this.clock.now());
  readonly #dead = new Set<Gate>();
  available = 1_000;
  takesReports = true;

  start(options: { readonly leases?: boolean; readonly name?: string } = {}): Gate {
    const { clock } = this;
    const store: SharedStore = {
      exchange: async (account, request) => {
        await this.#passage();
        if (this.#dead.has(gate)) return new Promise(() => {});
        const answer = await this.#store.exchange(account, request);
        await this.#passage();
        return answer;
      },
    };
    const { leases = true, name } = options;
    const gate = createGate({
      service: {
        settles: "at once",
        name: "table",
        balance: (_customer, keys) => this.#read(keys),
        report: (reports) => this.#take(reports),
      },
      ledger: createLeasedLedger(store, { clock, leases }),
      ...(name && { outbox: createFleetOutbox(this.#outboxes, { process: name, clock }) }),
      currency: "credits",
      registry: createRegistry(),
      clock,
      openTelemetry: false,
      logger: false,
      minRefreshMs: 0,
    } as GateOptions);
    return gate;
  }

  /** From here on the store hears nothing of this process. */
  kill(gate: Gate): void {
    this.#dead.add(gate);
  }

  /** What becomes of it, while the clock goes on. */
  async during<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const settle = () => {
      isSettled = true;
    };
    promise.then(settle, settle);
    for (let turn = 0; turn < 2_000 && !isSettled; turn++) await this.clock.advance(5);
    return promise;
  }

  ask(gate: Gate, hold: Hold, budgets: readonly Budget[]) {
    const work = { customerId: "acme", agentId: "chat", indicator: "message" };
    return this.during(gate.authorize({ ...work, hold, budgets }));
  }

  async admit(gate: Gate, hold: Hold, budgets: readonly Budget[]) {
    const decision = await this.ask(gate, hold, budgets);
    if (!decision.allowed) throw new Error(`denied: ${JSON.stringify(decision.denial)}`);
    return decision.charge;
  }

  async deny(gate: Gate, hold: Hold, budgets: readonly Budget[]) {
    const decision = await this.ask(gate, hold, budgets);
    if (decision.allowed) throw new Error("it was let in");
    return decision.denial;
  }

  #passage(): Promise<void> {
    return new Promise((resolve) => this.clock.schedule(1, resolve));
  }

  #read(keys: readonly string[] | undefined) {
    this.reads.push(keys);
    const found = (keys ?? []).flatMap((key) => {
      const budget = this.budgets.get(key);
      return budget === undefined ? [] : [[key, budget] as const];
    });
    return { available: this.available, ...(keys && { budgets: Object.fromEntries(found) }) };
  }

  #take(reports: readonly ServiceReport[]) {
    if (!this.takesReports) throw new Error("an outage");
    return reports.map((report) => {
      const credits = report.usage.outputTokens ?? 0;
      if (this.reports.some(({ key }) => key === report.key)) return { credits };
      this.reports.push(report);
      this.available -= credits;
      for (const { key } of report.budgets ?? []) {
        const { used, ...budget } = this.budgets.get(key) ?? { limit: 0, used: 0 };
        this.budgets.set(key, { ...budget, used: used + credits });
      }
      return { credits };
    });
  }
}

const usage = (outputTokens: number) => ({ provider: "p", model: "m", inputTokens: 0, outputTokens });

describe.each([true, false])("budgets of several processes on one store, leases: %s", (leases) => {
  it("admit together what each of them and the wallet can pay, and no more", async () => {
    const fleet = new Fleet();
    fleet.budgets.set("team:red", { limit: 100, used: 0 });
    const gates = [1, 2, 3].map(() => fleet.start({ leases }));
    let admitted = 0;
    for (let turn = 0; turn < 20; turn++)
      for (const gate of gates) if ((await fleet.ask(gate, 7, ["team:red"])).allowed) admitted++;
    expect(admitted).toBe(14);
    const [gate] = gates as [Gate];
    expect(await fleet.deny(gate, 7, ["team:red", "member:ann"])).toMatchObject({
      status: 402,
      code: "budget_exceeded",
      retryable: true,
      budget: { key: "team:red", limit: 100, left: 2 },
    });
    // Nothing of the refused work is held.
    await fleet.admit(gate, 100, ["member:ann"]);
  });

  it("admit what the wallet can pay beside one that has no limit, and what it has room for once it has one", async () => {
    const fleet = new Fleet();
    fleet.budgets.set("team:red", { limit: null, used: 5 });
    const [one, two] = [fleet.start({ leases }), fleet.start({ leases })];
    for (const gate of [one, two, one, two]) await fleet.admit(gate, 200, ["team:red"]);
    const denial = await fleet.deny(one, 300, ["team:red"]);
    expect([denial.code, denial.budget]).toEqual(["insufficient_credits", undefined]);
    const read = () => fleet.during(two.balance("acme", { budgets: ["team:red"], maxAgeMs: 0 }));
    expect((await read())?.budgets).toEqual({});
    fleet.budgets.set("team:red", { limit: 50, used: 5 });
    await fleet.clock.advance(60_000);
    expect((await read())?.budgets).toMatchObject({ "team:red": { limit: 50 } });
    expect(await fleet.deny(two, 20, ["team:red"])).toMatchObject({
      ...{ code: "budget_exceeded", budget: { key: "team:red", limit: 50 } },
    });
  });

  it("are bounded by the wallet too, which is named last", async () => {
    const fleet = new Fleet();
    fleet.available = 10;
    const [one, two] = [fleet.start({ leases }), fleet.start({ leases })];
    await fleet.admit(one, 6, ["member:ann"]);
    expect((await fleet.deny(two, 5, ["member:bob"])).code).toBe("insufficient_credits");
    expect((await fleet.deny(two, 101, ["member:bob"])).code).toBe("budget_exceeded");
    await fleet.admit(two, 4, ["member:bob"]);
  });

  it("hold in all what the one with the least room has left", async () => {
    const fleet = new Fleet();
    fleet.budgets.set("team:red", { limit: 30, used: 0 });
    const [one, two] = [fleet.start({ leases }), fleet.start({ leases })];
    await fleet.admit(one, 20, ["team:red"]);
    const run = createRunBudget({ limit: 50 });
    const charge = await fleet.admit(two, { min: 5, max: 40 }, ["team:red", "member:bob", run]);
    expect({ held: charge.held, run: run.held }).toEqual({ held: 10, run: 10 });
    // By then the store has heard what was given back.
    await fleet.clock.advance(500);
    await fleet.admit(one, 90, ["member:bob"]);
    expect((await fleet.deny(one, 1, ["member:bob"])).code).toBe("budget_exceeded");
  });

  it("let in as many as fit of those who come at once, where each account has room for the same number", async () => {
    for (let turn = 0; turn < 10; turn++) {
      const fleet = new Fleet();
      fleet.available = 20;
      const keys = [...fleet.budgets.keys()];
      for (const key of keys) fleet.budgets.set(key, { limit: 20, used: 0 });
      const gates = [1, 2, 3, 4].map(() => fleet.start({ leases }));
      for (const gate of gates) (await fleet.admit(gate, 1, keys)).release();
      await fleet.clock.advance(turn * 37);
      const all = gates.map((gate) => fleet.ask(gate, 10, turn % 2 === 0 ? keys : [...keys].reverse()));
      const admitted = (await Promise.all(all)).filter(({ allowed }) => allowed);
      expect(admitted.length).toBe(2);
    }
  });
});

describe("a budget in a fleet", () => {
  it("is unknown to each process if the service knows none of its key", async () => {
    const fleet = new Fleet();
    for (const gate of [fleet.start(), fleet.start()])
      expect((await fleet.deny(gate, 1, ["nobody"])).code).toBe("budget_unknown");
  });

  it("is read by one process for all: another one reads it once, for its limit", async () => {
    const fleet = new Fleet();
    const [one, two] = [fleet.start(), fleet.start()];
    await fleet.admit(one, 1, ["team:red"]);
    await fleet.admit(two, 1, ["team:red"]);
    await fleet.admit(one, 1, ["team:red"]);
    const before = fleet.reads.length;
    expect(before).toBeLessThanOrEqual(3);
    await fleet.admit(two, 1, ["team:red"]);
    expect(fleet.reads.length).toBe(before);
  });

  it("admits nothing once a process has read that it is deleted, whatever the process has reserved of it", async () => {
    const fleet = new Fleet();
    const gate = fleet.start();
    for (let turn = 0; turn < 10; turn++) await fleet.admit(gate, 3, ["team:red"]);
    fleet.budgets.delete("team:red");
    await fleet.during(gate.balance("acme", { budgets: ["team:red"], maxAgeMs: 0 }));
    expect((await fleet.deny(gate, 1, ["team:red"])).code).toBe("budget_unknown");
  });

  it("is denied on news that is younger than the request: a limit that was raised lets the next one in", async () => {
    const fleet = new Fleet();
    const [one, two] = [fleet.start(), fleet.start()];
    await fleet.admit(one, 90, ["team:red"]);
    expect((await fleet.deny(two, 20, ["team:red"])).budget).toMatchObject({ limit: 100, left: 10 });
    fleet.budgets.set("team:red", { limit: 110, used: 0 });
    await fleet.admit(two, 20, ["team:red"]);
  });

  it("is shown by each process as it is now, whichever has read it", async () => {
    const fleet = new Fleet();
    const gates = [fleet.start(), fleet.start()];
    for (const gate of gates) await fleet.admit(gate, 5, ["team:red"]);
    const denied = async () =>
      (await Promise.all(gates.map((gate) => fleet.deny(gate, 995, ["team:red"])))).map(
        ({ budget }) => budget,
      );
    const shown = async () =>
      (await Promise.all(gates.map((gate) => gate.balance("acme", { budgets: ["team:red"] })))).map(
        (balance) => balance?.budgets?.["team:red"],
      );
    const twice = <T>(one: T) => [one, one];
    // The limit is raised, a period begins, the limit is lowered, the budget is deleted.
    fleet.budgets.set("team:red", { limit: 900, used: 100 });
    expect(await denied()).toEqual(twice({ key: "team:red", limit: 900, left: 790 }));
    expect(await shown()).toMatchObject(twice({ limit: 900, used: 100 }));
    const [monday, tuesday] = ["2026-11-23T00:00:00.000Z", "2026-11-24T00:00:00.000Z"];
    const begun = { period: monday, resets_at: tuesday };
    fleet.budgets.set("team:red", { ...begun, limit: 900, used: 100 });
    expect(await denied()).toMatchObject(twice({ limit: 900, left: 790, resetsAt: tuesday }));
    await fleet.clock.advance(10_000);
    fleet.budgets.set("team:red", { ...begun, limit: 300, used: 100 });
    expect(await denied()).toMatchObject(twice({ limit: 300, left: 190 }));
    expect(await shown()).toMatchObject(twice({ limit: 300, used: 100 }));
    fleet.budgets.delete("team:red");
    expect(await denied()).toEqual(twice({ key: "team:red", left: 0 }));
    expect(await shown()).toEqual(twice(undefined));
  });

  it("is named with the newest period that any process has read", async () => {
    const fleet = new Fleet();
    const [monday, tuesday] = ["2026-11-23T00:00:00.000Z", "2026-11-24T00:00:00.000Z"];
    fleet.budgets.set("team:red", { limit: 100, used: 0, period: monday });
    const [one, two] = [fleet.start(), fleet.start()];
    const charge = await fleet.admit(one, 50, ["team:red"]);
    (await fleet.admit(two, 50, ["team:red"])).release();
    fleet.budgets.set("team:red", { limit: 100, used: 0, period: tuesday });
    await fleet.deny(two, 60, ["team:red"]);
    // It hears of it from the store alone.
    await fleet.admit(one, 1, ["team:red"]);
    await fleet.clock.advance(500);
    charge.report(usage(1));
    await fleet.during(charge.settle());
    await fleet.clock.advance(100);
    expect(fleet.reports[0]?.budgets).toEqual([{ key: "team:red", period: tuesday }]);
  });

  it("counts what was billed in another process", async () => {
    const fleet = new Fleet();
    const [one, two] = [fleet.start(), fleet.start()];
    const charge = await fleet.admit(one, 60, ["team:red", "member:ann"]);
    charge.report(usage(55));
    await fleet.during(charge.settle());
    await fleet.clock.advance(5_000);
    expect((await fleet.deny(two, 46, ["team:red"])).budget).toMatchObject({ left: 45 });
    await fleet.admit(two, 45, ["team:red"]);
    expect(await fleet.during(two.balance("acme", { budgets: ["team:red"], maxAgeMs: 0 }))).toMatchObject({
      budgets: { "team:red": { limit: 100, used: 55, held: 45, unconfirmed: 0 } },
    });
  });

  it("has back what a dead process did not use when its outbox is opened again, and keeps what it had reported", async () => {
    const fleet = new Fleet();
    const other = fleet.start({ name: "other" });
    const dead = fleet.start({ name: "one" });
    fleet.takesReports = false;
    const charge = await fleet.admit(dead, 60, ["team:red"]);
    charge.report(usage(25));
    void charge.settle();
    await fleet.admit(dead, 10, ["team:red"]);
    fleet.kill(dead);
    await fleet.clock.advance(200_000);
    expect((await fleet.deny(other, 41, ["team:red"])).code).toBe("budget_exceeded");
    fleet.start({ name: "one" });
    await fleet.clock.advance(1_000);
    // What it was billed stays with what it held at most.
    expect((await fleet.deny(other, 41, ["team:red"])).code).toBe("budget_exceeded");
    await fleet.admit(other, 40, ["team:red"]);
    fleet.takesReports = true;
    await fleet.clock.advance(60_000);
    await fleet.admit(other, 35, ["team:red"]);
  });
});
