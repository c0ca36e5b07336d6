import type { ReadBudget } from "../balance-reading.ts";
import type { WorkAccount } from "../ledger.ts";
import type { Budget, BudgetKeys, ReportedBudget } from "./budget.ts";

/** What is wrong with a balance answer that was to have these budgets; `undefined` if nothing is. */
export function faultOf(budgets: BudgetKeys | undefined, read: ReadBudget | undefined): Error | undefined {
  if (budgets === undefined) return undefined;
  if (read === undefined) return new Error("the service does not know budgets: its answer has none");
  for (const [currency, keys] of Object.entries(budgets)) {
    const key = keys.find((one) => read(currency, one) === "unread");
    if (key !== undefined)
      return new TypeError(
        `the balance answer, budget ${JSON.stringify(key)}: expected limit and used, 0 or more`,
      );
  }
  return undefined;
}

/** What is wrong where the service has not stored each of the budgets with a report; `undefined` if it has. */
export function lackOf(
  budgets: readonly ReportedBudget[] | undefined,
  stored: readonly string[] | undefined,
): Error | undefined {
  if (budgets === undefined || budgets.every(({ key }) => stored?.includes(key))) return undefined;
  return new Error(
    "the service has stored a report without its budgets: a version of it that knows none may have answered",
  );
}

/** The budgets that a report of the work names, sorted by key; without periods where it was let in without a look at its wallet. */
export function reportedBudgets({
  account,
  work,
}: {
  readonly account: WorkAccount | undefined;
  readonly work: { readonly budgets?: readonly Budget[] | undefined };
}): readonly ReportedBudget[] | undefined {
  if (account !== undefined) return account.budgets;
  const keys = work.budgets?.filter((budget) => typeof budget === "string") ?? [];
  return keys.length > 0 ? keys.sort().map((key) => ({ key })) : undefined;
}

/** The keys of these budgets, where all of them were stored. */
export function storedKeys(budgets: readonly ReportedBudget[]): readonly string[] {
  return budgets.map(({ key }) => key);
}
