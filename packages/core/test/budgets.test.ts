import {
  type Budget,
  createGate,
  createRegistry,
  createRunBudget,
  type Denial,
  type Gate,
  type GateOptions,
  type Ledger,
  pause,
  type ServiceBudget,
  type ServiceReport,
} from "@creditgate/core";
import { createManualClock } from "@creditgate/core/testing";
import { describe, expect, it } from "vitest";
import { createMemoryLedger } from "../src/wallet/memory-ledger.ts";

interface Sums {
  limit: number;
  used: number;
  period?: string;
  resets_at?: string;
}

/** One's own table with budgets: settles at once, a credit for each report's output token. */
class Table {
  available = 1_000;
  readonly budgets = new Map<string, Sums>([
    ["team:red", { limit: 100, used: 0 }],
    ["member:bob", { limit: 10, used: 0, period: "2026-11-25T00:00:00Z", resets_at: "2026-11-26T00:00:00Z" }],
  ]);
  readonly asked: (readonly string[] | undefined)[] = [];
  readonly reports: ServiceReport[] = [];
  tellsBudgets = true;
  read = (keys?: readonly string[]) => {
    this.asked.push(keys);
    const found: Record<string, ServiceBudget> = {};
    for (const key of keys ?? []) {
      const sums = this.budgets.get(key);
      if (sums !== undefined) found[key] = { ...sums };
    }
    return { available: this.available, ...(this.tellsBudgets && keys && { budgets: found }) };
  };

  store(reports: readonly ServiceReport[]) {
    return reports.map((report) => {
      const credits = report.usage.outputTokens ?? 0;
      this.reports.push(report);
      this.available -= credits;
      for (const { key } of report.budgets ?? []) {
        const sums = this.budgets.get(key);
        if (sums !== undefined) sums.used += credits;
      }
      return { credits };
    });
  }
}

function setUp(options: Partial<GateOptions> = {}) {
  const table = new Table();
  const clock = createManualClock();
  const gate = createGate({
    service: {
      settles: "at once",
      balance: (_, keys) => table.read(keys),
      report: (all) => table.store(all),
    },
    currency: "credits",
    registry: createRegistry(),
    clock,
    random: () => 0.5,
    openTelemetry: false,
    minRefreshMs: 0,
    ...options,
  } as GateOptions);
  const degraded: unknown[] = [];
  gate.on("degraded", (event) => degraded.push(event));
  return { table, clock, gate, degraded };
}

const authorize = (gate: Gate, hold: number | { min: number; max: number }, budgets: readonly Budget[]) =>
  gate.authorize({ customerId: "acme", agentId: "chat", indicator: "message", hold, budgets });

async function admit(gate: Gate, hold: number, budgets: readonly Budget[]) {
  const decision = await authorize(gate, hold, budgets);
  if (!decision.allowed) throw new Error(`denied: ${decision.denial.code}`);
  return decision.charge;
}

async function deny(gate: Gate, hold: number, budgets: readonly Budget[]) {
  const decision = await authorize(gate, hold, budgets);
  if (decision.allowed) throw new Error("it was let in");
  return decision.denial;
}

const usage = (outputTokens: number) => ({ provider: "p", model: "m", inputTokens: 0, outputTokens });

describe("budgets at the service", () => {
  it("are read as far as they may be, while another process that reads one of them waits for what this one reads", async () => {
    const clock = createManualClock();
    const memory = createMemoryLedger(clock);
    let hasInstalled = false;
    const ledger: Ledger = {
      ...memory,
      budget(service, customerId, currency, key) {
        const account = memory.account(service, customerId, currency);
        const { beginRefresh, install } = account;
        if (key === "member:bob") {
          account.install = (...answer) => {
            hasInstalled = true;
            return install.apply(account, answer);
          };
        } else
          account.beginRefresh = (since) => (hasInstalled ? beginRefresh.call(account, since) : { wait: 20 });
        return account;
      },
    };
    const { gate, table } = setUp({ clock, ledger });
    const decision = authorize(gate, 2, ["team:red", "member:bob"]);
    await clock.advance(20);
    expect((await decision).allowed).toBe(true);
    expect(table.asked).toEqual([["member:bob"], ["team:red"]]);
  });

  it("are read with the wallet, in one request", async () => {
    const { gate, table } = setUp();
    const charge = await admit(gate, 2, ["team:red", "member:bob"]);
    charge.release();
    expect(table.asked).toEqual([["team:red", "member:bob"]]);
  });

  it("stop work that one of them has no room for, and nothing is held", async () => {
    const { gate } = setUp();
    const first = await admit(gate, 8, ["team:red", "member:bob"]);
    expect(await deny(gate, 3, ["team:red", "member:bob"])).toEqual({
      code: "budget_exceeded",
      status: 402,
      title: "The budget is used up",
      currency: "credits",
      required: 3,
      budget: { key: "member:bob", limit: 10, left: 2, resetsAt: "2026-11-26T00:00:00Z" },
      retryable: true,
    });
    const { budgets, held } = (await gate.balance("acme", { budgets: ["team:red", "member:bob"] })) ?? {};
    expect({ held, team: budgets?.["team:red"], bob: budgets?.["member:bob"] }).toEqual({
      held: 8,
      team: { limit: 100, used: 0, held: 8, unconfirmed: 0 },
      bob: { limit: 10, used: 0, held: 8, unconfirmed: 0, resetsAt: "2026-11-26T00:00:00Z" },
    });
    first.release();
    (await admit(gate, 10, ["member:bob"])).release();
  });

  it("never let 200 requests at once spend more than the limit", async () => {
    const { gate, table } = setUp();
    const decisions = await Promise.all(
      Array.from({ length: 200 }, () => authorize(gate, 1, ["member:bob", "team:red"])),
    );
    const admitted = decisions.flatMap((one) => (one.allowed ? one.charge : []));
    expect(admitted).toHaveLength(10);
    for (const charge of admitted) {
      charge.report(usage(1));
      await charge.settle();
    }
    await gate.flush();
    expect(table.budgets.get("member:bob")?.used).toBe(10);
    expect((await deny(gate, 1, ["member:bob"])).budget).toMatchObject({ left: 0 });
    (await admit(gate, 1, ["team:red"])).release();
  });

  it("are named in reports, sorted, with the newest period that is known", async () => {
    const { gate, table } = setUp();
    const charge = await admit(gate, 2, ["team:red", "member:bob"]);
    charge.report(usage(2));
    await charge.settle();
    await gate.flush();
    expect(table.reports.map(({ budgets }) => budgets)).toEqual([
      [{ key: "member:bob", period: "2026-11-25T00:00:00Z" }, { key: "team:red" }],
    ]);
  });

  it("count what is not confirmed, and the cost that the service has returned", async () => {
    const { gate, clock } = setUp();
    const charge = await admit(gate, 9, ["member:bob"]);
    charge.report(usage(4));
    await charge.settle();
    await gate.flush();
    await clock.advance(10);
    (await admit(gate, 6, ["member:bob"])).release();
    expect((await deny(gate, 7, ["member:bob"])).budget?.left).toBe(6);
  });

  it("are read anew where one would deny: a limit that was raised lets the next request in", async () => {
    const { gate, table, clock } = setUp();
    await deny(gate, 11, ["member:bob"]);
    table.budgets.set("member:bob", { limit: 20, used: 0 });
    await clock.advance(1);
    (await admit(gate, 11, ["member:bob"])).release();
  });

  it("deny by a 402 what the service does not know, and do not cap it by none", async () => {
    const { gate } = setUp();
    expect(await deny(gate, 1, ["member:eve"])).toMatchObject({
      code: "budget_unknown",
      status: 402,
      budget: { key: "member:eve", left: 0 },
      retryable: false,
    });
  });

  it("are 503 at a service that knows none, with an event, and other work goes on", async () => {
    const { gate, table, degraded } = setUp();
    table.tellsBudgets = false;
    expect(await deny(gate, 1, ["member:bob"])).toMatchObject({ code: "upstream_unavailable", status: 503 });
    expect(degraded).toMatchObject([{ what: "budget", customerId: "acme" }]);
    const decision = await gate.authorize({ customerId: "acme", agentId: "a", indicator: "i", hold: 1 });
    expect(decision.allowed).toBe(true);
  });

  it("come before the wallet: a payment would not help", async () => {
    const { gate, table } = setUp();
    table.available = 0;
    const denial = await deny(gate, 11, ["member:bob"]);
    expect(denial.code).toBe("budget_exceeded");
    expect(denial).not.toHaveProperty("available");
    expect((await deny(gate, 1, ["member:bob"])).code).toBe("insufficient_credits");
  });

  it("let work in with the least that any account has", async () => {
    const { gate } = setUp();
    const decision = await authorize(gate, { min: 5, max: 50 }, ["team:red", "member:bob"]);
    expect(decision.allowed && decision.charge.held).toBe(10);
    expect((await authorize(gate, { min: 1, max: 50 }, ["team:red", "member:bob"])).allowed).toBe(false);
  });

  it("bound what work extends, and go on counting what it holds", async () => {
    const { gate } = setUp();
    const charge = await admit(gate, 6, ["member:bob"]);
    expect(await charge.extend(4)).toEqual({ allowed: true });
    expect(await charge.extend(1)).toMatchObject({ allowed: false, denial: { code: "budget_exceeded" } });
    charge.report(usage(10));
    await charge.settle();
    await gate.flush();
    expect((await deny(gate, 1, ["member:bob"])).budget).toMatchObject({ left: 0 });
  });

  it("observe: work goes on that a budget would have stopped, and its reports name it", async () => {
    const { gate, table } = setUp({ mode: "observe" });
    const decision = await authorize(gate, 11, ["member:bob"]);
    expect(decision).toMatchObject({ allowed: true, observed: { code: "budget_exceeded" } });
    if (decision.allowed) {
      decision.charge.report(usage(11));
      await decision.charge.settle();
    }
    await gate.flush();
    expect(table.reports[0]?.budgets).toMatchObject([{ key: "member:bob" }]);
    expect(table.budgets.get("member:bob")?.used).toBe(11);
  });

  it("may be a hundred and more at once: the rest is asked for by the next request", async () => {
    const { gate, table } = setUp();
    const keys = Array.from({ length: 150 }, (_, index) => `member:${index}`);
    for (const key of keys) table.budgets.set(key, { limit: 5, used: 0 });
    const decisions = await Promise.all(keys.map((key) => authorize(gate, 1, [key])));
    expect(decisions.every(({ allowed }) => allowed)).toBe(true);
    expect(Math.max(...table.asked.map((asked) => asked?.length ?? 0))).toBe(100);
  });

  it("make room for a new one without forgetting those of the same request", async () => {
    const { gate } = setUp();
    (await admit(gate, 1, ["member:bob"])).release();
    for (let n = 0; n < 100_000; n += 8) {
      const budgets = Array.from({ length: Math.min(8, 99_999 - n) }, (_, index) => `idle:${n + index}`);
      await gate.balance("acme", { budgets });
    }
    const charge = await admit(gate, 10, ["member:bob", "team:red"]);
    expect((await deny(gate, 1, ["member:bob"])).budget).toMatchObject({ left: 0 });
    charge.release();
  });

  it("are 503 where the service answers one with figures that make no sense, and are asked for once", async () => {
    const { gate, table, clock, degraded } = setUp();
    for (const wrong of [
      { limit: -1 },
      { limit: Number.NaN },
      { limit: "10" },
      { used: -1 },
      { used: Number.POSITIVE_INFINITY },
      { period: "soon" },
      { resets_at: 7 },
    ]) {
      table.budgets.set("member:bob", { limit: 10, used: 0, ...wrong } as never);
      await clock.advance(1);
      table.asked.length = 0;
      expect((await deny(gate, 11, ["member:bob"])).code).toBe("upstream_unavailable");
      expect(table.asked).toHaveLength(1);
      expect(degraded.splice(0)).toMatchObject([{ what: "budget", customerId: "acme" }]);
    }
  });

  it("are refused as misuse where they make no sense", async () => {
    const { gate } = setUp();
    for (const budgets of [
      ["no spaces"],
      [""],
      [7],
      "member:bob",
      Array.from({ length: 9 }, (_, n) => `b${n}`),
      [{}],
    ])
      await expect(authorize(gate, 1, budgets as never)).rejects.toMatchObject({ code: "invalid_option" });
    const queue = { send: async () => {}, flush: async () => {} };
    const queued = setUp({ queue } as Partial<GateOptions>).gate;
    await expect(authorize(queued, 1, ["member:bob"])).rejects.toThrow(/budgets: .*queue/);
  });
});

describe("the budget of a run", () => {
  it("stops a run at its limit, without a service that knows budgets", async () => {
    const { gate, table } = setUp();
    table.tellsBudgets = false;
    const run = createRunBudget({ limit: 5 });
    for (let step = 0; step < 5; step++) {
      const charge = await admit(gate, 1, [run]);
      charge.report(usage(1));
      await charge.settle();
    }
    expect(run).toMatchObject({ limit: 5, held: 0, spent: 5 });
    expect(await deny(gate, 1, [run])).toMatchObject({
      code: "budget_exceeded",
      budget: { limit: 5, left: 0 },
      retryable: false,
    });
    await gate.flush();
    expect(table.reports.every(({ budgets }) => budgets === undefined)).toBe(true);
    (await admit(gate, 1, [createRunBudget({ limit: 5 })])).release();
  });

  it("goes on from what an earlier process has spent, and counts what is held", async () => {
    const { gate } = setUp();
    const run = createRunBudget({ limit: 5, spent: 3 });
    const charge = await admit(gate, 2, [run]);
    expect(JSON.parse(JSON.stringify(run))).toEqual({ limit: 5, held: 2, spent: 3 });
    expect((await deny(gate, 1, [run])).retryable).toBe(true);
    charge.release();
    expect(run.held).toBe(0);
  });

  it("counts what the service says that a report costs", async () => {
    const { gate } = setUp();
    const run = createRunBudget({ limit: 5 });
    const charge = await admit(gate, 5, [run]);
    charge.report(usage(2));
    await charge.settle();
    await gate.flush();
    expect(run.spent).toBe(2);
  });

  it("is refused for amounts that make no sense", () => {
    for (const options of [
      undefined,
      {},
      { limit: 0 },
      { limit: Number.NaN },
      { limit: 1, spent: -1 },
      { limit: 1, spend: 1 },
    ])
      expect(() => createRunBudget(options as never)).toThrow(/limit|spent|spend|options/);
  });
});

describe("a pause for a budget", () => {
  /** Half a minute before bob's next day. */
  function evening() {
    const clock = createManualClock();
    const wall = () => Date.parse("2026-11-25T23:59:30Z") + clock.now();
    const scene = setUp({ clock: { ...clock, wall }, actionTimeoutMs: 0 });
    const denials: Denial[] = [];
    return { ...scene, clock, denials, onPause: (denial: Denial) => denials.push(denial) };
  }

  it("lasts until its next period, if that begins within the wait", async () => {
    const { gate, table, clock, denials, onPause } = evening();
    const charge = await admit(gate, 10, ["member:bob"]);
    charge.report(usage(9));
    const early = pause(charge, 5, { waitMs: 29_000, onPause });
    await clock.advance(1_000);
    expect(await early).toMatchObject({ allowed: false, denial: { code: "budget_exceeded" } });
    expect(denials).toEqual([]);
    let state = "waiting";
    const waiting = pause(charge, 5, { waitMs: 60_000, onPause });
    void waiting.then(({ allowed }) => {
      state = String(allowed);
    });
    await clock.advance(28_000);
    expect(denials).toMatchObject([{ code: "budget_exceeded", budget: { key: "member:bob", left: 1 } }]);
    expect(state).toBe("waiting");
    table.budgets.set("member:bob", {
      ...{ limit: 10, used: 0, period: "2026-11-26T00:00:00Z", resets_at: "2026-11-27T00:00:00Z" },
    });
    await clock.advance(30_000);
    expect(await waiting).toEqual({ allowed: true });
    expect(charge.held).toBe(5);
  });

  it("is over when the next period begins, and soon after on a replica whose clock is behind", async () => {
    for (const behindMs of [0, 2_500]) {
      const { gate, table, clock, onPause, denials } = evening();
      const charge = await admit(gate, 10, ["member:bob"]);
      charge.report(usage(9));
      const waiting = pause(charge, 5, { waitMs: 38_000, onPause });
      await clock.advance(30_000 + behindMs);
      expect(denials.length).toBe(1);
      table.budgets.set("member:bob", { limit: 10, used: 0, period: "2026-11-26T00:00:00Z" });
      await clock.advance(10_000);
      expect(await waiting).toEqual({ allowed: true });
    }
  });

  it("of many costs no request each, and does not hold up who waits behind them for the wallet", async () => {
    const { gate, table, clock } = evening();
    table.available = 120;
    table.budgets.set("member:bob", { limit: 100, used: 0, resets_at: "2026-11-26T00:00:00Z" });
    const charges = [];
    for (let number = 0; number < 100; number++) charges.push(await admit(gate, 1, ["member:bob"]));
    const other = await admit(gate, 1, []);
    const states: string[] = [];
    const begin = (name: string, charge: typeof other, need: number) =>
      void pause(charge, need, { waitMs: 60_000 }).then(({ allowed }) => states.push(`${name} ${allowed}`));
    for (const charge of charges) begin("bob", charge, 101);
    begin("other", other, 130);
    await clock.advance(5_000);
    const asked = table.asked.length;
    table.available = 1_000;
    gate.refresh("acme");
    await clock.advance(0);
    expect(states).toEqual(["other true"]);
    expect(table.asked.length - asked).toBeLessThanOrEqual(3);
    table.budgets.set("member:bob", { limit: 800, used: 0 });
    gate.refresh("acme");
    await clock.advance(1_000);
    expect(states).toEqual(["other true", ...Array(7).fill("bob true")]);
  });

  it("does not wait for the budget of a run", async () => {
    const { gate, clock } = evening();
    const charge = await admit(gate, 2, [createRunBudget({ limit: 2 })]);
    charge.report(usage(2));
    const denied = pause(charge, 1);
    await clock.advance(1_000);
    expect(await denied).toMatchObject({ allowed: false, denial: { code: "budget_exceeded" } });
  });

  it("is passed over by work that only the wallet stops", async () => {
    const { gate, table, clock } = evening();
    table.available = 10;
    const bobs = await admit(gate, 9, ["member:bob"]);
    bobs.report(usage(9));
    const other = await admit(gate, 1, []);
    const states: string[] = [];
    const begin = (name: string, charge: typeof bobs, need: number) =>
      void pause(charge, need).then(({ allowed }) => states.push(`${name} ${allowed}`));
    begin("bob", bobs, 5);
    await clock.advance(1_000);
    begin("other", other, 5);
    await clock.advance(1_000);
    table.available = 100;
    gate.refresh("acme");
    await clock.advance(1_000);
    expect(states).toEqual(["other true"]);
    table.budgets.set("member:bob", { limit: 10, used: 0 });
    gate.refresh("acme");
    await clock.advance(1_000);
    expect(states).toEqual(["other true", "bob true"]);
  });
});
