import type { Migration } from "../migration.ts";

export const customerAndWalletIndexes: Migration = {
  version: 20,
  name: "customer-and-wallet-indexes",
  online: [
    "create index concurrently if not exists customers_words on customers using gin (customer_words(org_id, external_id, name, email))",
    // Without the statistics of the words each search would be taken for one that finds little.
    "analyze customers",
    // In small transactions, each wallet for a moment. Writing a wallet sets its state.
    `do $$
declare
  last record;
begin
  select null::bigint as org_id, null::text as customer_id, null::text as currency into last;
  loop
    with batch as (
           select org_id, customer_id, currency, state from wallets
            where last.org_id is null or (org_id, customer_id, currency) > (last.org_id, last.customer_id, last.currency)
            order by org_id, customer_id, currency limit 500),
         told as (
           update wallets set available = wallets.available
             from (select wallets.org_id, wallets.customer_id, wallets.currency
                     from wallets join batch using (org_id, customer_id, currency)
                    where batch.state is null
                    order by 1, 2, 3 for no key update of wallets skip locked) as untold
            where (wallets.org_id, wallets.customer_id, wallets.currency)
                = (untold.org_id, untold.customer_id, untold.currency))
    select org_id, customer_id, currency into last
      from batch order by org_id desc, customer_id desc, currency desc limit 1;
    exit when not found;
    commit;
  end loop;
end
$$`,
    "update wallets set available = available where state is null",
    "create index concurrently if not exists wallets_currency on wallets (org_id, currency, customer_id)",
    "create index concurrently if not exists wallets_kind on wallets (org_id, kind, customer_id, currency)",
    "create index concurrently if not exists wallets_state on wallets (org_id, state, customer_id, currency)",
  ],
};
