-- Agents, their indicators, and what usage and credits cost. Versions of prices are never changed; the next one takes
-- the place of the last.
create table agents (
  org_id      bigint not null references organizations,
  agent_id    text not null,
  external_id text not null,
  name        text not null,
  description text,
  type        text,
  created_at  timestamptz not null default now(),
  edited_by   text,
  primary key (org_id, agent_id),
  unique (org_id, external_id)
);

create table indicators (
  org_id   bigint not null,
  agent_id text not null,
  name     text not null,
  primary key (org_id, agent_id, name),
  foreign key (org_id, agent_id) references agents
);
create trigger indicators_stay before delete or truncate or update of org_id, agent_id, name on indicators
  for each statement execute function refuse_removal();

-- What a credit costs now, in minor units of money; null if invoices are not to say so.
create table currencies (
  org_id        bigint not null references organizations,
  currency      text not null,
  name          text,
  unit_amount   numeric check (unit_amount >= 0),
  unit_currency text check (unit_currency ~ '^[A-Z]{3}$'),
  created_at    timestamptz not null default now(),
  primary key (org_id, currency),
  check ((unit_amount is null) = (unit_currency is null))
);

-- A currency is created when a wallet or a price first names it.
create function name_currency() returns trigger language plpgsql as $$
begin
  if new.currency is not null then
    insert into currencies (org_id, currency) values (new.org_id, new.currency) on conflict do nothing;
  end if;
  return new;
end
$$;

-- What a credit cost from an instant on.
create table unit_prices (
  org_id        bigint not null,
  currency      text not null,
  version       integer not null check (version > 0),
  valid_from    timestamptz not null,
  unit_amount   numeric check (unit_amount >= 0),
  unit_currency text check (unit_currency ~ '^[A-Z]{3}$'),
  primary key (org_id, currency, version),
  foreign key (org_id, currency) references currencies,
  check ((unit_amount is null) = (unit_currency is null))
);
create trigger unit_prices_append_only before update or delete or truncate on unit_prices
  for each statement execute function refuse_change();

-- How an indicator bills from an instant on.
create table prices (
  org_id       bigint not null,
  agent_id     text not null,
  indicator    text not null,
  version      integer not null check (version > 0),
  valid_from   timestamptz not null,
  billing      text not null,
  currency     text,
  -- Rates in credits as decimal text, by component.
  price        jsonb not null,
  -- A list of provider, model, plan (or none), price.
  model_prices jsonb not null,
  -- An actor of the audit log: a fixture does not replace what an administrator has set.
  set_by       text,
  -- When it was set, which may be long before it is valid.
  set_at       timestamptz,
  primary key (org_id, agent_id, indicator, version),
  foreign key (org_id, agent_id, indicator) references indicators,
  check (billing <> 'CREDITS' or currency is not null)
);
create trigger prices_name_currency before insert on prices
  for each row execute function name_currency();
create trigger prices_append_only before update or delete or truncate on prices
  for each statement execute function refuse_change();
