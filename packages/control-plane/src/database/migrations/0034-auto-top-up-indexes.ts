import type { Migration } from "../migration.ts";

/** One order at a time for each wallet, and the wallets that want one. */
export const autoTopUpIndexes: Migration = {
  version: 34,
  name: "auto-top-up-indexes",
  online: [
    "create unique index concurrently if not exists orders_one_top_up on orders (org_id, customer_id, top_up_currency) where status = 'pending' and kind = 'top_up'",
    "create index concurrently if not exists wallets_top_up on wallets (top_up_at, org_id, customer_id, currency) where top_up_due",
    "alter table wallets validate constraint wallets_auto_top_up",
    "alter table orders validate constraint orders_kind_check",
    "alter table orders validate constraint orders_top_up",
  ],
};
