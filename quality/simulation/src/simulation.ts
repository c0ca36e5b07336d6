import { audit } from "./final-audit.ts";
import type { Network } from "./network.ts";
import type { SimulationOptions } from "./simulation-options.ts";
import { unknownCustomer, World } from "./world.ts";

/** What came of a seed. */
export interface SimulationResult {
  readonly seed: number;
  /** The first broken promise; `undefined` when all were kept. */
  readonly violation: string | undefined;
  /** What happened, line by line, if asked for. */
  readonly trace: readonly string[];
  /** How much happened. */
  readonly requests: number;
  readonly admitted: number;
  readonly reports: number;
  readonly restarts: number;
  readonly sent: Network["sent"];
  /** The most that late reports have overspent a wallet by, in micro-credits: what the bound allows, and no promise covers. */
  readonly overspentLate: number;
}

/**
 * Plays the schedule of a seed with real gates, a fake service and a fake clock, and checks the promises of the gate:
 * overspend is 0 at every instant; no report is lost, and none counted twice unless the gate may risk it; a 402
 * rests on a balance younger than its request; in the end no hold is left, and the whole balance can be spent.
 *
 * Where an assumption breaks, overspend is checked against its bound: what was reported late; what was debited twice, where
 * the gate may repeat reports to a service without keys; what others have spent,
 * and what was debited for a process with an outbox in memory after its end, since `maxStaleMs` before the balance that decided.
 *
 * Clients disconnect during work, and ask again. The work is a handler on Node whose promise is seen or not and which may wait for
 * `drain`, or goes on behind a returned body, which is cancelled at once, late, in vain or never, or not read (HEAD). It
 * ends when the signal fires, soon after, or after all that the gate waits for; its hold ends when rule 7 says.
 *
 * The service reports unsettled usage, the kind of each wallet and what each report costs, and takes batches: always, never, in
 * turn (old and new replicas behind one address), or until it ceases to; a cache before it may repeat a balance. Its prices
 * change, and some reports are billed in another currency. The gates have the options `wallet` and `price` or not. If all balances
 * include unsettled usage, all that a wallet can pay beside what is unsettled can be spent at once. Balance requests overlap, wallets are opened later, and
 * batches are short, shuffled, answered twice, refused as such and refused in part.
 *
 * The process may be killed or closed at any moment, with work in flight, reports on their way and usage unsettled, and
 * another one starts, on the same outbox if that lasts. Its clock may be coarse.
 *
 * One process is simulated at a time, with several gates on one registry and the ledger in memory; several processes on a
 * shared ledger are in `fleet/`; `durableHolds` and `observe` mode are not simulated.
 */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const world = new World(options);
  world.note(() => JSON.stringify(world.scenario));
  for (let action = 0; action < world.scenario.actions && world.violation === undefined; action++) {
    await world.clock.advance(gapMs(world));
    await act(world, options);
  }
  if (world.violation === undefined) await audit(world);
  return {
    seed: options.seed,
    violation: world.violation,
    trace: world.trace,
    requests: world.requests,
    admitted: world.admitted,
    reports: world.truth.reports.length,
    restarts: world.restarts,
    sent: world.network.sent,
    overspentLate: world.truth.overspentLate,
  };
}

function gapMs({ random, scenario: { lagMs } }: World): number {
  return random.integer(0, random.pick([0, 0, 20, 300, 300, 2_000, lagMs, lagMs, 3 * lagMs]));
}

async function act(world: World, { steppedClock = false }: SimulationOptions): Promise<void> {
  const { random, scenario } = world;
  if (steppedClock && random.chance(0.1)) world.stepClock(random.integer(0, 2 * scenario.lagMs));
  if (scenario.outsiders && random.chance(0.1)) return spendOutside(world);
  if (random.chance(scenario.restartRate)) return world.restart();
  const choice = random.next();
  if (choice < 0.65) arrive(world);
  else if (choice < 0.82) for (let more = random.integer(2, 12); more > 0; more--) arrive(world);
  else if (choice < 0.9) topUp(world);
  else if (choice < 0.94) endPeriod(world);
  else for (const { gate } of world.process.gates) void gate.flush();
}

function arrive(world: World): void {
  const { random, scenario } = world;
  const { customerId, currency } = random.pick(scenario.wallets);
  const gates = world.process.gates.filter((gate) => gate.currency === currency);
  const gate = gates[random.integer(0, gates.length - 1)];
  const hold = random.integer(1, 10 * scenario.unit);
  if (gate !== undefined) void world.serve(gate, random.chance(0.02) ? unknownCustomer : customerId, hold);
}

function topUp(world: World): void {
  const { random, scenario, service } = world;
  const { customerId, currency, kind } = random.pick(scenario.wallets);
  if (kind !== "prepaid") return;
  const amount = random.integer(1, 20 * scenario.unit);
  world.note(() => `top-up of ${customerId}/${currency} by ${amount}`);
  service.wallet(customerId, currency)?.topUp(amount);
}

function spendOutside(world: World): void {
  const { random, scenario, service, truth } = world;
  const { customerId, currency } = random.pick(scenario.wallets);
  const amount = random.integer(1, 10 * scenario.unit);
  world.note(() => `others spend ${amount} of ${customerId}/${currency}`);
  service.wallet(customerId, currency)?.debit(amount);
  truth.spentOutside(customerId, currency, amount);
}

function endPeriod(world: World): void {
  const { random, scenario, service } = world;
  const { customerId, currency } = random.pick(scenario.wallets);
  world.note(() => `the period of ${customerId}/${currency} ends`);
  service.wallet(customerId, currency)?.endPeriod();
}
