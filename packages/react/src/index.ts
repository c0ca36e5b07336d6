export { formatCredits } from "./amount.ts";
export { Balance, type BalanceProps } from "./balance.tsx";
export { Budget, type BudgetProps } from "./budget.tsx";
export { type Credits, CreditsProvider, type CreditsProviderProps, useCredits } from "./credits-provider.tsx";
export type { BudgetSnapshot, CreditsSnapshot, ExpiringCredits } from "./credits-snapshot.ts";
export type { CreditsState, CreditsView } from "./credits-view.ts";
export { type Denial, readDenial } from "./denial.ts";
export { Paywall, type PaywallProps } from "./paywall.tsx";
export type { PaywallAction } from "./paywall-way.ts";
