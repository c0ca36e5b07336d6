import type { WalletKind } from "@creditgate/core";
import type { Ambiguous } from "@creditgate/core/adapter";
import type { Random } from "@creditgate/core/testing";
import type { Fault } from "./service/fake-client.ts";
import type { FakeWalletTerms } from "./service/fake-wallet.ts";

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
  readonly extended: Extension;
  /** For how long a cache before the service repeats a balance. The gates know it as a part of the lag. */
  readonly memoMs: number;
  /** Whether the service's prices change: a report costs what it did when it was taken first. */
  readonly pricesChange: boolean;
  /** Whether some reports are billed in another currency, or not at all. */
  readonly misbills: boolean;
  /** Whether the gates have the options `wallet` and `price`. */
  readonly optionWallet: boolean;
  readonly optionPrice: boolean;
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
  readonly durable: boolean;
  /** The resolution of the process's clock; 0 for an exact one. */
  readonly resolutionMs: number;
  /** Whether others spend from the wallets too, which breaks an assumption. */
  readonly outsiders: boolean;
}

/** What the service reports; of a share between 0 and 1, old and new replicas answer in turn. */
export interface Extension {
  /** The share of balance answers that tell what is unsettled, and the kind of the wallets. */
  readonly balances: number;
  /** The share of posts that a replica answers which returns what a report costs, and takes batches. */
  readonly posts: number;
  /** The most reports in a batch; 0 where there is no endpoint for batches. */
  readonly batch: number;
  /** When it ceases to tell, in milliseconds. */
  readonly until: number;
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
  const resolutionMs = random.pick([0, 0, 0, 1, 5, 16]);
  const lagMs = random.pick([0, 100, 500, 2_000, 2_000, 10_000]);
  const extended = drawExtension(random);
  const ttlMs = random.pick([1, 200, 1_000, 5_000, 5_000]);
  return {
    unit,
    wallets: wallet === undefined ? [drawWallet("ada", "credits", unit, random)] : [wallet, ...wallets],
    gates: drawGates(currencies, random),
    // Not a multiple of the resolution.
    lagMs: lagMs + random.integer(0, resolutionMs),
    ttlMs,
    maxStaleMs: ttlMs + random.pick([0, 1_000, 10_000, 60_000]),
    minRefreshMs: random.pick([0, 50, 250]),
    checkTimeoutMs: random.pick([100, 300, 300, 1_000]),
    max: random.pick([1, 2, 10, 10]),
    concurrency: random.pick([1, 3, 16]),
    ambiguous: random.pick<Ambiguous>(["auto", "auto", "park", "retry"]),
    honoursKeys: random.chance(extended.posts > 0 ? 0.9 : 0.7),
    extended,
    memoMs: random.pick([0, 0, 0, 0, 50, 1_000]),
    pricesChange: random.chance(0.3),
    misbills: random.chance(0.2),
    optionWallet: extended.balances === 0 || random.chance(0.5),
    optionPrice: random.chance(0.6),
    latencyMs: random.pick([0, 5, 50, 150, 400, Math.min(2_000, lagMs)]),
    faultRate: random.pick([0, 0.05, 0.25]),
    refusesReports: random.chance(0.2),
    outages: drawOutages(random),
    appendMs: random.pick([0, 0, 5, 200]),
    appendFailureRate: random.pick([0, 0, 0.2]),
    actions: random.integer(15, 45),
    restartRate: random.pick([0, 0, 0.05]),
    durable: random.chance(0.6),
    resolutionMs,
    outsiders: random.chance(0.15),
  };
}

function drawExtension(random: Random): Extension {
  const [balances, posts] = random.pick([
    [0, 0],
    [1, 1],
    [random.pick([0, 0.5, 1]), random.pick([0, 0.5, 1])],
  ]);
  return {
    balances,
    posts,
    batch: random.pick([0, 2, 4, 500]),
    until: random.chance(0.2) ? random.integer(0, 20_000) : Number.POSITIVE_INFINITY,
  };
}

function drawWallet(customerId: string, currency: string, unit: number, random: Random): FakeWalletTerms {
  const kind: WalletKind = random.chance(0.7) ? "prepaid" : "postpaid";
  const some = () => random.integer(0, 50) * unit + random.integer(0, unit);
  const opensAt = random.chance(0.1) ? random.integer(0, 10_000) : 0;
  if (kind === "postpaid") {
    return { customerId, currency, kind, opensAt, limit: random.chance(0.2) ? 0 : some() };
  }
  return {
    customerId,
    currency,
    kind,
    opensAt,
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
