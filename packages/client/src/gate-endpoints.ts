import { acts, type Endpoint, reads } from "./endpoint.ts";

/** The operations that a gate calls. Apart from the others, so that these three are all of them in a bundle for the edge. */
export const gateEndpoints: {
  readonly walletBalance: Endpoint;
  readonly usageReport: Endpoint;
  readonly customerSubscription: Endpoint;
} = {
  walletBalance: reads("walletBalance", "/api/v1/wallet/balance"),
  usageReport: acts("usageReport", "/api/v2/usage"),
  customerSubscription: reads(
    "customerSubscription",
    "/api/v1/customers/by-external-id/{external_id}/subscription",
  ),
};
