export { checkBudgets, checkSameBudgets } from "./budget.ts";
export { deniedBudget, judgeBudget } from "./budget-denial.ts";
export { askWithBudgets, budgetsIn } from "./budget-reading.ts";
export { budgetedAccount, budgetFigures, keptAccount } from "./customer-budgets.ts";
export { faultOf, lackOf, reportedBudgets, storedKeys } from "./reported-budgets.ts";
