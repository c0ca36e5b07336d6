import type { Migration } from "../migration.ts";

export const unbilledUsage: Migration = {
  version: 11,
  name: "unbilled-usage",
  sql: `
-- Usage that was accepted and that no wallet has paid.
create index usage_events_unbilled on usage_events (org_id, customer_id, currency, outcome)
 where outcome in ('wallet_missing', 'out_of_range');

-- Wallets that were opened where usage waited for them: it is settled again, batch by batch.
create table wallet_openings (
  org_id      bigint not null,
  customer_id text not null,
  currency    text not null,
  primary key (org_id, customer_id, currency),
  foreign key (org_id, customer_id, currency) references wallets
);
insert into wallet_openings (org_id, customer_id, currency)
  select distinct wallets.org_id, wallets.customer_id, wallets.currency
    from wallets
    join usage_events using (org_id, customer_id, currency)
   where outcome = 'wallet_missing';

-- A call that got no indicator in time, and that cannot be billed without one.
alter table voice_sessions
  add column abandoned_at timestamptz;
create index voice_sessions_open on voice_sessions (opened_at) where closed_at is null and abandoned_at is null;
create index voice_sessions_unbilled on voice_sessions (org_id, opened_at, session_id) where closed_at is null;
`,
};
