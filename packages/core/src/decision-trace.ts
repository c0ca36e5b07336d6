import type { WalletKind, WalletProblem } from "./capacity.ts";
import type { Standing } from "./ledger.ts";
import { fromMicro } from "./micro.ts";

/**
 * What decided:
 *
 * - `cached`: the balance in memory can pay
 * - `stale`: so can one older than `ttlMs`, which is read again behind the request
 * - `news`: a balance that was read for this request
 * - `no_news`: it had to be read, and could not be
 * - `refused`: nothing about the wallet: no customer, a full outbox or cache, a closing gate
 */
export type DecisionRule = "cached" | "stale" | "news" | "no_news" | "refused";

/** Why a gate decided as it did, as plain data. Amounts are credits, times milliseconds. */
export interface DecisionTrace {
  readonly rule: DecisionRule;
  readonly mode: "enforce" | "observe";
  /** The kind that the wallet was taken for; `null` where none was looked at. */
  readonly wallet: WalletKind | null;
  /** What the request wanted to hold. */
  readonly hold: number;
  /** What the wallet can pay in all, or why that is not known; `null` while no balance has been read. */
  readonly capacity: number | "unlimited" | WalletProblem | null;
  /** Held for other work in flight. */
  readonly held: number;
  /** For work done that the capacity may not show yet. */
  readonly unconfirmed: number;
  /** How long before the decision the balance was asked for. */
  readonly snapshotAgeMs: number | null;
  /** From the request's arrival to the decision. */
  readonly waitedMs: number;
}

/** The trace's part that describes a wallet. */
export function tracedStanding(
  standing: Standing | undefined,
  at: number,
): Pick<DecisionTrace, "capacity" | "held" | "unconfirmed" | "snapshotAgeMs"> {
  if (standing === undefined) return { capacity: null, held: 0, unconfirmed: 0, snapshotAgeMs: null };
  const { capacity, held, unconfirmed, stamp } = standing;
  return {
    capacity: tracedCapacity(capacity),
    held: fromMicro(held),
    unconfirmed: fromMicro(unconfirmed),
    snapshotAgeMs: stamp === undefined ? null : at - stamp,
  };
}

/** JSON has no infinity. */
function tracedCapacity(capacity: Standing["capacity"]): DecisionTrace["capacity"] {
  if (capacity === undefined || typeof capacity === "string") return capacity ?? null;
  return capacity === Number.POSITIVE_INFINITY ? "unlimited" : fromMicro(capacity);
}
