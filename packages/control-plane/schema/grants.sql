-- Grants: credits of a prepaid wallet that expire, or are spent before or after others. What a wallet has besides never
-- expires, and has no row. Amounts are micro-credits.
create table grants (
  org_id       bigint not null,
  grant_id     uuid not null,
  customer_id  text not null,
  currency     text not null,
  source       text not null check (source in ('promotion', 'purchase')),
  -- Those of a lower number are spent first. What has no grant has 50.
  priority     smallint not null check (priority between 0 and 100),
  amount       bigint not null check (amount > 0),
  remaining    bigint not null check (remaining between 0 and amount),
  -- Not in the wallet yet; in what is available; expired, so that it pays only for usage that came late; over.
  state        text not null check (state in ('scheduled', 'active', 'expired', 'ended')),
  effective_at timestamptz not null,
  expires_at   timestamptz check (expires_at > effective_at),
  primary key (org_id, grant_id),
  foreign key (org_id, customer_id, currency) references wallets
);
create index grants_open on grants (org_id, customer_id, currency) where state <> 'ended';
create index grants_wallet on grants (org_id, customer_id, currency, effective_at, grant_id);

-- What of a wallet's available credits has expired, and is not taken out of it yet. Few wallets have any: who asks looks at
-- grants_at first.
create function expired_credits(bigint, text, text, timestamptz) returns numeric language sql stable
begin atomic
  select coalesce(sum(remaining), 0) from grants
   where org_id = $1 and customer_id = $2 and currency = $3 and state = 'active' and expires_at <= $4;
end;

-- What expires next of a wallet, for people to see.
create function expiring_credits(bigint, text, text, timestamptz) returns jsonb language sql stable
begin atomic
  select jsonb_agg(jsonb_build_object('at', expires_at, 'credits', credits::text) order by expires_at)
    from (select expires_at, sum(remaining) as credits from grants
           where org_id = $1 and customer_id = $2 and currency = $3 and state = 'active' and expires_at > $4
           group by 1 order by 1 limit 10) as next;
end;
