/** What one ledger has spent of a wallet, from its first usage to its last, in milliseconds since 1970. */
export interface SpendingSpan {
  /** The ID of a process whose ledger is in its memory, or the kind of all others. */
  readonly ledger: string;
  readonly firstAt: number;
  readonly lastAt: number;
}

/**
 * For how long two ledgers must have spent one wallet at the same time. In a deploy the old process drains beside the new one: for
 * half a minute under Kubernetes, for three with Heroku's preboot, for five behind a load balancer of AWS.
 */
const longestDeployMs = 10 * 60_000;

/** Who has spent nothing for so long has ended, or is nearly idle. */
export const liveMs: number = 15 * 60_000;

/** Ledgers of these kinds do not spend what another of their kind has, or only within a bound. */
export function isMemory(ledger: string): boolean {
  return ledger !== "shared" && ledger !== "guard";
}

/**
 * The ledgers that spend one wallet now and have done so beside each other for longer than a deploy takes, at least one of them in the
 * memory of its process. It need not be the same two all the time: instances of a function come and go. A process that replaces
 * another one overlaps with it briefly, or not at all.
 */
export function overlappingLedgers(spans: readonly SpendingSpan[], now: number): readonly SpendingSpan[] {
  const ends = spans.flatMap(({ ledger, firstAt, lastAt }) => {
    const inMemory = isMemory(ledger) ? 1 : 0;
    return [
      { at: firstAt, all: 1, inMemory },
      { at: lastAt, all: -1, inMemory: -inMemory },
    ];
  });
  // What begins in an instant overlaps with what ends in it.
  ends.sort((one, other) => one.at - other.at || other.all - one.all);
  const active = { all: 0, inMemory: 0 };
  let since = Number.POSITIVE_INFINITY;
  for (const { at, all, inMemory } of ends) {
    active.all += all;
    active.inMemory += inMemory;
    if (active.all > 1 && active.inMemory > 0) {
      since = Math.min(since, at);
      continue;
    }
    if (at - since >= longestDeployMs && at >= now - liveMs) {
      const from = Math.max(since, now - liveMs);
      return spans.filter(({ firstAt, lastAt }) => firstAt <= at && lastAt >= from);
    }
    since = Number.POSITIVE_INFINITY;
  }
  return [];
}
