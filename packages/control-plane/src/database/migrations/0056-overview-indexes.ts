import type { Migration } from "../migration.ts";

/** Wallets near their end, those that came there last first, and what one actor has done. */
export const overviewIndexes: Migration = {
  version: 56,
  name: "overview-indexes",
  online: [
    // In small transactions, each wallet for a moment. Writing a wallet sets its urgency.
    `do $$
declare
  last record;
begin
  select null::bigint as org_id, null::text as customer_id, null::text as currency into last;
  loop
    with batch as (
           select org_id, customer_id, currency from wallets
            where last.org_id is null or (org_id, customer_id, currency) > (last.org_id, last.customer_id, last.currency)
            order by org_id, customer_id, currency limit 500),
         untold as (
           select wallets.org_id, wallets.customer_id, wallets.currency
             from wallets join batch using (org_id, customer_id, currency) join organizations using (org_id)
            where urgency is null
              and (state <> 'funded'
                   or kind = 'prepaid' and available < coalesce(wallets.low_threshold, organizations.low_threshold)
                   or postpaid_limit > 0 and (postpaid_limit - postpaid_used < postpaid_limit / 10
                        or postpaid_limit - postpaid_used < coalesce(wallets.low_threshold, organizations.low_threshold)))
            order by 1, 2, 3 for no key update of wallets skip locked),
         told as (
           update wallets set available = wallets.available from untold
            where (wallets.org_id, wallets.customer_id, wallets.currency)
                = (untold.org_id, untold.customer_id, untold.currency))
    select org_id, customer_id, currency into last
      from batch order by org_id desc, customer_id desc, currency desc limit 1;
    exit when not found;
    commit;
  end loop;
end
$$`,
    "create index concurrently if not exists wallets_urgency on wallets (org_id, urgency, urgent_since, customer_id, currency) where urgency is not null",
    // Of the partition that has what there is; those of the months that come are empty, or nearly.
    "create index concurrently if not exists audit_log_first_actor on audit_log_first (org_id, actor, at, audit_id)",
    "create index concurrently if not exists audit_log_first_all_by_actor on audit_log_first (actor, at, audit_id)",
    "create index if not exists audit_log_actor on audit_log (org_id, actor, at, audit_id)",
    "create index if not exists audit_log_all_by_actor on audit_log (actor, at, audit_id)",
  ],
};
