import type { DenialCode } from "../values/denial-code.ts";
import { fromMicro } from "../values/micro.ts";
import type { Capacity, WalletKind, WalletProblem } from "../wallet/capacity.ts";
import type { AccountFigures, Hold, WorkAccount } from "../wallet/ledger.ts";

/**
 * What decided:
 *
 * - `cached`: the balance in memory can pay
 * - `stale`: so can one older than `ttlMs`, which is read again behind the request
 * - `fresh`: a balance that was read for this request
 * - `unread`: the balance had to be read, and could not be
 * - `refused`: nothing about the wallet: no customer, a full outbox or cache, a closing gate
 */
export type DecisionRule = "cached" | "stale" | "fresh" | "unread" | "refused";

/** Why a gate decided as it did, as plain data. Amounts are credits, times milliseconds. */
export interface DecisionTrace {
  readonly rule: DecisionRule;
  readonly mode: "enforce" | "observe";
  /** The kind that the wallet was taken for; `null` where none was looked at. */
  readonly wallet: WalletKind | null;
  /** What is held for the request; where it is denied, what it needed to be let in. */
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

/** A decision before its event. */
export interface Judgement {
  /** Why not; `undefined` when the work is let in. */
  readonly code: DenialCode | undefined;
  readonly rule: DecisionRule;
  readonly kind: WalletKind | null;
  /** The wallet's, where one was looked at. */
  readonly account?: WorkAccount;
  /** What is held for the work; `undefined` where it is not let in. */
  readonly hold: Hold | undefined;
  /** The figures after the decision; of work that is let in, as they are when they are read. */
  readonly figures: AccountFigures | undefined;
  /** What the wallet can pay in all, by the balance that decided; under a guard the capacity in `figures` is a part of it. */
  readonly wallet?: number | undefined;
  /** Whether that balance includes the unsettled usage. */
  readonly extended?: boolean;
  /** What a ledger that requests balances itself has received of it. */
  readonly usageParts?: ReadonlySet<string> | undefined;
  /** When it was asked for and when it was given, on the ledger's clock. */
  readonly arrival: number;
  readonly at: number;
}

/** No, and not because of the wallet. */
export function refused(code: DenialCode): Judgement {
  return { code, rule: "refused", kind: null, hold: undefined, figures: undefined, arrival: 0, at: 0 };
}

/** The reasons of a judgement on work that may cost `amount` micro-credits. */
export function traceOf(judgement: Judgement, amount: number, mode: DecisionTrace["mode"]): DecisionTrace {
  const { rule, kind, hold, figures, arrival, at } = judgement;
  const stamp = figures?.stamp;
  return {
    rule,
    mode,
    wallet: kind,
    hold: fromMicro(amount),
    capacity: tracedCapacity(figures?.capacity),
    held: fromMicro(figures === undefined ? 0 : figures.held - (hold === undefined ? 0 : amount)),
    unconfirmed: fromMicro(figures?.unconfirmed ?? 0),
    snapshotAgeMs: stamp === undefined ? null : at - stamp,
    waitedMs: at - arrival,
  };
}

/** JSON has no infinity. */
function tracedCapacity(capacity: Capacity | undefined): DecisionTrace["capacity"] {
  if (capacity === undefined || typeof capacity === "string") return capacity ?? null;
  return capacity === Number.POSITIVE_INFINITY ? "unlimited" : fromMicro(capacity);
}
