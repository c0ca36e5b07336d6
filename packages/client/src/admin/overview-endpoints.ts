import { type Endpoint, reads } from "../endpoint.ts";
import type { UrgentWalletListQuery } from "./contract/attention.ts";
import type { SpanQuery } from "./contract/part.ts";
import type { UsageSeriesQuery } from "./contract/usage-series.ts";

/** What shows at a glance how an organisation is. */
export interface OverviewEndpoints {
  readonly usageSeries: Endpoint<undefined, UsageSeriesQuery>;
  readonly usageRefusals: Endpoint<undefined, SpanQuery>;
  readonly settlementState: Endpoint<undefined, undefined>;
  readonly settlementAges: Endpoint<undefined, undefined>;
  readonly attentionRead: Endpoint<undefined, undefined>;
  readonly urgentWalletList: Endpoint<undefined, UrgentWalletListQuery>;
}

const organization = "/admin/api/organizations/{organization_id}";

export const overviewEndpoints: OverviewEndpoints = {
  usageSeries: reads("usageSeries", `${organization}/usage-series`),
  usageRefusals: reads("usageRefusals", `${organization}/usage-refusals`),
  settlementState: reads("settlementState", `${organization}/settlement`),
  settlementAges: reads("settlementAges", `${organization}/settlement-ages`),
  attentionRead: reads("attentionRead", `${organization}/attention`),
  urgentWalletList: reads("urgentWalletList", `${organization}/urgent-wallets`),
};
