import type { DaySpan } from "../parts/day-span.tsx";

/** What the page shows in place of the reports. */
export const sums = {
  hour: "By hour",
  day: "By day",
  agent: "By agent",
  indicator: "By indicator",
  customer: "By customer",
} as const;

/** What has become of usage, where that can be asked for. */
export const outcomeFilters = {
  unsettled: "Waiting",
  wallet_missing: "No wallet",
  out_of_range: "Out of range",
  free: "Free",
  not_credits: "Not in credits",
} as const;

export interface UsageSearch extends DaySpan {
  /** Without it the reports are shown. */
  by?: keyof typeof sums;
  /** The ID of a customer. */
  customer?: string;
  agent?: string;
  /** With its agent. */
  indicator?: string;
  outcome?: keyof typeof outcomeFilters;
  /** Where the part of the list begins. */
  cursor?: string;
}
