import { type Budget, type Charge, type Decision, type Gate, pause, type RunBudget } from "@creditgate/core";
import type { ManualClock, Random } from "@creditgate/core/testing";
import { fromMicro } from "../micro.ts";
import { sleep } from "../time.ts";
import type { Process } from "./budget-process.ts";
import type { BudgetService, TrueUsage } from "./budget-service.ts";

export const customerId = "acme";

/** What work is played in. */
export interface Scene {
  readonly clock: ManualClock;
  readonly random: Random;
  readonly service: BudgetService;
  readonly running: Process[];
  readonly runs: readonly RunBudget[];
  /** Micro-credits that each run has reported, by a book of our own. */
  readonly books: Map<Budget, number>;
  readonly counts: { admitted: number; paused: number; resumed: number; reports: number };
  readonly denied: Record<string, number>;
}

export const anyOf = <One>(random: Random, all: readonly One[]): One => random.pick(all as [One, ...One[]]);

/** A piece of work that was let in. */
export class Work {
  readonly process: Process;
  readonly charge: Charge;
  readonly #scene: Scene;
  readonly #budgets: readonly Budget[];
  readonly #reported: TrueUsage[] = [];
  /** A balance of this instant at the earliest has let in what it holds. */
  #since: number;
  #budgetsSince: number;
  #admittedAt: number;

  constructor(
    scene: Scene,
    process: Process,
    { charge, trace }: Extract<Decision, { allowed: true }>,
    budgets: readonly Budget[],
  ) {
    this.#scene = scene;
    this.process = process;
    this.charge = charge;
    this.#budgets = budgets;
    this.#since = this.#earliest(trace.snapshotAgeMs ?? process.maxStaleMs);
    this.#budgetsSince = this.#earliest(process.maxStaleMs);
    this.#admittedAt = scene.clock.now();
  }

  /** A stopped process, or a machine that has slept, may decide late by a balance that was young. */
  #earliest(ageMs: number): number {
    const lateMs = this.#scene.running.length > 1 ? this.process.maxStaleMs + 10_000 : 0;
    return this.#scene.clock.now() - ageMs - lateMs;
  }

  /** Micro-credits. */
  report(amount: number): void {
    const { service, books, counts } = this.#scene;
    for (const budget of this.#budgets) books.set(budget, (books.get(budget) ?? 0) + amount);
    const keys = this.#budgets.filter((budget) => typeof budget === "string");
    const [since, budgetsSince, admittedAt] = [this.#since, this.#budgetsSince, this.#admittedAt];
    const usage = { amount, keys, since, budgetsSince, admittedAt, isDurable: false };
    const name = `usage-${counts.reports++}`;
    this.#reported.push(usage);
    service.expect(name, usage);
    this.charge.report({ provider: "p", model: name, inputTokens: 0, outputTokens: amount });
  }

  /** Resolves to whether it goes on. */
  async pause(need: number | { min: number; max: number }, waitMs: number, leavesMs?: number) {
    const { service, counts } = this.#scene;
    const leaving = new AbortController();
    if (leavesMs !== undefined) this.process.clock.schedule(leavesMs, () => leaving.abort());
    this.process.pauses++;
    const { allowed } = await pause(this.charge, need, {
      waitMs,
      signal: leaving.signal,
      onPause: () => {
        counts.paused++;
        if (this.charge.held > 0) service.violations.push(`paused work holds ${this.charge.held}`);
      },
    });
    this.process.pauses--;
    this.#since = this.#budgetsSince = this.#earliest(this.process.maxStaleMs);
    this.#admittedAt = this.#scene.clock.now();
    if (allowed) counts.resumed++;
    return allowed;
  }

  async settle(): Promise<void> {
    await this.charge.settle().then(
      () => {
        for (const usage of this.#reported) usage.isDurable = true;
      },
      // The gate has given up.
      () => {},
    );
  }
}

/** Asks for work, and does it if it is let in. */
export async function play(scene: Scene): Promise<void> {
  const { random, running, service, runs } = scene;
  const own = anyOf(random, running);
  const keys = service.keys.filter(() => random.chance(0.3)).slice(0, 6);
  const budgets: Budget[] = [...keys].sort(() => random.next() - 0.5);
  if (random.chance(0.02)) budgets.push("nobody");
  if (random.chance(0.3)) budgets.push(anyOf(random, runs));
  const most = random.integer(1, 12);
  const hold = random.chance(0.3) ? { min: random.integer(1, most), max: most } : most;
  const work = await ask(scene, own, anyOf<Gate>(random, own.gates), hold, budgets);
  if (work === undefined) return;
  const { charge, process } = work;
  await sleep(process.clock, random.integer(0, random.chance(0.5) ? 300 : 4_000));
  if (random.chance(0.15)) return charge.release();
  if (random.chance(0.25)) {
    const max = random.integer(1, 6);
    await charge.extend(random.chance(0.5) ? max : { min: 1, max });
    await sleep(process.clock, random.integer(0, 1_000));
  }
  while (random.chance(0.25)) {
    if (random.chance(0.9)) spend(work, random);
    const max = random.integer(1, 12);
    const need = random.chance(0.5) ? max : { min: random.integer(1, max), max };
    const leavesMs = random.chance(0.1) ? random.integer(0, 8_000) : undefined;
    if (!(await work.pause(need, random.integer(0, 20_000), leavesMs))) return work.settle();
    await sleep(process.clock, random.integer(0, 1_000));
  }
  spend(work, random);
  await work.settle();
}

/** Reports some of what the work holds, at most all. */
function spend(work: Work, random: Random): void {
  let left = Math.round(work.charge.held * 1e6);
  if (random.chance(0.6)) left = random.integer(0, left);
  const reports = random.integer(1, 2);
  for (let index = 1; index <= reports; index++) {
    const amount = index === reports ? left : random.integer(0, left);
    left -= amount;
    work.report(amount);
  }
}

/** `undefined` if it is denied. */
export async function ask(
  scene: Scene,
  process: Process,
  gate: Gate,
  hold: number | { min: number; max: number },
  budgets: readonly Budget[],
): Promise<Work | undefined> {
  const decision = await gate.authorize({ customerId, agentId: "a", indicator: "i", hold, budgets });
  if (decision.allowed) {
    scene.counts.admitted++;
    return new Work(scene, process, decision, budgets);
  }
  const { code } = decision.denial;
  scene.denied[code] = (scene.denied[code] ?? 0) + 1;
  return undefined;
}

/** Micro-credits of each run beyond its limit. */
export function overspentRuns({ runs, books }: Scene): readonly string[] {
  return runs
    .map((run) => [run.limit, fromMicro(books.get(run) ?? 0)] as const)
    .filter(([limit, spent]) => spent > limit)
    .map(([limit, spent]) => `a run of ${limit} has spent ${spent}`);
}
