import {
  type OverviewEndpoints,
  urgentWalletListQuery,
  usageRefusalsQuery,
  usageSeriesQuery,
} from "@creditgate/client/admin";
import type { Readers } from "../http/call.ts";
import type { AdminServed } from "./roles.ts";

type OverviewTable = {
  readonly [Of in keyof OverviewEndpoints]: AdminServed & Readers<OverviewEndpoints[Of]>;
};

/** What shows at a glance how an organisation is. */
export const overviewTable: OverviewTable = {
  usageSeries: { scope: "read", query: { schema: usageSeriesQuery } },
  usageRefusals: { scope: "read", query: { schema: usageRefusalsQuery } },
  settlementState: { scope: "read" },
  settlementAges: { scope: "read" },
  attentionRead: { scope: "read" },
  urgentWalletList: { scope: "read", query: { schema: urgentWalletListQuery } },
};
