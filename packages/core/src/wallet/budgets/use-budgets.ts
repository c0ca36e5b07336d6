import { installBudgets } from "#budgets";
import * as budgets from "./present.ts";

/** Brings the code of budgets into a bundle for the edge, from which it is left out otherwise. Call it before the first gate is created. */
export function useBudgets(): void {
  installBudgets(budgets);
}
