import { MemoryOutboxStore } from "@creditgate/conformance";
import {
  createGate,
  createMemoryOutbox,
  createRegistry,
  type Gate,
  type GateOptions,
  type Outbox,
  type Service,
  type ServiceBalance,
  type ServiceReport,
} from "@creditgate/core";
import type { DeliveringLedger } from "@creditgate/core/adapter";
import { createManualClock } from "@creditgate/core/testing";
import { createFleetOutbox, createLeasedLedger, createMemoryStore } from "@creditgate/fleet";
import { describe, expect, it } from "vitest";
import { hangs, outcome, pending, type SceneOptions } from "./service.ts";

/** One's own table: `report` debits a credit for each key. */
class Table {
  readonly wallets = new Map<string, number>([["alice", 100]]);
  readonly keys = new Set<string>();
  readonly calls: (readonly ServiceReport[])[] = [];
  balances = 0;
  readonly service: Service;

  constructor(options: Partial<Service> = {}) {
    this.service = {
      settles: "at once",
      balance: async (customerId) => this.read(customerId),
      report: async (reports) => this.store(reports),
      ...options,
    };
  }

  get reports(): readonly ServiceReport[] {
    return this.calls.flat();
  }

  read(customerId: string): ServiceBalance | undefined {
    this.balances++;
    const available = this.wallets.get(customerId);
    return available === undefined ? undefined : { available };
  }

  store(reports: readonly ServiceReport[]): { credits: number }[] {
    this.calls.push(reports);
    return reports.map(({ key, customerId }) => {
      if (!this.keys.has(key)) this.wallets.set(customerId, (this.wallets.get(customerId) ?? 0) - 1);
      this.keys.add(key);
      return { credits: 1 };
    });
  }
}

function setUp(service: unknown, options: SceneOptions = {}) {
  const clock = createManualClock();
  const gate = createGate({
    service,
    currency: "credits",
    registry: createRegistry(),
    clock,
    random: () => 0.5,
    openTelemetry: false,
    ...options,
  } as GateOptions);
  const events: { readonly name: string; readonly event: unknown }[] = [];
  for (const name of ["degraded", "lag", "dead", "parked", "delivered", "undelivered"] as const)
    gate.on(name, (event) => events.push({ name, event }));
  const emitted = (name: string) => events.filter((one) => one.name === name).map(({ event }) => event);
  return { gate, clock, emitted };
}

const authorize = (gate: Gate, hold = 1, customerId = "alice") =>
  gate.authorize({ customerId, agentId: "chat", indicator: "message", hold });

async function admit(gate: Gate, hold = 1) {
  const decision = await authorize(gate, hold);
  if (!decision.allowed) throw new Error(`denied: ${decision.denial.code}`);
  return decision.charge;
}

/** Reports one model call for each name. */
async function bill(gate: Gate, models: string): Promise<void> {
  const charge = await admit(gate, models.length);
  for (const model of models) charge.report({ provider: "p", model, inputTokens: 1 }, { credits: 1 });
  await charge.settle();
}

const only = (answer: unknown) => ({ balance: async () => answer, report: async () => {} });

describe("the option service", () => {
  const { service } = new Table();
  const client = { send: hangs, fingerprint: async () => "a service" };
  const durable = Object.assign(createMemoryOutbox(), { recover: hangs }) as Outbox;
  const shared = () => createLeasedLedger(createMemoryStore({ clock: createManualClock() }));

  it.each<[string, object, string]>([
    [
      "without a client",
      { service: undefined },
      "client: expected a client, as createClient() makes it, or the option service, received undefined",
    ],
    ["beside a client", { client }, "service: expected none beside client, received an object"],
    [
      "that is no object",
      { service: "https://billing.example" },
      'service: expected an object with the functions balance and report, received "https://billing.example"',
    ],
    [
      "without report",
      { service: { balance() {} } },
      "service: expected an object with the functions balance and report, received an object",
    ],
    [
      "with a name that is none",
      { service: { ...service, name: "" } },
      "service.name: expected a string of 1 to 256 bytes",
    ],
    [
      "that settles some day",
      { service: { ...service, settles: "soon" } },
      'service.settles: expected "at once", received "soon"',
    ],
    [
      "that settles at once, with a lag",
      { settlementLagMs: 5 },
      'settlementLagMs: expected none beside a service that settles "at once", received 5',
    ],
    [
      "without a name on a shared ledger",
      { ledger: shared() },
      "service.name: expected a name that is the same in every process, since a shared ledger or a durable outbox stores it, received undefined",
    ],
    [
      "that has its wallets in another currency",
      { currency: "tokens" },
      'currency: expected that of another gate on this service, "credits", received "tokens"',
    ],
    ["without a name on a durable outbox", { outbox: durable }, "service.name: expected a name"],
    [
      "on a ledger that has a service",
      {
        service: { ...service, name: "table" },
        ledger: {
          ...shared(),
          account() {},
          close() {},
          queue: { send() {}, flush() {} },
        } as unknown as DeliveringLedger,
      },
      "service: expected none beside this ledger, which has a client of its own",
    ],
  ])("is refused %s", (_case, options, message) => {
    setUp(service);
    expect(() => setUp(service, options)).toThrow(message);
  });

  it("accepts a named service on a shared ledger and a durable outbox", () => {
    const named = { ...service, name: "table" };
    expect(() => setUp(named, { ledger: shared() })).not.toThrow();
    expect(() => setUp(named, { outbox: durable })).not.toThrow();
  });
});

describe("balance(customerId)", () => {
  it("is a prepaid wallet if it returns { available }, without the option wallet", async () => {
    const { gate } = setUp(new Table().service);
    expect(outcome(await authorize(gate, 101))).toBe("insufficient_credits");
    expect(outcome(await authorize(gate, 100))).toBe("allowed");
  });

  const zero = { pending: 0, overage_used: 0, overage_limit: 0, postpaid_used: 0, postpaid_limit: 0 };

  it("may return the six figures, with the kind of the wallet", async () => {
    const { gate } = setUp(
      only({ ...zero, available: 0, postpaid_used: 7, postpaid_limit: 10, kind: "postpaid" }),
    );
    expect(outcome(await authorize(gate, 4))).toBe("insufficient_credits");
    expect(outcome(await authorize(gate, 3))).toBe("allowed");
  });

  it("may return the six figures without a kind, if the option wallet says which", async () => {
    const figures = { ...zero, available: 3, overage_limit: 2 };
    expect(outcome(await authorize(setUp(only(figures), { wallet: "prepaid" }).gate, 5))).toBe("allowed");
    expect(outcome(await authorize(setUp(only(figures)).gate, 1))).toBe("upstream_invalid");
  });

  it("refuses a prepaid wallet to a gate that expects a postpaid one", async () => {
    const { gate } = setUp(new Table().service, { wallet: "postpaid" });
    expect(outcome(await authorize(gate))).toBe("wallet_mismatch");
  });

  it("may return what is accepted and not debited yet", async () => {
    const { gate } = setUp(only({ available: 10, unsettled: 4 }));
    expect(outcome(await authorize(gate, 7))).toBe("insufficient_credits");
    expect(outcome(await authorize(gate, 6))).toBe("allowed");
  });

  it.each([undefined, null])("returns %s for a customer that it does not know", async (nobody) => {
    const { gate, emitted } = setUp(only(nobody));
    const decision = await authorize(gate);
    expect(decision.allowed ? 200 : decision.denial).toMatchObject({ status: 402, code: "customer_unknown" });
    const message =
      'customerId: balance("alice") returned nothing; open a wallet for the customer at sign-up, or correct its id';
    expect(emitted("degraded")).toMatchObject([{ what: "setup", error: { message } }]);
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("no connection");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no connection"))],
  ])("is an outage if it %s", async (_how, balance) => {
    const { gate, emitted } = setUp({ ...new Table().service, balance });
    expect(outcome(await authorize(gate))).toBe("upstream_unavailable");
    expect(emitted("degraded")).toMatchObject([
      { what: "balance", customerId: "alice", error: { message: "no connection" } },
    ]);
  });

  it("is waited for during checkTimeoutMs, and is called again by the next request", async () => {
    const table = new Table();
    let calls = 0;
    const balance = (id: string) => (++calls === 1 ? hangs() : Promise.resolve(table.read(id)));
    const { gate, clock, emitted } = setUp({ ...table.service, balance }, { checkTimeoutMs: 700 });
    const first = authorize(gate);
    await clock.advance(699);
    expect(emitted("degraded")).toEqual([]);
    await clock.advance(1);
    expect(outcome(await first)).toBe("upstream_unavailable");
    expect(String((emitted("degraded")[0] as { error: unknown }).error)).toContain(
      "balance() has not answered within 700 ms",
    );
    expect(outcome(await authorize(gate))).toBe("allowed");
  });

  it.each<[unknown, string]>([
    [77, "balance(): expected an object with available, undefined or null, received 77"],
    [[], "balance(): expected an object with available, undefined or null, received an array"],
    [{}, "balance(): available: expected a number, received undefined"],
    [
      { available: "77" },
      'balance(): available: expected a number, received "77"; PostgreSQL returns numeric and bigint columns as strings: use Number()',
    ],
    [{ available: Number.NaN }, "balance(): available: expected a number, received NaN"],
    [
      { available: 1, overage_limit: 1 },
      "balance(): pending: expected a number, 0 or more, received undefined",
    ],
    [
      { ...zero, available: 1, postpaid_used: -1 },
      "balance(): postpaid_used: expected a number, 0 or more, received -1",
    ],
    [{ available: 1, unsettled: -1 }, "balance(): unsettled: expected a number, 0 or more, received -1"],
    [{ available: 1, unsettled: null }, "balance(): unsettled: expected a number, 0 or more, received null"],
    [{ available: 1, kind: "paid" }, 'balance(): kind: expected "prepaid" or "postpaid", received "paid"'],
    [
      { available: 0, kind: "postpaid" },
      "balance(): pending: expected a number, 0 or more, received undefined",
    ],
    [
      { ...zero, available: 1 },
      'balance(): kind: expected "prepaid" or "postpaid", or the option wallet, received undefined',
    ],
  ])("names the field of a malformed answer: %j", async (answer, message) => {
    const { gate, emitted } = setUp(only(answer));
    expect(outcome(await authorize(gate))).toBe("upstream_invalid");
    expect(emitted("degraded")).toMatchObject([{ what: "balance", error: { message } }]);
  });
});

describe("report(reports)", () => {
  it("is called with what was used, under a key", async () => {
    const table = new Table();
    const { gate, clock } = setUp(table.service);
    const charge = await admit(gate);
    charge.report({
      provider: "openai",
      model: "gpt-5",
      inputTokens: 3,
      outputTokens: 2,
      cachedInputTokens: 1,
      units: { pages: 2 },
    });
    await charge.settle();
    await clock.advance(0);
    expect(table.calls).toEqual([
      [
        {
          key: expect.stringMatching(/.{8}/),
          customerId: "alice",
          agentId: "chat",
          indicator: "message",
          currency: "credits",
          usage: {
            provider: "openai",
            model: "gpt-5",
            inputTokens: 3,
            outputTokens: 2,
            cachedInputTokens: 1,
            units: { pages: 2 },
          },
        },
      ],
    ]);
    expect(await gate.status()).toMatchObject({ queued: 0, parked: 0, dead: 0 });
  });

  it("is a method of its service, and may return nothing", async () => {
    class Counter implements Service {
      stored = 0;
      async balance() {
        return { available: 10 - this.stored };
      }
      async report(reports: readonly ServiceReport[]) {
        this.stored += reports.length;
      }
    }
    const counter = new Counter();
    const { gate, clock } = setUp(counter);
    await bill(gate, "ab");
    await clock.advance(0);
    expect(counter.stored).toBe(2);
    expect(await gate.status()).toMatchObject({ queued: 0, dead: 0 });
  });

  it("is called with at most 100 reports, and with each once", async () => {
    const table = new Table();
    table.wallets.set("alice", 1_000);
    const { gate, clock } = setUp(table.service);
    const charge = await admit(gate, 450);
    for (let model = 0; model < 450; model++)
      charge.report({ model: String(model), inputTokens: 1 }, { credits: 1 });
    await charge.settle();
    await clock.advance(0);
    expect(table.calls.map(({ length }) => length)).toEqual([100, 100, 100, 100, 50]);
    expect(table.wallets.get("alice")).toBe(550);
  });

  it("is called again with the same usage, whatever it has changed in what it was given", async () => {
    const table = new Table();
    const models: unknown[] = [];
    let isDown = true;
    const report = async (reports: readonly ServiceReport[]) => {
      for (const { usage } of reports) {
        models.push(usage.model);
        Object.assign(usage, { model: "changed" });
      }
      if (isDown) throw new Error("no connection");
      return table.store(reports);
    };
    const { gate, clock } = setUp({ ...table.service, report });
    await bill(gate, "a");
    await clock.advance(0);
    isDown = false;
    await clock.advance(60_000);
    expect(new Set(models)).toEqual(new Set(["a"]));
    expect(models.length).toBeGreaterThan(1);
  });

  it("is called again with the same keys after it has thrown, and pauses delivery meanwhile", async () => {
    const table = new Table();
    const sent: string[][] = [];
    let isDown = true;
    const report = async (reports: readonly ServiceReport[]) => {
      sent.push(reports.map(({ key }) => key));
      // The table has it, though the gate sees an error.
      const outcomes = table.store(reports);
      if (isDown) throw new Error("no connection");
      return outcomes;
    };
    const { gate, clock, emitted } = setUp({ ...table.service, report });
    for (const model of "abcdef") await bill(gate, model);
    await clock.advance(0);
    expect(emitted("degraded")).toMatchObject([{ what: "delivery", error: { message: "no connection" } }]);
    const tries = sent.length;
    await bill(gate, "g");
    await clock.advance(100);
    expect(sent.length).toBe(tries);
    isDown = false;
    await clock.advance(60_000);
    expect(new Set(sent.flat()).size).toBe(7);
    expect(table.wallets.get("alice")).toBe(93);
    expect(emitted("parked")).toEqual([]);
    expect(await gate.status()).toMatchObject({ queued: 0, parked: 0, dead: 0 });
  });

  it("is called singly after a batch that has thrown: one report that makes it throw stops no other", async () => {
    const table = new Table();
    const report = async (reports: readonly ServiceReport[]) => {
      if (reports.some(({ usage }) => usage.model === "b")) throw new Error("b");
      return table.store(reports);
    };
    const { gate, clock } = setUp({ ...table.service, report });
    await bill(gate, "abc");
    await clock.advance(0);
    expect(table.reports.map(({ usage }) => usage.model).sort()).toEqual(["a", "c"]);
    expect(await gate.status()).toMatchObject({ queued: 1, dead: 0 });
  });

  it("is called again with the same key if it has not answered within 10 s", async () => {
    const table = new Table();
    let calls = 0;
    const keys = new Set<string | undefined>();
    const report = (reports: readonly ServiceReport[]) => {
      keys.add(reports[0]?.key);
      return ++calls === 1 ? hangs() : Promise.resolve(table.store(reports));
    };
    const { gate, clock, emitted } = setUp({ ...table.service, report });
    await bill(gate, "a");
    await clock.advance(10_000);
    expect(String((emitted("degraded")[0] as { error: unknown }).error)).toContain(
      "report() has not answered within 10000 ms",
    );
    await clock.advance(60_000);
    expect([calls, keys.size, table.wallets.get("alice")]).toEqual([2, 1, 99]);
  });

  it("may refuse one report, which becomes a dead letter and pauses nothing", async () => {
    const table = new Table();
    const report = async (reports: readonly ServiceReport[]) =>
      reports.map((one) => (one.usage.model === "b" ? { refused: "no such model" } : table.store([one])[0]));
    const { gate, clock, emitted } = setUp({ ...table.service, report });
    await bill(gate, "abc");
    await clock.advance(0);
    expect(emitted("dead")).toMatchObject([
      { report: { rawUsage: { model: "b" } }, error: { message: "no such model" } },
    ]);
    expect(emitted("degraded")).toEqual([]);
    expect(await gate.status()).toMatchObject({ queued: 0, dead: 1 });
    // It weighs on its wallet until an operator decides.
    expect(await gate.balance("alice")).toMatchObject({ unconfirmed: 3 });
    await bill(gate, "d");
    await clock.advance(100);
    expect(table.wallets.get("alice")).toBe(97);
  });

  it("stops work of a kind that it has refused three times", async () => {
    const report = async (reports: readonly ServiceReport[]) => reports.map(() => ({ refused: "no" }));
    const { gate, clock } = setUp({ ...new Table().service, report });
    for (const model of "abc") {
      await bill(gate, model);
      await clock.advance(0);
    }
    expect(outcome(await authorize(gate))).toBe("unbillable");
  });

  it("has what an earlier process has left in a durable outbox, with the same key", async () => {
    const clock = createManualClock();
    const store = new MemoryOutboxStore(() => clock.now());
    const open = (service: unknown) => {
      const outbox = createFleetOutbox(store, { process: "one", clock });
      return setUp(service, { clock, outbox, registry: createRegistry() });
    };
    const table = new Table({ name: "table" });
    const lost = async (reports: readonly ServiceReport[]) => {
      table.store(reports);
      return hangs();
    };
    const first = open({ ...table.service, report: lost });
    await bill(first.gate, "a");
    await clock.advance(0);
    expect(table.calls).toHaveLength(1);
    const second = open(table.service);
    await clock.advance(1_000);
    // It was sent, and may be sent again: the service honours keys by contract.
    expect(outcome(await authorize(second.gate))).toBe("allowed");
    await clock.advance(60_000);
    expect(table.calls).toHaveLength(2);
    expect(new Set(table.reports.map(({ key }) => key)).size).toBe(1);
    expect(table.wallets.get("alice")).toBe(99);
    expect(await second.gate.status()).toMatchObject({ queued: 0, parked: 0, dead: 0 });
  });

  it("may return what a report costs, which corrects the gate", async () => {
    const table = new Table({ settles: undefined });
    const { gate, clock } = setUp({ ...table.service, report: async () => [{ credits: 1.5 }] });
    const charge = await admit(gate, 10);
    charge.report({ model: "a", inputTokens: 1 });
    await charge.settle();
    await clock.advance(0);
    expect(await gate.balance("alice")).toMatchObject({ held: 0, unconfirmed: 1.5 });
  });

  it.each<[unknown, string]>([
    [true, "report(): expected an array of 1 outcomes, or nothing, received true"],
    [[], "report().length: expected 1, received 0"],
    [[1], "report()[0]: expected an object, or nothing, received 1"],
    [[Promise.resolve({})], "report()[0]: expected an object, or nothing, received a promise"],
    [
      [{ credits: "1" }],
      'report()[0].credits: expected a number, 0 or more, received "1"; PostgreSQL returns',
    ],
    [[{ refused: false }], "report()[0].refused: expected the reason as a string, received false"],
    [[{ refuse: "no" }], 'report()[0].refuse: unknown field; did you mean "refused"?'],
  ])("keeps the report if its answer is malformed, and names the field: %j", async (answer, message) => {
    const { gate, clock, emitted } = setUp({ ...new Table().service, report: async () => answer });
    await bill(gate, "a");
    await clock.advance(0);
    expect(emitted("degraded")).toMatchObject([
      { what: "delivery", error: { message: expect.stringContaining(message) } },
    ]);
    expect(await gate.status()).toMatchObject({ queued: 1, dead: 0 });
  });

  it("is called within settle() with onUndelivered, and its loss is reported", async () => {
    const undelivered: unknown[] = [];
    const report = () => Promise.reject(new Error("no connection"));
    const { gate, clock } = setUp(
      { ...new Table().service, report },
      {
        onUndelivered: ({ rawUsage }: { rawUsage: { model?: string | undefined } }) =>
          void undelivered.push(rawUsage.model),
      },
    );
    const billed = bill(gate, "a");
    await clock.advance(25_000);
    await billed;
    expect(undelivered).toEqual(["a"]);
  });
});

describe("settles", () => {
  it("serves exactly what the wallet has, and a top-up at once", async () => {
    const table = new Table();
    table.wallets.set("alice", 77);
    const { gate, clock, emitted } = setUp(table.service, { lagWatch: true });
    const requests = Array.from({ length: 300 }, async () => {
      const decision = await authorize(gate);
      if (!decision.allowed) return decision.denial.code;
      decision.charge.report({ model: "m", inputTokens: 1 }, { credits: 1 });
      await decision.charge.settle();
      return "served";
    });
    await clock.advance(5_000);
    const served = await Promise.all(requests);
    expect(served.filter((one) => one === "served")).toHaveLength(77);
    expect(served.filter((one) => one === "insufficient_credits")).toHaveLength(223);
    expect(table.wallets.get("alice")).toBe(0);
    table.wallets.set("alice", 1);
    expect(outcome(await authorize(gate))).toBe("allowed");
    expect(emitted("degraded")).toEqual([]);
    expect(emitted("lag")).toEqual([]);
  });

  it("at once: what a report took is not counted beside the balance that shows it", async () => {
    const table = new Table();
    table.wallets.set("alice", 10);
    const { gate, clock } = setUp(table.service);
    await bill(gate, "abcde");
    await clock.advance(0);
    // The cached balance is older than the reports; a denial would need a newer one, which has room for 5.
    const decision = authorize(gate, 5);
    await clock.advance(1_000);
    expect(outcome(await decision)).toBe("allowed");
    expect(outcome(await authorizeSoon(gate, clock))).toBe("insufficient_credits");
  });

  it("at once: a balance that was read before a debit, and answered after it, does not forget it", async () => {
    const table = new Table();
    table.wallets.set("alice", 10);
    const answers: ReturnType<typeof pending<void>>[] = [];
    let isSlow = false;
    const balance = async (id: string) => {
      const read = table.read(id);
      if (!isSlow) return read;
      const answer = pending<void>();
      answers.push(answer);
      await answer.promise;
      return read;
    };
    const { gate, clock } = setUp({ ...table.service, balance }, { ttlMs: 1, maxStaleMs: 60_000 });
    await clock.advance(10);
    const first = await admit(gate, 6);
    isSlow = true;
    await clock.advance(1_000);
    // Refreshes behind this admission: the table is read now, with 10, and answers later.
    const second = await admit(gate, 1);
    await clock.advance(0);
    expect(answers).toHaveLength(1);
    for (let model = 0; model < 6; model++)
      first.report({ model: String(model), inputTokens: 1 }, { credits: 1 });
    await first.settle();
    await clock.advance(0);
    expect(table.wallets.get("alice")).toBe(4);
    isSlow = false;
    answers[0]?.resolve();
    await clock.advance(0);
    // 10 were read, 6 are debited, 1 is held.
    const denied = authorize(gate, 4);
    await clock.advance(5_000);
    expect(outcome(await denied)).toBe("insufficient_credits");
    const admitted = authorize(gate, 3);
    await clock.advance(5_000);
    expect(outcome(await admitted)).toBe("allowed");
    await second.release();
  });

  it("at once: a balance that shows a debit whose report is not answered yet counts it twice for that long only", async () => {
    const table = new Table();
    table.wallets.set("alice", 10);
    const answer = pending<void>();
    const report = async (reports: readonly ServiceReport[]) => {
      const outcomes = table.store(reports);
      await answer.promise;
      return outcomes;
    };
    const { gate, clock } = setUp({ ...table.service, report }, { checkTimeoutMs: 500 });
    await bill(gate, "abcdef");
    await clock.advance(0);
    expect(table.wallets.get("alice")).toBe(4);
    // 5 make the gate read the balance again, which has 4; 6 are not answered.
    for (const hold of [5, 4])
      expect(outcome(await authorizeSoon(gate, clock, hold))).toBe("insufficient_credits");
    const waiting = authorize(gate, 4);
    await clock.advance(300);
    answer.resolve();
    await clock.advance(5_000);
    expect(outcome(await waiting)).toBe("allowed");
  });

  it("at once: customers are forgotten as soon as they are idle, and no balance is read to watch a lag", async () => {
    const table = new Table();
    table.wallets.set("bob", 1);
    const report = async (reports: readonly ServiceReport[]) => void table.store(reports);
    const { gate, clock } = setUp({ ...table.service, report }, { maxCustomers: 1 });
    await bill(gate, "a");
    await clock.advance(1);
    expect(outcome(await authorize(gate, 1, "bob"))).toBe("allowed");
    await clock.advance(60_000);
    expect(table.balances).toBe(2);
  });

  it.each([
    ["at once: with lagWatch, a table that does not is found at once", true, 1],
    ["at once: with lagWatch, a table that does is left alone", false, 0],
  ])("%s", async (_case, isLate, lags) => {
    const table = new Table();
    const report = async (reports: readonly ServiceReport[]) => void (isLate || table.store(reports));
    const { gate, clock, emitted } = setUp({ ...table.service, report }, { lagWatch: true });
    await bill(gate, "a");
    await clock.advance(1_000);
    expect([emitted("lag").length, emitted("degraded")]).toEqual([lags, []]);
  });

  it("at once, but not what only a queue has taken: that counts for settlementLagMs", async () => {
    const table = new Table();
    table.wallets.set("alice", 10);
    const queue = { send: async () => {}, flush: async () => {} };
    const { gate, clock } = setUp(table.service, { queue, settlementLagMs: 3_000 });
    await bill(gate, "abcdef");
    await clock.advance(1_000);
    expect(outcome(await authorizeSoon(gate, clock, 5))).toBe("insufficient_credits");
    // Its consumer reports.
    table.wallets.set("alice", 4);
    await clock.advance(3_000);
    expect(outcome(await authorizeSoon(gate, clock, 4))).toBe("allowed");
  });

  it("later, unless it says otherwise: usage counts until settlementLagMs is over", async () => {
    const table = new Table({ settles: undefined });
    const { gate, clock } = setUp(
      { ...table.service, balance: async () => ({ available: 10 }) },
      { settlementLagMs: 3_000 },
    );
    await bill(gate, "abcdef");
    await clock.advance(2_000);
    expect(outcome(await authorizeSoon(gate, clock, 5))).toBe("insufficient_credits");
    await clock.advance(3_000);
    expect(outcome(await authorizeSoon(gate, clock, 5))).toBe("allowed");
  });

  it("later: what is unsettled counts exactly, however long it takes", async () => {
    const wallet = { available: 10, unsettled: 0 };
    const report = async (reports: readonly ServiceReport[]) => {
      wallet.unsettled += reports.length;
      return reports.map(() => ({ credits: 1 }));
    };
    const { gate, clock } = setUp({ balance: async () => ({ ...wallet }), report }, { settlementLagMs: 100 });
    await bill(gate, "abcdef");
    await clock.advance(60_000);
    expect(outcome(await authorizeSoon(gate, clock, 5))).toBe("insufficient_credits");
    expect(outcome(await authorizeSoon(gate, clock, 4))).toBe("allowed");
  });

  async function authorizeSoon(gate: Gate, clock: { advance(ms: number): Promise<void> }, hold = 1) {
    const decision = authorize(gate, hold);
    await clock.advance(1_000);
    return decision;
  }
});

describe("the name of a service", () => {
  it("is that of the object, so that gates on it share their holds", async () => {
    const { service } = new Table();
    const registry = createRegistry();
    const clock = createManualClock();
    const first = setUp(service, { registry, clock }).gate;
    const second = setUp(service, { registry, clock }).gate;
    await admit(first, 60);
    const denied = authorize(second, 60);
    await clock.advance(5_000);
    expect(outcome(await denied)).toBe("insufficient_credits");
    const other = setUp({ ...service }, { registry, clock }).gate;
    expect(outcome(await authorize(other, 60))).toBe("allowed");
  });

  it.each<[string, readonly (string | undefined)[], boolean, number]>([
    [
      "objects without one are reported once: they share no holds",
      [undefined, undefined, undefined],
      false,
      1,
    ],
    ["that one of two objects has is not reported", [undefined, "table"], false, 0],
    [
      "objects without one are not reported if the first is not used any more",
      [undefined, undefined],
      true,
      0,
    ],
  ])("%s", async (_case, names, isClosed, times) => {
    const registry = createRegistry();
    const clock = createManualClock();
    const troubles: unknown[] = [];
    for (const name of names) {
      const { gate, emitted } = setUp(new Table({ name }).service, { registry, clock });
      const decision = await authorize(gate);
      if (decision.allowed) await decision.charge.release();
      troubles.push(...emitted("degraded"));
      if (isClosed) await gate.close({ graceMs: 0 });
    }
    const message =
      "service.name: expected a name, since another service has none: their gates share no holds";
    expect(troubles).toMatchObject(Array(times).fill({ what: "setup", error: { message } }));
  });

  it("is shared by all objects that have it", async () => {
    const registry = createRegistry();
    const clock = createManualClock();
    const gates = [1, 2].map(() => setUp(new Table({ name: "table" }).service, { registry, clock }).gate);
    const decisions = Promise.all(gates.map((gate) => authorize(gate, 60)));
    await clock.advance(5_000);
    expect((await decisions).map(outcome).sort()).toEqual(["allowed", "insufficient_credits"]);
  });

  it("keeps the currencies apart in which services of one name have wallets", async () => {
    const registry = createRegistry();
    const clock = createManualClock();
    const named = () => new Table({ name: "table" }).service;
    const credits = setUp(named(), { registry, clock }).gate;
    const tokens = setUp(named(), { registry, clock, currency: "tokens" }).gate;
    await admit(credits, 60);
    expect(outcome(await authorize(tokens, 60))).toBe("allowed");
    const again = authorize(credits, 40);
    await clock.advance(5_000);
    expect(outcome(await again)).toBe("allowed");
  });

  it("lets processes share a ledger", async () => {
    const clock = createManualClock();
    const store = createMemoryStore({ clock });
    const table = new Table({ name: "table" });
    table.wallets.set("alice", 77);
    const gates = [1, 2].map(
      () =>
        setUp(table.service, {
          clock,
          registry: createRegistry(),
          ledger: createLeasedLedger(store, { clock }),
        }).gate,
    );
    const answers: string[] = [];
    for (let round = 0; round < 150; round++) {
      const work = gates.map(async (gate) => {
        const decision = await authorize(gate);
        answers.push(outcome(decision));
        if (!decision.allowed) return;
        decision.charge.report({ model: "m", inputTokens: 1 }, { credits: 1 });
        await decision.charge.settle();
      });
      await clock.advance(2_000);
      await Promise.all(work);
    }
    expect(answers.filter((one) => one === "allowed")).toHaveLength(77);
    expect(table.wallets.get("alice")).toBe(0);
  });
});

describe("what only our control plane has", () => {
  it("is absent: checks, recommended actions and questions about agents", async () => {
    const table = new Table();
    const { gate, clock, emitted } = setUp(table.service, { check: true });
    expect(await gate.check({ agentId: "chat", customerId: "alice" })).toEqual([]);
    const decision = await authorize(gate, 101);
    await clock.advance(5_000);
    expect(decision.allowed ? undefined : decision.denial.recommendedAction).toBeUndefined();
    expect(emitted("degraded")).toEqual([]);
    expect(table.calls).toEqual([]);
  });
});
