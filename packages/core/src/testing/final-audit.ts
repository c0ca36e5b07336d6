import type { Decision } from "../gate.ts";
import { toMicro } from "../micro.ts";
import type { OutboxReport } from "../outbox.ts";
import type { SimulatedGate } from "./simulated-process.ts";
import type { SimulatedWorld } from "./simulated-world.ts";

/** By then every work has ended, and every back-off and every `Retry-After`. */
const patienceMs = 900_000;

/** All goes well from here on: lets everything come to rest, and checks that nothing is lost or left over. */
export async function audit(world: SimulatedWorld): Promise<void> {
  const { clock, scenario } = world;
  world.note(() => "all goes well from here on");
  world.weather.clear();
  await rest(world);
  await clock.advance(scenario.lagMs + scenario.ttlMs + 1_000);
  world.service.settle();
  auditReports(world);
  for (const { customerId, currency } of scenario.wallets) {
    const gate = world.process.gates.find((one) => one.currency === currency);
    if (gate !== undefined) await auditWallet(world, gate, customerId);
  }
}

/** Waits until every charge is settled and every report delivered. */
async function rest(world: SimulatedWorld): Promise<void> {
  const { clock, process, random } = world;
  const deadline = clock.now() + patienceMs;
  const flushes = random.chance(0.5);
  while (await busy(world)) {
    if (clock.now() >= deadline) return world.violated("stuck: work or its bill never came to an end");
    if (flushes) for (const { gate } of process.gates) void gate.flush();
    await clock.advance(1_000);
  }
}

async function busy({ working, process, truth }: SimulatedWorld): Promise<boolean> {
  if (working > 0 || process.inFlight > 0 || (await process.queued()) > 0) return true;
  return truth.reports.some(({ state }) => state === "late");
}

function auditReports(world: SimulatedWorld): void {
  const { truth, process } = world;
  const stuck = new Set(Array.from(process.stuck(), ({ rawUsage }) => truth.reportOf(rawUsage)));
  for (const report of truth.reports) {
    if (report.state === "filed" && report.debits === 0 && !stuck.has(report)) {
      world.violated(`report ${report.number} is lost`);
    }
  }
}

/** Exactly what the wallet can pay can be spent, except what reports that are stuck may still cost. */
async function auditWallet(world: SimulatedWorld, gate: SimulatedGate, customerId: string): Promise<void> {
  const { currency } = gate;
  const stuck = stuckAmount(world.process.stuck(), customerId, currency);
  const free = (world.service.wallet(customerId, currency)?.capacity ?? 0) - stuck;
  const most = Math.min(free, Number.MAX_SAFE_INTEGER - stuck);
  const name = `${customerId}/${currency}`;
  if (most > 0) {
    const decision = await ask(world, gate, customerId, most);
    if (decision === undefined) world.violated(`liveness: ${name} was not answered`);
    else if (decision.allowed) {
      decision.charge.release();
      world.truth.ended({ customerId, currency, hold: most }, []);
    } else if (!crowded(world, decision)) {
      world.violated(`liveness: ${name} can pay ${most}, but was denied it: ${decision.denial.code}`);
    }
  }
  if (free < Number.MAX_SAFE_INTEGER) {
    const decision = await ask(world, gate, customerId, Math.max(0, free) + 1);
    if (decision?.allowed === false && decision.denial.status !== 402 && !crowded(world, decision)) {
      world.violated(`liveness: ${name} cannot pay, but was told ${decision.denial.code}`);
    }
  }
  const standing = await gate.gate.standing(customerId);
  if (standing === undefined) return;
  if (standing.held !== 0) world.violated(`a hold is left: ${name} holds ${standing.held}`);
  if (toMicro(standing.unconfirmed, "ceil") !== stuck) {
    world.violated(
      `${name} counts ${standing.unconfirmed} credits as unconfirmed, and ${stuck} micro-credits are stuck`,
    );
  }
}

async function ask(world: SimulatedWorld, gate: SimulatedGate, customerId: string, hold: number) {
  let decision: Decision | undefined;
  void world.authorize(gate, customerId, hold).then((made) => {
    decision = made;
  });
  const { checkTimeoutMs, minRefreshMs } = world.scenario;
  await world.clock.advance(checkTimeoutMs + minRefreshMs);
  return decision as Decision | undefined;
}

/** A customer whose reports are stuck is never forgotten, and may take the only place. */
function crowded({ scenario, process }: SimulatedWorld, decision: Decision): boolean {
  if (decision.allowed || decision.denial.code !== "over_capacity") return false;
  const customers = new Set(Array.from(process.stuck(), ({ customerId }) => customerId));
  return customers.size >= scenario.max;
}

/** Each entry once: the reports of a charge that have no price of their own share one. */
function stuckAmount(reports: Iterable<OutboxReport>, customerId: string, currency: string): number {
  const entries = new Map<string, number>();
  for (const report of reports) {
    if (report.customerId === customerId && report.currency === currency) {
      entries.set(report.entry.id, report.entry.amount);
    }
  }
  return [...entries.values()].reduce((sum, amount) => sum + amount, 0);
}
