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
  -- Of the order that they came with, and of the allowance whose period they are for.
  order_id     uuid,
  allowance_id uuid,
  primary key (org_id, grant_id),
  foreign key (org_id, customer_id, currency) references wallets
);
create index grants_open on grants (org_id, customer_id, currency) where state <> 'ended';
create index grants_wallet on grants (org_id, customer_id, currency, effective_at, grant_id);

-- Credits that recur: each period has a grant, which expires as the next one begins.
create table allowances (
  org_id       bigint not null,
  allowance_id uuid not null,
  customer_id  text not null,
  currency     text not null,
  -- Of the next period; that of the present one is in its grant.
  credits      bigint not null check (credits > 0),
  -- What of the remainder stays for one period more.
  rollover     bigint not null check (rollover >= 0),
  every        text not null check (every in ('day', 'week', 'month')),
  anchor       smallint not null check (anchor between 1 and 28),
  time_zone    text not null,
  source       text not null check (source in ('promotion', 'purchase')),
  priority     smallint not null check (priority between 0 and 100),
  order_id     uuid,
  -- The grant of the present period, and when that began.
  grant_id     uuid not null,
  period       timestamptz not null,
  -- When the next period begins; null: none does.
  next_at      timestamptz check (next_at > period),
  primary key (org_id, allowance_id),
  foreign key (org_id, customer_id, currency) references wallets
);
create index allowances_wallet on allowances (org_id, customer_id, currency, allowance_id);

-- What of a wallet's available credits has expired, and is not taken out of it yet. What the next period of an allowance
-- replaces has not: all wallets whose periods end at midnight wait for the worker then. Few wallets have any: who asks looks
-- at grants_at first.
create function expired_credits(bigint, text, text, timestamptz) returns numeric language sql stable
begin atomic
  select coalesce(sum(greatest(0, remaining - coalesce(allowance.credits, 0))), 0)
    from grants
    left join allowances as allowance
      on (allowance.org_id, allowance.allowance_id, allowance.grant_id) = (grants.org_id, grants.allowance_id, grants.grant_id)
     and next_at <= $4
   where grants.org_id = $1 and grants.customer_id = $2 and grants.currency = $3 and state = 'active' and expires_at <= $4;
end;

-- What expires next of a wallet, for people to see.
create function expiring_credits(bigint, text, text, timestamptz) returns jsonb language sql stable
begin atomic
  select jsonb_agg(jsonb_build_object('at', expires_at, 'credits', credits::text) order by expires_at)
    from (select expires_at, sum(remaining) as credits from grants
           where org_id = $1 and customer_id = $2 and currency = $3 and state = 'active' and expires_at > $4
           group by 1 order by 1 limit 10) as next;
end;
