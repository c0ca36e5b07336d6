import { CreditgateError } from "@creditgate/client";
import { MemoryOutboxStore } from "@creditgate/conformance";
import {
  type Budget,
  type Clock,
  createGate,
  createRegistry,
  createRunBudget,
  type Gate,
  type Ledger,
  type Outbox,
  type ReportedBudget,
  type RunBudget,
} from "@creditgate/core";
import { createManualClock, createRandom, type ManualClock, type Random } from "@creditgate/core/testing";
import { FleetClock } from "../fleet/fleet-clock.ts";
import { fromMicro } from "../micro.ts";
import { OutboxFile } from "../outbox-file.ts";
import { createSlowOutbox } from "../slow-outbox.ts";
import { sleep } from "../time.ts";
import { BudgetFleet, openOutbox } from "./budget-fleet.ts";
import { BudgetService, type BudgetServiceOptions } from "./budget-service.ts";

export interface BudgetSimulationOptions extends Partial<BudgetServiceOptions> {
  readonly seed: number;
  /** @default true */
  readonly restarts?: boolean;
  /** On one shared store, if there are several. @default 1 */
  readonly processes?: number;
}

export interface BudgetSimulationResult {
  readonly seed: number;
  /** What was overspent, or thrown. */
  readonly violation: string | undefined;
  readonly admitted: number;
  readonly denied: Readonly<Record<string, number>>;
  readonly restarts: number;
}

interface Faults {
  readonly roundTripMs: number;
  loss: number;
  stale: number;
  /** No report gets through in this part of each 20 s. */
  postsFailMs: number;
}

/** A process with two gates on one wallet. */
interface Process {
  readonly clock: FleetClock;
  readonly gates: readonly [Gate, Gate];
}

const customerId = "acme";

/** Plays random work with budgets against a service on two replicas, with faults, resets and restarts. */
export async function simulateBudgets(options: BudgetSimulationOptions): Promise<BudgetSimulationResult> {
  const { seed, skewMs, oldReplica = false, byReceiptOnly = false, resets = false, processes = 1 } = options;
  const random = createRandom(seed);
  const clock = createManualClock();
  const service = new BudgetService(clock, random, {
    skewMs: skewMs ?? random.pick([0, 2_500, -2_500]),
    oldReplica,
    byReceiptOnly,
    resets,
  });
  const faults = {
    roundTripMs: random.integer(1, 300),
    loss: random.chance(0.4) ? 0.15 : 0,
    stale: random.chance(0.2) ? 0.2 : 0,
    postsFailMs: random.chance(0.3) ? random.integer(2_000, 15_000) : 0,
  };
  const fleet = processes > 1 ? new BudgetFleet(clock, random) : undefined;
  const homes = Array.from({ length: processes }, () => homeIn(clock, fleet));
  const denied: Record<string, number> = {};
  const runs: RunBudget[] = Array.from({ length: 3 }, () =>
    createRunBudget({ limit: random.integer(3, 30) }),
  );
  /** Micro-credits of what each run has reported, by a book of our own. */
  const books = new Map<Budget, number>();
  let admitted = 0;
  let restarts = 0;
  const running = homes.map((home) => start(home, clock, service, random, faults));

  async function work(): Promise<void> {
    const own = random.pick(running as [Process, ...Process[]]);
    const gate = random.pick(own.gates as readonly [Gate, ...Gate[]]);
    const keys = service.keys.filter(() => random.chance(0.3)).slice(0, 6);
    const budgets: Budget[] = [...keys].sort(() => random.next() - 0.5);
    if (random.chance(0.02)) budgets.push("nobody");
    if (random.chance(0.3)) budgets.push(random.pick(runs as [RunBudget, ...RunBudget[]]));
    const max = random.integer(1, 12);
    const hold = random.chance(0.3) ? { min: random.integer(1, max), max } : max;
    const decision = await gate.authorize({ customerId, agentId: "a", indicator: "i", hold, budgets });
    if (!decision.allowed) {
      const { code } = decision.denial;
      denied[code] = (denied[code] ?? 0) + 1;
      return;
    }
    admitted++;
    const { charge } = decision;
    await sleep(own.clock, random.integer(0, random.chance(0.5) ? 300 : 4_000));
    if (random.chance(0.15)) return charge.release();
    if (random.chance(0.25)) {
      const most = random.integer(1, 6);
      await charge.extend(random.chance(0.5) ? most : { min: 1, max: most });
      await sleep(own.clock, random.integer(0, 1_000));
    }
    let left = Math.round(charge.held * 1e6);
    if (random.chance(0.6)) left = random.integer(0, left);
    const reports = random.integer(1, 2);
    for (let index = 1; index <= reports; index++) {
      const amount = index === reports ? left : random.integer(0, left);
      left -= amount;
      for (const budget of budgets) books.set(budget, (books.get(budget) ?? 0) + amount);
      charge.report({
        provider: "p",
        model: "m",
        plan: keys.join(" "),
        inputTokens: 0,
        outputTokens: amount,
      });
    }
    charge.settle().catch(() => {});
  }

  const until = (fleet === undefined ? random.integer(20, 60) : random.integer(6, 15)) * 1_000;
  while (clock.now() < until && service.violations.length === 0) {
    await clock.advance(random.integer(0, 400));
    for (let count = random.integer(0, 4); count > 0; count--)
      work().catch((error) => service.violations.push(`threw ${error}`));
    if (random.chance(0.02)) service.topUp(random.integer(1, 60) * 1e6);
    if (resets && random.chance(0.1)) service.reset(random.pick(service.keys as [string, ...string[]]));
    for (const [index, home] of homes.entries()) {
      const { clock: processClock } = running[index] as Process;
      if (random.chance(options.restarts === false ? 0 : 0.02)) {
        processClock.die();
        home.lose();
        restarts++;
        running[index] = start(home, clock, service, random, faults);
      } else fleet?.strike(processClock);
    }
    for (const run of runs) {
      const spent = fromMicro(books.get(run) ?? 0);
      if (spent > run.limit) service.violations.push(`a run of ${run.limit} has spent ${spent}`);
    }
  }
  if (fleet !== undefined) fleet.isQuiet = true;
  faults.loss = faults.stale = faults.postsFailMs = 0;
  await clock.advance(fleet === undefined ? 120_000 : 90_000);
  if (fleet !== undefined) await spendAll(running, clock, service, random);
  for (const { clock: processClock } of running) processClock.die();
  return { seed, violation: service.violations[0], admitted, denied, restarts };
}

/** When all is quiet, any process can spend what is left of a budget to the last credit: none stays with the dead. */
async function spendAll(
  running: readonly Process[],
  clock: ManualClock,
  service: BudgetService,
  random: Random,
): Promise<void> {
  const key = random.pick(service.keys as [string, ...string[]]);
  const hold = service.left(key);
  const all = await Promise.all(running.flatMap(({ gates }) => gates.map((gate) => gate.status())));
  // What may have been billed or not counts until an operator decides.
  const isParked = all.some(({ parked }) => parked > 0);
  if (hold <= 0 || isParked || service.violations.length > 0) return;
  const [gate] = random.pick(running as [Process, ...Process[]]).gates;
  const asked = gate.authorize({ customerId, agentId: "a", indicator: "i", hold, budgets: [key] });
  let answer = "no answer";
  void asked.then((decision) => {
    answer = decision.allowed ? "admitted" : decision.denial.code;
  });
  await clock.advance(5_000);
  if (answer !== "admitted") service.violations.push(`when all was quiet, ${hold} of ${key}: ${answer}`);
}

/** Where a process keeps its outboxes, and what it shares with others: the same for its successor. */
interface Home {
  readonly ledger: ((clock: FleetClock) => Ledger) | undefined;
  readonly outboxes: readonly ((clock: FleetClock) => Outbox)[];
  /** Its process dies: what is not on the disk is gone. */
  lose(): void;
}

function homeIn(clock: Clock, fleet: BudgetFleet | undefined): Home {
  if (fleet !== undefined) {
    const stores = [new MemoryOutboxStore(() => clock.now()), new MemoryOutboxStore(() => clock.now())];
    return {
      ledger: (processClock) => fleet.ledger(processClock),
      outboxes: stores.map((store) => (processClock: FleetClock) => openOutbox(store, processClock)),
      lose() {},
    };
  }
  const files = [new OutboxFile(clock), new OutboxFile(clock)];
  const nextAppend = () => ({ delayMs: 0, fails: false });
  return {
    ledger: undefined,
    outboxes: files.map((file) => (processClock: FleetClock) => {
      return createSlowOutbox({ clock: processClock, file, durable: true, nextAppend });
    }),
    lose() {
      for (const file of files) file.lose();
    },
  };
}

function start(home: Home, clock: Clock, service: BudgetService, random: Random, faults: Faults): Process {
  const processClock = new FleetClock(clock);
  const registry = createRegistry();
  const client = clientOf(service, processClock, random, faults);
  const ledger = home.ledger?.(processClock);
  const [first, second] = home.outboxes.map((open) =>
    createGate({
      client,
      currency: "ai_credits",
      registry,
      clock: processClock,
      random: () => random.next(),
      outbox: open(processClock),
      ...(ledger && { ledger }),
      actionTimeoutMs: 0,
      lagWatch: false,
      check: false,
      openTelemetry: false,
      logger: false,
      settlementLagMs: 5_000,
      ttlMs: random.integer(100, 3_000),
      maxStaleMs: random.integer(3_000, 20_000),
      minRefreshMs: random.integer(0, 250),
    }),
  );
  if (first === undefined || second === undefined) throw new Error("two gates");
  return { clock: processClock, gates: [first, second] };
}

/** The wire, with what it loses and what a cache has kept. */
function clientOf(service: BudgetService, clock: Clock, random: Random, faults: Faults) {
  /** What a cache has kept of each kind of answer. */
  const kept = new Map<string, unknown>();
  const pass = async (code: "not_sent" | "timeout") => {
    await sleep(clock, random.integer(0, faults.roundTripMs));
    if (random.chance(faults.loss)) throw new CreditgateError(code, "lost");
  };
  type Sent = {
    rawUsage: { plan: string; outputTokens: number };
    budgets?: readonly ReportedBudget[];
    key: string;
  };
  const store = (id: string, { rawUsage, budgets }: Sent, replica: number) => {
    const { plan, outputTokens } = rawUsage;
    const stored = service.store(id, outputTokens, plan.split(" "), budgets, replica);
    const body = { credits: fromMicro(outputTokens), currency: "ai_credits" };
    return stored === undefined ? body : { ...body, budgets: stored };
  };
  return {
    fingerprint: async () => "simulated",
    // biome-ignore lint/suspicious/noExplicitAny: the wire carries anything
    async send(endpoint: { readonly name: string }, input: any = {}, options: any = {}) {
      const replica = random.integer(0, 1);
      const { idempotencyKey } = options;
      await pass("not_sent");
      const isOld = service.isOld(replica);
      const isPost = endpoint.name.startsWith("usage");
      if (isPost && clock.now() % 20_000 < faults.postsFailMs)
        throw new CreditgateError("not_sent", "an outage");
      const isFresh = !random.chance(faults.stale);
      const told = { batchLimit: 500, isFresh, ...(!isOld && { budgetLimit: 8 }) };
      let body: unknown;
      if (endpoint.name === "walletBalance") body = service.balance(undefined, replica);
      else if (endpoint.name === "walletBudgets") {
        // A version that knows none has no such endpoint.
        if (isOld) throw new CreditgateError("http", "405", { status: 405 });
        body = service.balance(input.body.budgets.ai_credits, replica);
      } else if (endpoint.name === "usageBatch") {
        const results = (input.body.reports as Sent[]).map((report) => ({
          key: report.key,
          status: 202,
          body: store(report.key, report, replica),
        }));
        body = { results };
      } else body = store(idempotencyKey, input.body, replica);
      const name = JSON.stringify([endpoint.name, input.body?.budgets]);
      // The wallet must not be old: an answer shows some instant after its request, or the promise does not hold.
      if (!isPost && !isFresh) body = { ...Object(body), ...Object(kept.get(name)), ...balancesOf(body) };
      kept.set(name, body);
      await pass("timeout");
      return { status: 200, body, idempotencyKey, ...told };
    },
  };
}

function balancesOf(body: unknown): object {
  return { balances: Object(body).balances };
}
