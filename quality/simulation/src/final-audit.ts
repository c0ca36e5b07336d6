import type { Decision } from "@creditgate/core";
import type { SimulatedGate } from "./gate-process.ts";
import { toMicro } from "./micro.ts";
import { longestPassageMs } from "./network.ts";
import type { World } from "./world.ts";

/** Longer than all work, every back-off and every `Retry-After`. */
const longestRestMs = 900_000;
/** One piece of work is tried each minute of the gate's clock, which may differ a little. */
const retryUnbillableMs = 90_000;
/** Micro-credits that only a wallet without a limit can pay. */
const unpayable = 1e12;

/** No request fails from here on: waits until all work and delivery is done, and checks that nothing is lost or left over. */
export async function audit(world: World): Promise<void> {
  const { clock, scenario } = world;
  world.note(() => "no request fails from here on");
  world.network.recover();
  world.service.endMemos();
  await rest(world);
  // What is parked may still be on its way, and be debited after all; so may what an earlier process has sent.
  if (world.restarts > 0 || !world.process.stuck().next().done) await clock.advance(longestPassageMs);
  if (world.network.alwaysExtended) await auditReported(world);
  await clock.advance(2 * scenario.lagMs + scenario.memoMs + scenario.ttlMs + 1_000);
  world.service.settle();
  auditReports(world);
  for (const { customerId, currency } of scenario.wallets) {
    const gate = world.process.gates.find((one) => one.currency === currency);
    if (gate !== undefined && world.service.wallet(customerId, currency) !== undefined)
      await auditWallet(world, gate, customerId);
  }
}

/** With an extended service, all that the wallets can pay besides unsettled usage can be spent at once. */
async function auditReported(world: World): Promise<void> {
  for (const { customerId, currency } of world.scenario.wallets) {
    const gate = world.process.gates.find((one) => one.currency === currency);
    const wallet = world.service.wallet(customerId, currency);
    if (gate === undefined || wallet === undefined) continue;
    const unsettled = world.service.unsettled(customerId, currency);
    const free = Math.min(
      wallet.capacity - unsettled - stuckAmounts(world, customerId, currency).most,
      unpayable,
    );
    if (free <= 0) continue;
    const decision = await ask(world, gate, customerId, free);
    if (decision?.allowed === true) {
      decision.charge.release();
      world.truth.ended({ customerId, currency, hold: free }, []);
    } else if (outcomeOf(decision) !== "over_capacity") {
      world.violated(`not served: ${customerId}/${currency} can pay ${free}, but ${outcomeOf(decision)}`);
    }
  }
}

/** Waits until every charge is settled and every report delivered. */
async function rest(world: World): Promise<void> {
  const { clock, process, random } = world;
  const deadline = clock.now() + longestRestMs;
  const flushes = random.chance(0.5);
  while (busy(world)) {
    if (clock.now() >= deadline) return world.violated("stuck: work or its bill never came to an end");
    if (flushes) for (const { gate } of process.gates) void gate.flush();
    await clock.advance(1_000);
  }
}

function busy({ process, truth, scenario }: World): boolean {
  if (scenario.durable && process.gates.some(({ file }) => !file.recovered)) return true;
  if (process.working > 0 || process.inFlight > 0 || process.queued > 0) return true;
  return truth.reports.some(({ state }) => state === "late");
}

function auditReports(world: World): void {
  const { truth, process, scenario } = world;
  const stuck = new Set(Array.from(process.stuck(), ({ rawUsage }) => truth.reportOf(rawUsage)));
  for (const report of truth.reports) {
    if (report.state === "filed" && report.debits === 0 && !stuck.has(report)) {
      world.violated(`report ${report.number} is lost`);
    }
  }
  const honouredKeys = process.gates.some(({ client }) => client.honouredKeys);
  const repeats = scenario.ambiguous === "retry" || (scenario.ambiguous === "auto" && honouredKeys);
  for (const { file } of process.gates) {
    for (const { rawUsage } of file.dead) {
      if (truth.reportOf(rawUsage)?.refused === false)
        world.violated("a report was given up that was never refused");
    }
    for (const _ of file.parked) {
      if (repeats) world.violated("a report is parked that should have been repeated");
    }
  }
}

/**
 * All that the wallet can pay can be spent and nothing more, except what reports that are stuck may still cost. Of those
 * that the service has debited all the same, the gate may know that or not.
 */
async function auditWallet(world: World, gate: SimulatedGate, customerId: string): Promise<void> {
  const { currency } = gate;
  const name = `${customerId}/${currency}`;
  const stuck = stuckAmounts(world, customerId, currency);
  const capacity = world.service.wallet(customerId, currency)?.capacity ?? 0;
  const free = Math.min(capacity - stuck.most, unpayable);
  if (free > 0) {
    const decision = await ask(world, gate, customerId, free);
    if (decision?.allowed === true) {
      decision.charge.release();
      world.truth.ended({ customerId, currency, hold: free }, []);
    } else if (!isOverCapacity(world, decision)) {
      world.violated(`liveness: ${name} can pay ${free}, but ${outcomeOf(decision)}`);
    }
  }
  if (capacity < unpayable) {
    // What the wallet cannot pay is denied by the latest balance, which then also denies what is just too much.
    for (const hold of [unpayable, Math.max(0, capacity - stuck.least) + 1]) {
      const decision = await ask(world, gate, customerId, hold);
      if (outcomeOf(decision) !== "insufficient_credits" && !isOverCapacity(world, decision)) {
        world.violated(`${name} cannot pay ${hold}, but ${outcomeOf(decision)}`);
      }
    }
  }
  const figures = await gate.gate.balance(customerId);
  if (figures === undefined) return;
  if (figures.held !== 0) world.violated(`a hold is left: ${name} holds ${figures.held} credits`);
  const unconfirmed = toMicro(figures.unconfirmed);
  if (unconfirmed < stuck.least || unconfirmed > stuck.most) {
    world.violated(
      `${name} counts ${unconfirmed} micro-credits as unconfirmed; ${stuck.least} to ${stuck.most} are stuck`,
    );
  }
}

function outcomeOf(decision: Decision | undefined): string {
  if (decision === undefined) return "unanswered";
  return decision.allowed ? "admitted" : decision.denial.code;
}

/** Asks for the work; once more when a kind of work that the service has refused is tried again. */
async function ask(world: World, gate: SimulatedGate, customerId: string, hold: number) {
  const decision = await askOnce(world, gate, customerId, hold);
  if (outcomeOf(decision) !== "unbillable") return decision;
  await world.clock.advance(retryUnbillableMs);
  return askOnce(world, gate, customerId, hold);
}

async function askOnce(world: World, gate: SimulatedGate, customerId: string, hold: number) {
  let decision: Decision | undefined;
  void world.authorize(gate, customerId, hold).then((made) => {
    decision = made;
  });
  const { checkTimeoutMs, minRefreshMs, resolutionMs } = world.scenario;
  // A shortfall that recent usage explains asks once more.
  await world.clock.advance(2 * (checkTimeoutMs + minRefreshMs + resolutionMs));
  return decision;
}

/** A customer whose reports are stuck is never evicted, and may fill the cache. */
function isOverCapacity({ scenario, process }: World, decision: Decision | undefined): boolean {
  if (outcomeOf(decision) !== "over_capacity") return false;
  const customers = new Set(Array.from(process.stuck(), ({ customerId }) => customerId));
  return customers.size >= scenario.max;
}

/**
 * What the reports of a wallet that are stuck may still cost, and what they were recorded for. An unexplained
 * debit looks like that of one of them.
 */
function stuckAmounts({ process, truth }: World, customerId: string, currency: string) {
  const reports = Array.from(process.stuck(), ({ rawUsage }) => truth.reportOf(rawUsage)).filter(
    (report) => report?.customerId === customerId && report.currency === currency,
  );
  // Those of a charge that have no price of their own share one claim.
  const claims = [...new Set(reports.map((report) => report?.claim))];
  const left = claims.reduce((sum, claim) => sum + (claim?.left ?? 0), 0);
  return {
    least: Math.max(0, left - truth.unexplained(customerId, currency)),
    most: claims.reduce((sum, claim) => sum + (claim?.amount ?? 0), 0),
  };
}
