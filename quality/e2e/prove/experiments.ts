import { MemoryOutboxStore } from "@creditgate/conformance";
import {
  createGate,
  createRegistry,
  type Gate,
  type GateOptions,
  type Outbox,
  type Service,
} from "@creditgate/core";
import { createManualClock, createRandom, type ManualClock, type Random } from "@creditgate/core/testing";
import { createFleetOutbox, createLeasedLedger, createMemoryStore } from "@creditgate/fleet";

/** What came of it, in whole credits. */
export interface Measured {
  /** How often it was tried. */
  readonly times: number;
  /** With the condition broken: what was overspent or lost, and the most that the README allows. */
  readonly broken: number;
  readonly bound: number;
  /** The same load with the condition kept. */
  readonly kept: number;
}

const work = { customerId: "alice", agentId: "chat", indicator: "message" };
const latencyMs = 2_000;
const hangs = () => new Promise<never>(() => {});

/** A billing service with one wallet, which debits a report `debitsAfterMs` after it has accepted it. */
class Billing {
  readonly clock = createManualClock();
  readonly name = "billing";
  balances = 0;
  accepted = 0;
  isDown = false;
  available: number;
  readonly #debitsAfterMs: number;
  readonly #keys = new Set<string>();

  constructor(available: number, debitsAfterMs = 0) {
    this.available = available;
    this.#debitsAfterMs = debitsAfterMs;
  }

  readonly service: Service = {
    name: this.name,
    balance: async () => {
      this.balances++;
      return { available: this.available };
    },
    report: async (reports) => {
      if (this.isDown) throw new Error("billing is down");
      for (const { key, usage } of reports) {
        if (this.#keys.has(key)) continue;
        this.#keys.add(key);
        const credits = usage.inputTokens ?? 0;
        this.accepted += credits;
        this.clock.schedule(this.#debitsAfterMs, () => {
          this.available -= credits;
        });
      }
    },
  };

  open(options: Partial<GateOptions> = {}): Gate {
    const own = {
      registry: createRegistry(),
      clock: this.clock,
      random: () => 0.5,
      openTelemetry: false,
      logger: false,
    };
    return createGate({ service: this.service, currency: "credits", ...own, ...options } as GateOptions);
  }
}

/** Sends requests to all gates at once, and does the work of those that are admitted. Returns what it cost. */
async function burst(
  gates: readonly Gate[],
  {
    clock,
    requests,
    hold,
    cost = () => hold,
  }: {
    readonly clock: ManualClock;
    readonly requests: number;
    readonly hold: number;
    readonly cost?: () => number;
  },
): Promise<{ readonly served: number; readonly denied: number; readonly spent: number }> {
  const asked = gates.flatMap((gate) =>
    Array.from({ length: requests }, () => gate.authorize({ ...work, hold })),
  );
  await clock.advance(latencyMs);
  const decisions = await Promise.all(asked);
  let [served, denied, spent] = [0, 0, 0];
  for (const decision of decisions) {
    if (!decision.allowed) {
      if (decision.denial.status === 402) denied++;
      continue;
    }
    const credits = cost();
    served++;
    spent += credits;
    decision.charge.report({ model: "m", inputTokens: credits }, { credits });
    await decision.charge.settle();
  }
  await clock.advance(0);
  return { served, denied, spent };
}

/** `npm run prove` asks for a hundred. */
export const rounds = Number(process.env.CREDITGATE_PROVE_ROUNDS ?? 10);

/** Plays random rounds, each with the condition broken and kept. */
async function compare(
  play: (random: Random, isBroken: boolean) => Promise<{ readonly excess: number; readonly bound: number }>,
): Promise<Measured> {
  const sum = { broken: 0, bound: 0, kept: 0 };
  for (let seed = 1; seed <= rounds; seed++) {
    const { excess, bound } = await play(createRandom(seed), true);
    if (excess > bound)
      throw new Error(`seed ${seed}: expected at most ${bound} credits, received ${excess}`);
    sum.broken += excess;
    sum.bound += bound;
    sum.kept += (await play(createRandom(seed), false)).excess;
  }
  return { times: rounds, ...sum };
}

/** 200 parallel requests on a wallet of 50 credits. */
export async function parallelRequests(): Promise<{
  readonly served: Set<number>;
  readonly denied: Set<number>;
}> {
  const [served, denied] = [new Set<number>(), new Set<number>()];
  for (let round = 0; round < rounds; round++) {
    const billing = new Billing(50, 5_000);
    const outcome = await burst([billing.open()], { clock: billing.clock, requests: 200, hold: 1 });
    served.add(outcome.served);
    denied.add(outcome.denied);
  }
  return { served, denied };
}

/** A thousand requests, one after the other, while the service answers no report: what it was asked for. */
export async function roundTrips(): Promise<{ readonly served: number; readonly balances: number }> {
  const billing = new Billing(1_000);
  const gate = billing.open({ service: { ...billing.service, report: hangs } } as Partial<GateOptions>);
  let served = 0;
  for (let request = 0; request < 1_000; request++) {
    const decision = await gate.authorize({ ...work, hold: 1 });
    if (!decision.allowed) continue;
    served++;
    decision.charge.report({ model: "m", inputTokens: 1 }, { credits: 1 });
    await decision.charge.settle();
  }
  return { served, balances: billing.balances };
}

/** Customers who are denied, pay, and ask again: how many of them are served at once. */
export async function justPaid(): Promise<{ readonly denied: number; readonly served: number }> {
  let [denied, served] = [0, 0];
  for (let seed = 1; seed <= rounds; seed++) {
    const random = createRandom(seed);
    const billing = new Billing(random.integer(0, 4));
    const gate = billing.open();
    const request = { clock: billing.clock, requests: 1, hold: 5 };
    denied += (await burst([gate], request)).denied;
    await billing.clock.advance(random.pick([0, 1, 100, 5_000]));
    billing.available += 5;
    served += (await burst([gate], request)).served;
  }
  return { denied, served };
}

/** No request costs more than its hold: broken by up to as much again. */
export const costsMoreThanItsHold = (): Promise<Measured> =>
  compare(async (random, isBroken) => {
    const funds = random.integer(10, 100);
    const hold = random.integer(1, 5);
    const billing = new Billing(funds);
    let bound = 0;
    const cost = () => {
      const more = isBroken ? random.integer(0, hold) : 0;
      bound += more;
      return hold + more;
    };
    const { spent } = await burst([billing.open()], { clock: billing.clock, requests: 120, hold, cost });
    return { excess: Math.max(0, spent - funds), bound };
  });

/** Nothing else spends the wallet: broken by somebody who takes a part of it behind the gate's cached balance. */
export const othersSpend = (): Promise<Measured> =>
  compare(async (random, isBroken) => {
    const funds = random.integer(10, 100);
    const billing = new Billing(funds);
    const gate = billing.open();
    const own = await burst([gate], { clock: billing.clock, requests: 1, hold: 1 });
    const taken = isBroken ? random.integer(1, funds - 1) : 0;
    billing.available -= taken;
    const { spent } = await burst([gate], { clock: billing.clock, requests: 120, hold: 1 });
    return { excess: Math.max(0, own.spent + spent + taken - funds), bound: taken };
  });

/** Usage settles within `settlementLagMs`: broken by a service that takes twice as long. */
export const settlesLate = (): Promise<Measured> =>
  compare(async (random, isBroken) => {
    const funds = random.integer(10, 100);
    const lagMs = random.integer(3_000, 10_000);
    const debitsAfterMs = isBroken ? 2 * lagMs : lagMs;
    const billing = new Billing(funds, debitsAfterMs);
    const gate = billing.open({ settlementLagMs: lagMs });
    let [spent, bound] = [0, 0];
    let firstAt: number | undefined;
    while (billing.clock.now() < 4 * lagMs) {
      const outcome = await burst([gate], { clock: billing.clock, requests: 20, hold: 1 });
      if (outcome.served > 0) firstAt ??= billing.clock.now();
      const age = billing.clock.now() - (firstAt ?? billing.clock.now());
      spent += outcome.spent;
      // The extra time begins `lagMs` after the first report.
      if (isBroken && age >= lagMs) bound += outcome.spent;
    }
    return { excess: Math.max(0, spent - funds), bound };
  });

/** Processes that spend one wallet share a ledger: broken by 2 to 5 that do not. */
export const separateLedgers = (): Promise<Measured> =>
  compare(async (random, isBroken) => {
    const funds = random.integer(10, 100);
    const processes = random.integer(2, 5);
    const billing = new Billing(funds, 5_000);
    const { clock } = billing;
    const store = createMemoryStore({ clock });
    const gates = Array.from({ length: processes }, () =>
      billing.open(isBroken ? {} : { ledger: createLeasedLedger(store, { clock }) }),
    );
    const { spent } = await burst(gates, { clock, requests: 120, hold: 1 });
    return { excess: Math.max(0, spent - funds), bound: (processes - 1) * funds };
  });

/** Usage waits in a durable outbox: broken by one in memory, while billing is down and the process crashes. */
export const outboxInMemory = (): Promise<Measured> =>
  compare(async (random, isBroken) => {
    const billing = new Billing(1_000);
    const { clock } = billing;
    const store = new MemoryOutboxStore(() => clock.now());
    let isDead = false;
    const start = (isAlive: () => boolean): Gate => {
      const service = { ...billing.service, report: mortal(billing.service.report, isAlive) };
      const outbox: Outbox | undefined = isBroken
        ? undefined
        : createFleetOutbox(store, { process: "one", clock });
      return billing.open({ service, ...(outbox && { outbox }) } as Partial<GateOptions>);
    };
    const load = () => ({ clock, requests: random.integer(1, 20), hold: 1 });
    const first = start(() => !isDead);
    const before = await burst([first], load());
    billing.isDown = true;
    const during = await burst([first], load());
    const undelivered = before.spent + during.spent - billing.accepted;
    isDead = true;
    billing.isDown = false;
    const after = await burst([start(() => true)], { clock, requests: 1, hold: 1 });
    await clock.advance(120_000);
    const spent = before.spent + during.spent + after.spent;
    return { excess: spent - billing.accepted, bound: undelivered };
  });

/** A process that has crashed sends nothing any more. */
function mortal(report: Service["report"], isAlive: () => boolean): Service["report"] {
  return (reports) => (isAlive() ? report(reports) : hangs());
}
