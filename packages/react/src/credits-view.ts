import {
  type BudgetSnapshot,
  type CreditsSnapshot,
  type ExpiringCredits,
  lessCredits,
} from "./credits-snapshot.ts";
import type { Denial } from "./denial.ts";

/**
 * `loading`: nothing is known yet; `current`; `stale`: the figures are the last that were known; `signed_out`: there is
 * no customer; `unavailable`: nothing is known, and the last try has failed.
 */
export type CreditsState = "loading" | "current" | "stale" | "signed_out" | "unavailable";

/** What is known of the signed-in customer's wallet. Amounts are credits; `undefined` while they are not known. */
export interface CreditsView {
  readonly state: CreditsState;
  /** What the wallet can pay, as the billing service has it; `Infinity` without a limit. Below 0 it is debt. */
  readonly balance: number | undefined;
  /** The part of it that is held: for work in flight, and for work done until it is billed. */
  readonly held: number | undefined;
  /** `balance - held`: what further work may cost. */
  readonly available: number | undefined;
  /** What of `balance` expires next, the soonest first; empty if nothing does, or that is not known. */
  readonly expiring: readonly ExpiringCredits[];
  /** The budgets that the route serves, by key; empty while none is known. */
  readonly budgets: Readonly<Record<string, BudgetSnapshot>>;
  /** Why the last request was not let in, until one is, or the wallet, or the budget, has enough for it. */
  readonly denial: Denial | undefined;
}

export function viewOf(
  state: CreditsState,
  snapshot: CreditsSnapshot | undefined,
  denial: Denial | undefined,
): CreditsView {
  const { expiring = [], budgets = {} } = snapshot ?? {};
  const rest = { state, expiring, budgets, denial };
  if (snapshot === undefined) return { ...rest, balance: undefined, held: undefined, available: undefined };
  const { balance, held } = snapshot;
  if (balance === null) {
    const unlimited = Number.POSITIVE_INFINITY;
    return { ...rest, balance: unlimited, held, available: unlimited };
  }
  return { ...rest, balance, held, available: lessCredits(balance, held) };
}
