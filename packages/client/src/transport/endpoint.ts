import type { CustomerSubscriptionQuery } from "../contract/customer.ts";
import type { UsageBatchRequest, UsageReportRequest } from "../contract/usage.ts";
import type { WalletBalanceQuery, WalletBudgetsRequest } from "../contract/wallet.ts";

/**
 * One of the service's operations, as data: its path, and what may be done with a call that failed. The types
 * describe what a call carries: its body, its query, and the parameters of its path; `undefined` is none.
 */
export interface Endpoint<Body = unknown, Query = unknown, Parameter extends string = string> {
  /** The name used in this package, in messages and in telemetry. */
  readonly name: string;
  readonly method: "GET" | "POST";
  /** The path below the base URL; a parameter stands in braces, as in `/api/v1/orders/{order_id}/invoices`. */
  readonly path: string;
  /** Safe to repeat by the service's own word: it reads, creates-or-gets, or ensures. */
  readonly idempotent: boolean;
  /** Carries an `Idempotency-Key`, so that a service that honours keys does its effect once. */
  readonly keyed: boolean;
  /** For the compiler: never there. */
  readonly carries?: { readonly body: Body; readonly query: Query; readonly parameter: Parameter };
}

export function reads<Query, Parameter extends string = string>(
  name: string,
  path: string,
): Endpoint<undefined, Query, Parameter> {
  return { name, method: "GET", path, idempotent: true, keyed: false };
}

export function ensures<Body>(name: string, path: string): Endpoint<Body, undefined> {
  return { name, method: "POST", path, idempotent: true, keyed: false };
}

export function acts<Body>(name: string, path: string): Endpoint<Body, undefined> {
  return { name, method: "POST", path, idempotent: false, keyed: true };
}

/** A call in messages: which service was asked for what. The parameters of the path stay out: they name customers. */
export function callName(baseUrl: string, { method, path }: Endpoint): string {
  return `${method} ${baseUrl}${path}`;
}

/** Not in the API: only for a service that knows budgets. Reads, though it is a POST, which keeps keys out of URLs. */
export const walletBudgets = ensures<WalletBudgetsRequest>("walletBudgets", "/api/v1/wallet/balance");

/** Not in the API: only for a service that names it. Safe to repeat: each report has a key of its own in the body. */
export const usageBatch = ensures<UsageBatchRequest>("usageBatch", "/api/v2/usage/batch");

export const customerSubscription = reads<CustomerSubscriptionQuery, "external_id">(
  "customerSubscription",
  "/api/v1/customers/by-external-id/{external_id}/subscription",
);

/** The operations that every gate calls. Apart from the others, so that these two are all of them in a bundle for the edge. */
export const gateEndpoints = {
  walletBalance: reads<WalletBalanceQuery>("walletBalance", "/api/v1/wallet/balance"),
  usageReport: acts<UsageReportRequest>("usageReport", "/api/v2/usage"),
} as const;
