import { fromMicro } from "../../values/micro.ts";
import type { AccountFigures } from "../ledger.ts";
import type { DeniedBudget } from "./budget.ts";

/** So many balance requests at most are waited for until one has asked for the budget. */
const mostRounds = 20;

/** What a budget that has no room means for the work: a denial, or `again` if it has not been read since; `undefined` if none stands in the way. */
export function judgeBudget(
  { budget, capacity, isUnsure }: Partial<AccountFigures> = {},
  since: number,
  round: number,
):
  | "budget_exceeded"
  | "budget_unknown"
  | "upstream_unavailable"
  | "ledger_unavailable"
  | "again"
  | undefined {
  if (budget === undefined) return undefined;
  const { key, freshFor = Number.NEGATIVE_INFINITY, unreadFor = Number.NEGATIVE_INFINITY } = budget;
  if (key === undefined) return "budget_exceeded";
  if (freshFor >= since) {
    if (isUnsure === true) return "ledger_unavailable";
    return typeof capacity === "number" ? "budget_exceeded" : "budget_unknown";
  }
  // A request that was on its way did not ask for this one; a malformed answer will not get better.
  return unreadFor < since && round < mostRounds ? "again" : "upstream_unavailable";
}

/** The budget that denies work of `amount` micro-credits, and whether it may be let in when what is under way has ended; `undefined` if it is the wallet. */
export function deniedBudget(
  { budget, capacity }: Partial<AccountFigures>,
  amount: number,
): { readonly budget: DeniedBudget; readonly retryable: boolean } | undefined {
  if (budget === undefined) return undefined;
  const { key, limit, left, resetsAt } = budget;
  return {
    budget: {
      ...(key !== undefined && { key }),
      ...(limit !== undefined && { limit: fromMicro(limit) }),
      left: fromMicro(left),
      ...(resetsAt !== undefined && { resetsAt }),
    },
    retryable: typeof capacity === "number" && amount <= capacity,
  };
}
