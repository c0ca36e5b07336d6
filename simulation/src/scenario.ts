import type { Ambiguous, WalletKind } from "@creditgate/core";
import type { FakeWalletTerms, Fault, Random } from "@creditgate/core/testing";

/** What a seed draws: wallets, gates, delays and faults. Times are milliseconds. */
export interface Scenario {
  /** Amounts are around so many micro-credits. */
  readonly unit: number;
  readonly wallets: readonly [FakeWalletTerms, ...FakeWalletTerms[]];
  /** The currency of each gate; all of them share one registry. */
  readonly gates: readonly [string, ...string[]];
  readonly lagMs: number;
  readonly ttlMs: number;
  readonly maxStaleMs: number;
  readonly minRefreshMs: number;
  readonly checkTimeoutMs: number;
  readonly max: number;
  readonly concurrency: number;
  readonly ambiguous: Ambiguous;
  readonly honoursKeys: boolean;
  /** The most that one way of a request takes. */
  readonly latencyMs: number;
  /** The share of requests that go wrong outside of outages. */
  readonly faultRate: number;
  /** Whether the service refuses some reports as they are. */
  readonly refusesReports: boolean;
  readonly outages: readonly Outage[];
  /** The most that the outbox takes for an append, and the share of appends that fail. */
  readonly appendMs: number;
  readonly appendFailureRate: number;
  readonly actions: number;
  /** The share of actions at which the process ends, be it by a crash or closed, and another one starts. */
  readonly restartRate: number;
  /** Whether the outbox outlasts its process. */
  readonly lasting: boolean;
  /** The tick of the process's clock; 0 for one that shows each instant exactly. */
  readonly tickMs: number;
  /** Whether others spend from the wallets too, which breaks an assumption. */
  readonly outsiders: boolean;
}

/** From when until when every request meets this fault. */
export interface Outage {
  readonly from: number;
  readonly until: number;
  readonly fault: Fault;
}

/** Draws a scenario. Wallets are small and customers few, so that requests compete for the same credits. */
export function drawScenario(random: Random): Scenario {
  const unit = random.pick([1, 3, 997, 10_000, 1_000_000]);
  const customers = random.pick([["ada"], ["ada", "ben"], ["ada", "ben", "__proto__"]]);
  const currencies = random.pick([["credits"], ["credits"], ["credits", "constructor"]]);
  const [wallet, ...wallets] = customers.flatMap((customerId) =>
    currencies.map((currency) => drawWallet(customerId, currency, unit, random)),
  );
  const tickMs = random.pick([0, 0, 0, 1, 5, 16]);
  const lagMs = random.pick([0, 100, 500, 2_000, 2_000, 10_000]);
  const ttlMs = random.pick([1, 200, 1_000, 5_000, 5_000]);
  return {
    unit,
    wallets: wallet === undefined ? [drawWallet("ada", "credits", unit, random)] : [wallet, ...wallets],
    gates: drawGates(currencies, random),
    // Not a multiple of the tick.
    lagMs: lagMs + random.integer(0, tickMs),
    ttlMs,
    maxStaleMs: ttlMs + random.pick([0, 1_000, 10_000, 60_000]),
    minRefreshMs: random.pick([0, 50, 250]),
    checkTimeoutMs: random.pick([100, 300, 300, 1_000]),
    max: random.pick([1, 2, 10, 10]),
    concurrency: random.pick([1, 3, 16]),
    ambiguous: random.pick<Ambiguous>(["auto", "auto", "park", "retry"]),
    honoursKeys: random.chance(0.7),
    latencyMs: random.pick([0, 5, 50, 150, 400, Math.min(2_000, lagMs)]),
    faultRate: random.pick([0, 0.05, 0.25]),
    refusesReports: random.chance(0.2),
    outages: drawOutages(random),
    appendMs: random.pick([0, 0, 5, 200]),
    appendFailureRate: random.pick([0, 0, 0.2]),
    actions: random.integer(15, 45),
    restartRate: random.pick([0, 0, 0.05]),
    lasting: random.chance(0.6),
    tickMs,
    outsiders: random.chance(0.15),
  };
}

function drawWallet(customerId: string, currency: string, unit: number, random: Random): FakeWalletTerms {
  const kind: WalletKind = random.chance(0.7) ? "prepaid" : "postpaid";
  const some = () => random.integer(0, 50) * unit + random.integer(0, unit);
  if (kind === "postpaid") return { customerId, currency, kind, limit: random.chance(0.2) ? 0 : some() };
  return {
    customerId,
    currency,
    kind,
    available: random.chance(0.2) ? 0 : some(),
    pending: random.chance(0.3) ? some() : 0,
    limit: random.chance(0.3) ? some() : 0,
  };
}

/** Gates on every currency, more than one on some: they must share the wallets. */
function drawGates(currencies: readonly string[], random: Random): [string, ...string[]] {
  const [first = "credits", ...others] = currencies;
  const gates: [string, ...string[]] = [first, ...others];
  if (random.chance(0.4)) gates.push(first);
  return gates;
}

const outageFaults: readonly [Fault, ...Fault[]] = [
  "refused",
  "unavailable",
  "hanging",
  "lost",
  "broken",
  "forbidden",
  "misrouted",
];

function drawOutages(random: Random): readonly Outage[] {
  if (random.chance(0.6)) return [];
  const from = random.integer(0, 20_000);
  return [{ from, until: from + random.integer(500, 20_000), fault: random.pick(outageFaults) }];
}
