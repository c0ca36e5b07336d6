-- Amounts are micro-credits. Whoever locks several wallets does so in the order of their keys.
create table wallets (
  org_id               bigint not null,
  customer_id          text not null,
  currency             text not null,
  kind                 text not null check (kind in ('prepaid', 'postpaid')),
  available            bigint not null default 0 check (available >= 0),
  pending              bigint not null default 0 check (pending >= 0),
  overage_used         bigint not null default 0 check (overage_used >= 0),
  overage_limit        bigint not null default 0 check (overage_limit >= 0),
  postpaid_used        bigint not null default 0 check (postpaid_used >= 0),
  postpaid_limit       bigint not null default 0 check (postpaid_limit >= 0),
  -- The number of its last entry in the ledger.
  last_entry           bigint not null default 0,
  -- From when on it accrues what is not invoiced.
  accrues_from         timestamptz not null default now(),
  -- The state and the urgency are columns that seldom change: an index on the amounts would be written with each debit.
  state                text not null,
  low_threshold        bigint constraint wallets_low_threshold check (low_threshold >= 0),
  -- Below this many credits, order so many for this price, at most so often in a billing period.
  auto_top_up_below    bigint,
  auto_top_up_credits  bigint,
  auto_top_up_amount   bigint,
  auto_top_up_currency text,
  auto_top_up_most     integer,
  -- Whether the wallet is below it, and from when on an order may be made: infinity while one waits for its payment.
  top_up_due           boolean not null default false,
  top_up_at            timestamptz,
  -- When the next of its grants begins, expires or is over; infinity: none does. Null: it has no grants.
  grants_at            timestamptz,
  urgency              text,
  urgent_since         timestamptz,
  primary key (org_id, customer_id, currency),
  foreign key (org_id, customer_id) references customers,
  foreign key (org_id, currency) references currencies,
  check (available = 0 or overage_used = 0),
  check (kind = 'prepaid' or (available = 0 and pending = 0 and overage_used = 0 and overage_limit = 0)),
  check (kind = 'postpaid' or (postpaid_used = 0 and postpaid_limit = 0)),
  constraint wallets_auto_top_up check (
    num_nulls(auto_top_up_below, auto_top_up_credits, auto_top_up_amount, auto_top_up_currency, auto_top_up_most) in (0, 5)
    and (auto_top_up_below is null or kind = 'prepaid' and auto_top_up_below > 0 and auto_top_up_credits > 0
         and auto_top_up_amount > 0 and auto_top_up_most > 0))
) with (fillfactor = 70);
create index wallets_accruing on wallets (org_id, accrues_from, customer_id, currency) where kind = 'postpaid';
create index wallets_currency on wallets (org_id, currency, customer_id);
create index wallets_grants on wallets (grants_at, org_id, customer_id, currency) where grants_at < 'infinity';
create index wallets_kind on wallets (org_id, kind, customer_id, currency);
create index wallets_state on wallets (org_id, state, customer_id, currency);
create index wallets_top_up on wallets (top_up_at, org_id, customer_id, currency) where top_up_due;
create index wallets_urgency on wallets (org_id, urgency, urgent_since, customer_id, currency) where urgency is not null;
create trigger wallets_name_currency before insert on wallets
  for each row execute function name_currency();
create trigger wallets_stay before delete or truncate or update of org_id, customer_id, currency on wallets
  for each statement execute function refuse_removal();

-- What a wallet can still pay; null is without a limit. The rule of the gate (core's capacity.ts) in SQL.
create function wallet_capacity(wallet wallets) returns bigint language sql immutable as $$
  select case when wallet.kind = 'prepaid' then wallet.available + wallet.overage_limit - wallet.overage_used
              when wallet.postpaid_limit > 0 then wallet.postpaid_limit - wallet.postpaid_used end
$$;

-- The state of a wallet, whether its credits are low or exhausted, and since when.
create function tell_wallet_urgency() returns trigger language plpgsql set search_path from current as $$
declare
  capacity  bigint := wallet_capacity(new);
  remaining bigint := capacity;
begin
  if new.kind = 'prepaid' then
    remaining := new.available;
  end if;
  new.state := case when capacity <= 0 then 'exhausted' when new.overage_used > 0 then 'overage' else 'funded' end;
  new.urgency := case
    when new.state = 'exhausted' then 'exhausted'
    when new.state = 'overage' then 'low'
    when new.postpaid_limit > 0 and remaining < new.postpaid_limit / 10 then 'low'
    when remaining < coalesce(new.low_threshold, (select low_threshold from organizations where org_id = new.org_id)) then 'low'
  end;
  if new.urgency is null then
    new.urgent_since := null;
  elsif tg_op = 'INSERT' or new.urgency is distinct from old.urgency then
    new.urgent_since := now();
  end if;
  return new;
end
$$;
create trigger wallets_tell_urgency
  before insert or update of available, overage_used, overage_limit, postpaid_used, postpaid_limit, low_threshold on wallets
  for each row execute function tell_wallet_urgency();

-- A trigger notes in the transaction of the debit that a top-up is due, so that it is not lost if the worker is killed.
create function tell_top_up() returns trigger language plpgsql as $$
begin
  new.top_up_due := coalesce(new.available < new.auto_top_up_below, false);
  return new;
end
$$;
create trigger wallets_tell_top_up before update of available, auto_top_up_below on wallets
  for each row when (new.auto_top_up_below is not null or old.top_up_due) execute function tell_top_up();

-- Wallets that were opened while usage waited for them: it is settled again, batch by batch.
create table wallet_openings (
  org_id      bigint not null,
  customer_id text not null,
  currency    text not null,
  primary key (org_id, customer_id, currency),
  foreign key (org_id, customer_id, currency) references wallets
);
