import { refuseName } from "../../values/option.ts";
import type * as present from "./present.ts";

const nothing = () => undefined;
const never = (): never => {
  throw new Error();
};

// In a bundle for the edge, where no isolate keeps a budget. Bindings that can be replaced: what keeps budgets elsewhere brings their code.
/** No budget is ignored: it is refused. */
export let checkBudgets: typeof present.checkBudgets = (budgets) => {
  if (budgets.length > 0) refuseName("budgets: none at the edge");
  return undefined;
};
// Not called, or without effect: `checkBudgets` lets none in.
export let askWithBudgets: typeof present.askWithBudgets = never;
export let balanceDetails: typeof present.balanceDetails | typeof nothing = nothing;
export let budgetsIn: typeof present.budgetsIn = nothing;
export let checkSameBudgets: typeof present.checkSameBudgets = nothing;
export let deniedBudget: typeof present.deniedBudget = nothing;
export let detailsIn: typeof present.detailsIn | typeof nothing = nothing;
export let faultOf: typeof present.faultOf = nothing;
export let budgetedAccount: typeof present.budgetedAccount = nothing;
export let judgeBudget: typeof present.judgeBudget = nothing;
export let keepExpiring: typeof present.keepExpiring = nothing;
export let keptAccount: typeof present.keptAccount = never;
export let lackOf: typeof present.lackOf = nothing;
export let reportedBudgets: typeof present.reportedBudgets = nothing;
export let storedKeys: typeof present.storedKeys | typeof nothing = nothing;

/** From now on this isolate knows budgets. */
export function installBudgets(budgets: Omit<typeof present, "installBudgets">): void {
  ({
    askWithBudgets,
    balanceDetails,
    budgetedAccount,
    budgetsIn,
    checkBudgets,
    checkSameBudgets,
    deniedBudget,
    detailsIn,
    faultOf,
    judgeBudget,
    keepExpiring,
    keptAccount,
    lackOf,
    reportedBudgets,
    storedKeys,
  } = budgets);
}
