import { invalidOption } from "../../values/option.ts";
import type { Budget } from "./budget.ts";

/** In a bundle for the edge, where no process keeps a budget: it is refused, not ignored. */
export function checkBudgets(budgets: readonly Budget[]): undefined {
  if (budgets.length > 0) invalidOption("budgets", "none at the edge yet", budgets);
}

/** Not called, or without effect: {@link checkBudgets} lets none in. */
export function askWithBudgets(): never {
  throw new Error();
}
export function balanceDetails(): undefined {}
export function budgetsIn(): undefined {}
export function checkSameBudgets(): void {}
export function deniedBudget(): undefined {}
export function detailsIn(): undefined {}
export function faultOf(): undefined {}
export function budgetedAccount(): undefined {}
export function judgeBudget(): undefined {}
export function keepExpiring(): void {}
export function keptAccount(): never {
  throw new Error();
}
export function lackOf(): undefined {}
export function reportedBudgets(): undefined {}
export function storedKeys(): undefined {}
