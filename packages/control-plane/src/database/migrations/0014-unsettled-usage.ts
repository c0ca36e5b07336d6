import type { Migration } from "../migration.ts";

export const unsettledUsage: Migration = {
  version: 14,
  name: "unsettled-usage",
  sql: `
-- What each wallet will still be debited. Usage without a wallet is in it, since the wallet may be opened.
create index usage_events_unsettled on usage_events (org_id, customer_id, currency) include (amount)
 where settled_at is null or outcome = 'wallet_missing';
`,
};
