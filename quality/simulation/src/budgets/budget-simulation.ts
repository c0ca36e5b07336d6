import { type Budget, createRunBudget } from "@creditgate/core";
import { createManualClock, createRandom } from "@creditgate/core/testing";
import type { Faults } from "./budget-client.ts";
import { checkEnd } from "./budget-end.ts";
import { BudgetFleet } from "./budget-fleet.ts";
import { homeIn, type Process, start } from "./budget-process.ts";
import { BudgetService, type BudgetServiceOptions } from "./budget-service.ts";
import { anyOf, overspentRuns, play, type Scene } from "./budget-work.ts";

export interface BudgetSimulationOptions extends Partial<BudgetServiceOptions> {
  readonly seed: number;
  /** @default true */
  readonly restarts?: boolean;
  /** On one shared store, if there are several. @default 1 */
  readonly processes?: number;
  /** An operator changes limits, deletes budgets and creates them again. @default some */
  readonly edits?: boolean;
}

export interface BudgetSimulationResult {
  readonly seed: number;
  /** What was overspent, lost, kept back or thrown. */
  readonly violation: string | undefined;
  readonly admitted: number;
  readonly denied: Readonly<Record<string, number>>;
  /** Work that has waited for credits, and that has gone on after a pause. */
  readonly paused: number;
  readonly resumed: number;
  readonly reports: number;
  readonly restarts: number;
}

/**
 * Plays random work with budgets against a service on two replicas. Work pauses, credits expire, budgets begin anew, the network
 * fails, and processes die or close.
 */
export async function simulateBudgets(options: BudgetSimulationOptions): Promise<BudgetSimulationResult> {
  const { seed, skewMs, processes = 1, restarts: mayRestart = true } = options;
  const { oldReplica = false, byReceiptOnly = false, expired = "reserve" } = options;
  const random = createRandom(seed);
  // All that can run: how long it takes to take over an outbox depends on how much is in it.
  const clock = createManualClock({ drain: () => new Promise((resolve) => setImmediate(resolve)) });
  // Another stream: with or without edits a schedule begins alike.
  const operator = createRandom(seed + 1_000_000_007);
  const edits = operator.chance(0.4);
  const isEdited = options.edits ?? edits;
  const resets = options.resets ?? random.chance(0.3);
  const service = new BudgetService(clock, random, {
    skewMs: skewMs ?? random.pick([0, 2_500, -2_500]),
    oldReplica,
    byReceiptOnly,
    resets,
    expired,
    lateMs: options.lateMs ?? operator.pick([2_000, 20_000, 86_400_000]),
    isShared: processes > 1,
  });
  const faults: Faults = {
    roundTripMs: random.integer(1, 300),
    loss: random.chance(0.4) ? 0.15 : 0,
    stale: random.chance(0.2) ? 0.2 : 0,
    postsFailMs: random.chance(0.3) ? random.integer(2_000, 15_000) : 0,
    disk: random.pick([0, 0, 0.05, 0.3]),
  };
  const fleet = processes > 1 ? new BudgetFleet(clock, random) : undefined;
  const homes = Array.from({ length: processes }, () => homeIn(clock, fleet, random, faults));
  const scene: Scene = {
    ...{ clock, random, service },
    running: homes.map((home) => start(home, clock, service, random, faults)),
    runs: Array.from({ length: 3 }, () => createRunBudget({ limit: random.integer(3, 30) })),
    books: new Map<Budget, number>(),
    counts: { admitted: 0, paused: 0, resumed: 0, reports: 0 },
    denied: {},
  };
  const { running } = scene;
  let restarts = 0;

  /** The process dies, if it still runs, and another takes its place. */
  function restart(index: number, process: Process): void {
    const home = homes[index];
    if (running[index] !== process || home === undefined) return;
    process.clock.die();
    home.lose();
    restarts++;
    running[index] = start(home, clock, service, random, faults);
  }

  /** Something happens to a process, now and then. */
  function strike(index: number, process: Process): void {
    if (!mayRestart || !random.chance(0.02)) fleet?.strike(process.clock);
    else if (random.chance(0.7)) restart(index, process);
    else {
      for (const gate of process.gates) void gate.close({ graceMs: random.integer(0, 2_000) });
      clock.schedule(random.integer(0, 3_000), () => restart(index, process));
    }
  }

  function topUp(): void {
    const expiresAt = random.chance(0.4) ? clock.now() + random.integer(1_000, 8_000) : undefined;
    service.topUp(random.integer(1, 60) * 1e6, expiresAt);
    // Its webhook tells one of the gates.
    if (random.chance(0.5)) anyOf(random, anyOf(random, running).gates).refresh("acme");
  }

  const until = random.integer(6, fleet === undefined ? 25 : 15) * 1_000;
  while (clock.now() < until && service.violations.length === 0) {
    await clock.advance(random.integer(0, 400));
    for (let count = random.integer(0, 4); count > 0; count--)
      play(scene).catch((error) => service.violations.push(`threw ${error}`));
    if (random.chance(0.03)) topUp();
    if (isEdited && operator.chance(0.1)) service.edit(anyOf(operator, service.keys));
    if (resets && random.chance(0.1)) service.reset(anyOf(random, service.keys));
    for (const [index, process] of running.entries()) strike(index, process);
    service.violations.push(...overspentRuns(scene));
  }
  if (fleet !== undefined) fleet.isQuiet = true;
  faults.loss = faults.stale = faults.postsFailMs = faults.disk = 0;
  // The balance and then the budgets are read within the second that a decision waits.
  faults.roundTripMs = Math.min(faults.roundTripMs, 200);
  await clock.advance(fleet === undefined ? 120_000 : 90_000);
  if (service.violations.length === 0 && !oldReplica) await checkEnd(scene);
  for (const { clock: processClock } of running) processClock.die();
  const { counts, denied } = scene;
  return { seed, violation: service.violations[0], ...counts, denied, restarts };
}
