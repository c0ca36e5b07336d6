import { unrestMs } from "./fleet-scenario.ts";
import { type FleetOptions, FleetWorld } from "./fleet-world.ts";
import { outboxAbandonMs } from "./outbox-home.ts";

/** What came of a seed. */
export interface FleetResult {
  readonly seed: number;
  /** The first broken promise; `undefined` when all were kept. */
  readonly violation: string | undefined;
  /** What happened, line by line, if asked for. */
  readonly trace: readonly string[];
  readonly admitted: number;
  readonly denied: number;
  /** Requests that were answered with "cannot tell". */
  readonly unknown: number;
  readonly syncs: number;
  readonly reports: number;
  readonly restarts: number;
  /** Micro-credits that were overspent, and the most that the faults allow. */
  readonly overspent: number;
  readonly bound: number;
}

/**
 * Plays the schedule of a seed with four processes on one store and one wallet, each with a leased ledger, and checks that the
 * wallet is not overspent: by nothing as long as the assumptions hold, else by no more than the bound of each fault. When all has
 * been quiet for long enough, one process can spend what is left to the last credit.
 *
 * Outboxes are the real ones, each on a store of its own or all on one, step by step over the network: the process with the same name
 * takes over what a dead one has left, or any other one does, and no credits stay with the dead.
 *
 * Processes die and start again, on an outbox that has lasted or on none; they stop, and sleep with their machine, for less and
 * more than a lease and than `abandonMs`; they are cut off. Sync requests, answers and reports are lost, doubled and late; for a
 * while the service takes no reports. The store is emptied, loses a part of the
 * account, or an older one with another clock takes its place. The clock of the store steps back. The service is extended, or not, or changes.
 */
export async function simulateFleet(options: FleetOptions): Promise<FleetResult> {
  const world = new FleetWorld(options);
  world.note(() => JSON.stringify(world.scenario));
  scheduleRequests(world);
  scheduleFaults(world);
  await world.clock.advance(unrestMs + 4_000);
  world.isQuiet = true;
  await world.clock.advance(restMs(world));
  if (world.violation === undefined) await spendAll(world);
  const { overspent } = world.wallet;
  if (overspent > world.bound) {
    world.violated(`overspend: ${overspent} where the faults allow ${world.bound}`);
  }
  return {
    seed: options.seed,
    violation: world.violation,
    trace: world.trace,
    ...world.verdicts,
    syncs: world.syncs,
    reports: world.reports,
    restarts: world.restarts,
    overspent,
    bound: world.bound,
  };
}

function scheduleRequests(world: FleetWorld): void {
  const { random, scenario } = world;
  for (let request = 0; request < scenario.requests; request++) {
    const index = world.pick();
    const instant = random.chance(0.4)
      ? random.integer(0, unrestMs)
      : random.pick(scenario.bursts) + random.integer(0, 300);
    world.at(instant, () => world.arrive(index));
  }
  for (const instant of scenario.topUps) {
    const amount = random.integer(10, 500);
    world.at(instant, () => {
      world.note(() => `top-up by ${amount}`);
      world.wallet.topUp(amount);
    });
  }
  if (scenario.switchesAt < unrestMs) {
    world.at(scenario.switchesAt, () => {
      world.note(() => "the service tells otherwise");
      world.wallet.extended = !world.wallet.extended;
    });
  }
}

function scheduleFaults(world: FleetWorld): void {
  const { random, scenario } = world;
  const { kills, pauses, sleeps, cuts, outages, areLong, aheadMs, loss } = scenario.faults;
  const instant = () =>
    random.chance(0.5)
      ? random.pick(scenario.bursts) + random.integer(0, 400)
      : random.integer(500, unrestMs);
  for (let kill = 0; kill < kills; kill++) {
    const index = world.pick();
    world.at(random.integer(500, unrestMs), () => world.kill(index));
  }
  for (let stop = 0; stop < pauses + sleeps; stop++) {
    const index = world.pick();
    const forMs = areLong ? random.integer(4_000, 9_000) : random.integer(100, 3_500);
    world.at(instant(), () => world.stop(index, forMs, stop >= pauses));
  }
  for (let cut = 0; cut < cuts; cut++) {
    const index = world.pick();
    const forMs = random.integer(100, areLong ? 7_000 : 3_000);
    world.at(instant(), () => world.cut(index, forMs));
  }
  for (let outage = 0; outage < outages; outage++) {
    const forMs = random.integer(500, 4_000);
    world.at(instant(), () => world.refuseReports(forMs));
  }
  if (aheadMs > 0) {
    world.at(instant(), () => world.setClock());
  }
  if (loss === undefined) return;
  const lostAt = random.chance(0.6)
    ? scenario.bursts[0] + random.integer(50, 500)
    : random.integer(1_500, unrestMs - 3_000);
  const behindMs = random.integer(1, random.pick([400, 780]));
  const skewMs = random.integer(-300, 300);
  if (loss === "older") world.at(Math.max(0, lostAt - 800), () => world.store.copy(41));
  world.at(lostAt, () => world.loseMemory(behindMs, skewMs));
}

/** Until nothing of what was is unsettled, silent or in quarantine. */
function restMs({ scenario }: FleetWorld): number {
  const takeOverMs = scenario.outboxes === "unnamed" ? 1.5 * outboxAbandonMs : 0;
  return 9_000 + scenario.abandonMs + 3 * scenario.lagMs + 8_000 + takeOverMs;
}

/** Liveness: who asks can spend what is left to the last credit. */
async function spendAll(world: FleetWorld): Promise<void> {
  const { balance } = world.wallet;
  if (balance <= 0) return;
  let verdict: string | undefined;
  const process = world.process(world.pick());
  process.clock.deliver(() => {
    void process
      .gate(0)
      .ask(balance)
      .then((answer) => {
        verdict = answer.verdict;
      });
  });
  await world.clock.advance(5_000);
  if (verdict !== "admitted")
    world.violated(`when all was quiet, ${balance} that were left: ${verdict ?? "no answer"}`);
}
