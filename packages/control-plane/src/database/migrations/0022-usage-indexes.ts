import type { Migration } from "../migration.ts";

/** Usage by time, of a customer, of an agent's indicator, of the outcomes that are rare, and what is not settled or counted. */
export const usageIndexes: Migration = {
  version: 22,
  name: "usage-indexes",
  online: [
    "create index concurrently if not exists usage_events_time on usage_events (org_id, received_at, usage_id)",
    "create index concurrently if not exists usage_events_customer_time on usage_events (org_id, customer_id, received_at, usage_id)",
    "create index concurrently if not exists usage_events_indicator_time on usage_events (org_id, agent_id, indicator, received_at, usage_id)",
    "create index concurrently if not exists usage_events_outcome_time on usage_events (org_id, outcome, received_at, usage_id) where outcome in ('wallet_missing', 'out_of_range', 'free', 'not_credits')",
    "create index concurrently if not exists usage_events_open_time on usage_events (org_id, received_at, usage_id) where settled_at is null or counted is null",
  ],
};
