export { keepExpiring } from "../expiring.ts";
export { checkBudgets, checkSameBudgets } from "./budget.ts";
export { deniedBudget, judgeBudget } from "./budget-denial.ts";
export { askWithBudgets, budgetsIn, detailsIn } from "./budget-reading.ts";
export { balanceDetails, budgetedAccount, keptAccount } from "./customer-budgets.ts";
export { faultOf, lackOf, reportedBudgets, storedKeys } from "./reported-budgets.ts";

/** They are here already. */
export function installBudgets(_budgets: object): void {}
