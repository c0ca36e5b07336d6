import type { AdminAllowance, AdminBudgetDefault, AdminGrant, UsageSumsQuery } from "@creditgate/admin";
import { growingQuery, organizationQuery } from "../api/query.ts";

/** The running month, by UTC, whose usage is summed. */
export interface Month {
  /** "November". */
  readonly name: string;
  /** Its first instant, and that of tomorrow: sums are of whole days. */
  readonly from: string;
  readonly to: string;
  /** Its days up to today, as `2026-11-01`. */
  readonly days: readonly string[];
}

const dayMs = 24 * 60 * 60 * 1_000;
const names = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" });

export function monthOf(now: Date): Month {
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const today = now.getUTCDate();
  return {
    name: names.format(now),
    from: new Date(first).toISOString(),
    to: new Date(first + today * dayMs).toISOString(),
    days: Array.from({ length: today }, (_, day) => new Date(first + day * dayMs).toISOString().slice(0, 10)),
  };
}

const pageSize = 25;

interface CustomersPart {
  readonly search?: string | undefined;
  readonly cursor?: string | undefined;
}

export const customersQuery = organizationQuery(
  "customers",
  ({ customers }, options, { search, cursor }: CustomersPart) =>
    customers.list({ search, cursor, limit: pageSize }, options),
  { keepsLast: true },
);

export const currenciesQuery = organizationQuery(
  "currencies",
  ({ currencies }, options) => currencies.list(options),
  { staleTime: 30_000 },
);

export const customerQuery = organizationQuery(
  "customer",
  ({ customers }, options, customerId: string) => customers.get(customerId, options),
  { refetchInterval: 10_000 },
);

/** The entries of a wallet, the newest first, part by part. */
export const ledgerQuery = growingQuery(
  "ledger",
  ({ ledger }, options, cursor, customerId: string, creditCurrencyKey: string) =>
    ledger.list({ customerId, creditCurrencyKey, limit: 100, cursor }, options),
  ({ entries }) => entries,
);

/** What a customer has used of a currency this month. */
export const monthSumsQuery = organizationQuery(
  "usage-sums",
  async ({ usage }, options, query: UsageSumsQuery) => (await usage.sums.list(query, options)).sums,
  { refetchInterval: 10_000 },
);

export const usageQuery = organizationQuery(
  "usage",
  ({ usage }, options, customerId: string, cursor: string | undefined) =>
    usage.list({ customerId, cursor, limit: pageSize }, options),
  { keepsLast: true, refetchInterval: 10_000 },
);

const expiryOf = (grant: AdminGrant) => Date.parse(grant.expiresAt ?? "9999-12-31T23:59:59Z");

/** The grants of a customer that are not over, the next to expire first: at most 1,000 a wallet, most often a few. */
export const grantsQuery = organizationQuery("grants", async ({ grants }, options, customerId: string) => {
  const found: AdminGrant[] = [];
  for (const state of ["active", "expired", "scheduled"] as const)
    for await (const grant of grants.all({ customerId, state, limit: 100 }, options)) found.push(grant);
  return found.sort((one, other) => expiryOf(one) - expiryOf(other));
});

/** The allowances of a customer that have a next period. */
export const allowancesQuery = organizationQuery(
  "allowances",
  async ({ allowances }, options, customerId: string) => {
    const found: AdminAllowance[] = [];
    for await (const allowance of allowances.all({ customerId, limit: 100 }, options))
      if (allowance.nextAt !== null) found.push(allowance);
    return found;
  },
);

/** The budgets of kinds for all customers: few. */
export const budgetDefaultsQuery = organizationQuery("budget-defaults", async ({ budgets }, options) => {
  const defaults: AdminBudgetDefault[] = [];
  for await (const budget of budgets.defaults.all({ limit: 100 }, options)) defaults.push(budget);
  return defaults;
});

export const budgetsQuery = organizationQuery(
  "budgets",
  ({ budgets }, options, customerId: string | undefined, cursor: string | undefined) =>
    budgets.list({ customerId, cursor, limit: pageSize }, options),
  { keepsLast: true, refetchInterval: 10_000 },
);

export const voiceSessionsQuery = organizationQuery(
  "voice-sessions",
  ({ voiceSessions }, options, customerId: string, cursor: string | undefined) =>
    voiceSessions.list({ customerId, cursor, limit: pageSize }, options),
  { keepsLast: true },
);

/** The queries that a change of money makes untrue: all that shows a customer. */
export const customerQueries = [
  "customer",
  "customers",
  "ledger",
  "usage",
  "usage-sums",
  "grants",
  "allowances",
];
