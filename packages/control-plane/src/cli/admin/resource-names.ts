/** What `creditgate` administers: the first word of a command. Here by themselves, so that other commands load nothing of it. */
export const resourceNames = [
  "organizations",
  "operators",
  "limits",
  "api-keys",
  "agents",
  "indicators",
  "prices",
  "currencies",
  "customers",
  "wallets",
  "grants",
  "allowances",
  "budgets",
  "budget-defaults",
  "orders",
  "invoices",
  "credit-notes",
  "issuers",
  "ledger",
  "books",
  "usage",
  "voice-sessions",
  "webhooks",
  "audit",
] as const;

export type ResourceName = (typeof resourceNames)[number];

export function isResource(name: string | undefined): name is ResourceName {
  return resourceNames.some((known) => known === name);
}
