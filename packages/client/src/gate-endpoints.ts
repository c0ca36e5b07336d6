import type {
  CustomerSubscriptionQuery,
  UsageBatchRequest,
  UsageReportRequest,
  WalletBalanceQuery,
} from "./contract/index.ts";
import { acts, type Endpoint, ensures, reads } from "./endpoint.ts";

export interface GateEndpoints {
  readonly walletBalance: Endpoint<undefined, WalletBalanceQuery>;
  readonly usageReport: Endpoint<UsageReportRequest, undefined>;
  readonly usageBatch: Endpoint<UsageBatchRequest, undefined>;
  readonly customerSubscription: Endpoint<undefined, CustomerSubscriptionQuery, "external_id">;
}

/** The operations that a gate calls. Apart from the others, so that these four are all of them in a bundle for the edge. */
export const gateEndpoints: GateEndpoints = {
  walletBalance: reads("walletBalance", "/api/v1/wallet/balance"),
  usageReport: acts("usageReport", "/api/v2/usage"),
  // Safe to repeat: each report has a key of its own in the body. Not in the API: only for a service that names it.
  usageBatch: ensures("usageBatch", "/api/v2/usage/batch"),
  customerSubscription: reads(
    "customerSubscription",
    "/api/v1/customers/by-external-id/{external_id}/subscription",
  ),
};
