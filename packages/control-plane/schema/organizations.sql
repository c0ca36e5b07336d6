-- A null setting has the default of the server. Each key of an organisation's tables contains org_id.
create table organizations (
  org_id              bigint generated always as identity primary key,
  name                text not null unique,
  created_at          timestamptz not null default now(),
  billing_period      text check (billing_period in ('daily', 'weekly', 'monthly')),
  billing_anchor      integer check (billing_anchor between 1 and 28),
  time_zone           text,
  -- Below this many micro-credits a wallet is low, unless it has a threshold of its own.
  low_threshold       bigint constraint organizations_low_threshold check (low_threshold >= 0),
  -- For how many whole months after theirs rows are kept; null: for ever.
  usage_kept_months   integer constraint organizations_usage_kept_months check (usage_kept_months >= 2),
  answers_kept_months integer constraint organizations_answers_kept_months check (answers_kept_months >= 2),
  audit_kept_months   integer constraint organizations_audit_kept_months check (audit_kept_months >= 2),
  -- What an operator allows it, if that is not what each organisation may have.
  limits              jsonb not null default '{}',
  ledger_kept_months  integer constraint organizations_ledger_kept_months check (ledger_kept_months >= 2)
);

-- When the period began that an instant is in, or one so many later, by the calendar of a time zone, which knows the days of 23
-- and 25 hours. A week begins on the day `anchor`, 1 for Monday, a month on that day, up to 28.
create function period_start(every text, anchor integer, time_zone text, at timestamptz, later integer)
  returns timestamptz language sql stable
  return (date_trunc(every, at at time zone time_zone
                     - make_interval(days => case every when 'week' then (anchor - 1) % 7 when 'month' then anchor - 1 else 0 end))
          + later * ('1 ' || every)::interval
          + make_interval(days => case every when 'week' then (anchor - 1) % 7 when 'month' then anchor - 1 else 0 end))
         at time zone time_zone;

-- The anchor of periods of which one begins on the day of an instant, or soon after.
create function period_anchor(every text, time_zone text, at timestamptz) returns integer language sql stable
  return case every when 'week' then extract(isodow from at at time zone time_zone)
                    when 'month' then least(28, extract(day from at at time zone time_zone)) else 1 end;

-- The key itself is never stored; the lookup is the start of its hash, so that it reveals nothing about short keys.
create table api_keys (
  org_id       bigint not null references organizations,
  key_lookup   text not null check (length(key_lookup) = 8),
  key_hash     text not null unique check (key_hash ~ '^[0-9a-f]{64}$'),
  created_at   timestamptz not null default now(),
  key_id       uuid not null default gen_random_uuid(),
  name         text not null default 'unnamed',
  scopes       text[] not null default '{read,usage,wallets,customers,orders,agents}',
  expires_at   timestamptz,
  revoked_at   timestamptz,
  last_used_at timestamptz,
  -- An actor of the audit log.
  created_by   text,
  primary key (org_id, key_hash)
);
create index api_keys_lookup on api_keys (key_lookup);
create index api_keys_age on api_keys (org_id, created_at, key_id);
create unique index api_keys_key_id on api_keys (org_id, key_id);
