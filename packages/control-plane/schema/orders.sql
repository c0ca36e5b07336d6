create table orders (
  org_id          bigint not null,
  order_id        uuid not null,
  customer_id     text not null,
  name            text not null,
  start_date      date not null,
  kind            text not null check (kind in ('plan', 'replacement', 'top_up')),
  status          text not null check (status in ('pending', 'active', 'superseded', 'cancelled')),
  superseded_by   uuid,
  created_at      timestamptz not null,
  activated_at    timestamptz,
  superseded_at   timestamptz,
  -- An order that is not active may be cancelled; its invoice is void then.
  cancelled_at    timestamptz,
  -- Of the one wallet that a top-up is for.
  top_up_currency text,
  primary key (org_id, order_id),
  foreign key (org_id, customer_id) references customers,
  foreign key (org_id, superseded_by) references orders,
  constraint orders_activated check ((status in ('pending', 'cancelled')) = (activated_at is null)),
  constraint orders_check1 check ((status = 'superseded') = (superseded_at is not null)),
  constraint orders_check2 check ((status = 'superseded') = (superseded_by is not null)),
  constraint orders_cancelled check ((status = 'cancelled') = (cancelled_at is not null)),
  constraint orders_top_up check ((kind = 'top_up') = (top_up_currency is not null))
);
create index orders_customer on orders (org_id, customer_id, created_at desc, order_id desc);
create index orders_time on orders (org_id, created_at, order_id);
create index orders_status on orders (org_id, status, created_at, order_id);
create index orders_kind on orders (org_id, kind, created_at, order_id);
-- One top-up at a time for each wallet.
create unique index orders_one_top_up on orders (org_id, customer_id, top_up_currency)
  where status = 'pending' and kind = 'top_up';
create trigger orders_stay_cancelled before update of status on orders
  for each row when (old.status = 'cancelled' and new.status <> 'cancelled') execute function refuse_revival();

-- When a top-up is paid, void or cancelled, the next one may be ordered.
create function rearm_top_up() returns trigger language plpgsql as $$
begin
  update wallets set top_up_at = '-infinity'
   where (org_id, customer_id, currency) = (new.org_id, new.customer_id, new.top_up_currency) and top_up_at = 'infinity';
  return null;
end
$$;
create trigger orders_rearm_top_up after update of status on orders
  for each row when (old.kind = 'top_up' and old.status = 'pending' and new.status <> 'pending') execute function rearm_top_up();

-- The fee is in minor units of money. A top-up has no agent.
create table order_line_items (
  org_id       bigint not null,
  order_id     uuid not null,
  position     integer not null,
  agent_id     text,
  fee_amount   bigint check (fee_amount >= 0),
  fee_currency text check (fee_currency ~ '^[A-Z]{3}$'),
  primary key (org_id, order_id, position),
  foreign key (org_id, order_id) references orders,
  foreign key (org_id, agent_id) references agents,
  check ((fee_amount is null) = (fee_currency is null))
);

create table credit_benefits (
  org_id   bigint not null,
  order_id uuid not null,
  position integer not null,
  currency text not null,
  amount   bigint not null check (amount > 0),
  -- They are a grant, which expires, or an allowance.
  expires_in_days integer check (expires_in_days > 0),
  every    text check (every in ('day', 'week', 'month')),
  rollover bigint check (rollover >= 0),
  check (num_nonnulls(expires_in_days, every) < 2 and (every is null) = (rollover is null)),
  primary key (org_id, order_id, position, currency),
  foreign key (org_id, order_id, position) references order_line_items
);
