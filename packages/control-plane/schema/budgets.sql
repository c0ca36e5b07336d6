-- Budgets: what part of a wallet's work may spend. A budget has a key, as `member:42`; `member:*` is that of each member
-- that has none of its own. Amounts are micro-credits.
create table budgets (
  org_id       bigint not null,
  -- Null: of each customer that has no budget of this kind.
  customer_id  text,
  currency     text not null,
  key          text not null check (key ~ '^([A-Za-z0-9_.:-]{1,128}|[A-Za-z0-9_.-]{1,126}:\*)$'),
  credit_limit bigint not null check (credit_limit >= 0),
  -- How often it begins anew, by the calendar of a time zone; null: never.
  every        text check (every in ('hour', 'day', 'week', 'month')),
  time_zone    text not null,
  -- From how many used credits on it is low; null: four fifths of the limit.
  warn_at      bigint check (warn_at >= 0),
  -- Whether gates hold work back by it, or it only warns.
  mode         text not null default 'enforce' check (mode in ('enforce', 'warn')),
  -- Since when it counts: since it was made, or since an administrator let it begin anew.
  begun_at     timestamptz not null,
  unique nulls not distinct (org_id, customer_id, currency, key),
  foreign key (org_id, customer_id, currency) references wallets,
  check (customer_id is not null or key like '%:*')
);

-- What was debited from wallets by reports that name a budget, by the beginning of the period in which they count. It
-- outlives the budget, as the reports do.
create table budget_sums (
  org_id      bigint not null,
  customer_id text not null,
  currency    text not null,
  key         text not null,
  period      timestamptz not null,
  used        numeric not null,
  -- Of which an event was sent: 1, the budget is low; 2, it is exhausted.
  warned      smallint not null default 0,
  primary key (org_id, customer_id, currency, key, period)
) with (fillfactor = 70);
create index budget_sums_period on budget_sums (period);
-- Of which events were sent: a change of a budget that is of all customers forgets them.
create index budget_sums_warned on budget_sums (org_id, currency) where warned > 0;

-- When the period began that an instant is in.
create function budget_period(budget budgets, at timestamptz) returns timestamptz language sql stable
  return greatest(budget.begun_at, date_trunc(budget.every, at, budget.time_zone));

-- When the next period begins; null if none does.
create function budget_resets(budget budgets, at timestamptz) returns timestamptz language sql stable
  return case budget.every
    when 'hour' then date_trunc('hour', at, budget.time_zone) + interval '1 hour'
    else period_start(budget.every, 1, budget.time_zone, at, 1)
  end;

-- The budget that a key stands for: its own, or the customer's of its kind, or that of its kind for all customers. Part of the
-- plan of whoever asks.
create function budget_of(bigint, text, text, text) returns setof budgets language sql stable rows 1
begin atomic
  select * from (
      select * from budgets
       where org_id = $1 and customer_id = $2 and currency = $3 and key in ($4, substring($4 from '^[^:]+:') || '*')
       union all
      select * from budgets
       where org_id = $1 and customer_id is null and currency = $3 and key = substring($4 from '^[^:]+:') || '*') as budget
   order by customer_id is null, key = $4 desc limit 1;
end;

-- In which periods a report counts that names these budgets, as [[key, period], ...]: the later one of that of its receipt
-- and the one that it names, since a replica whose clock is ahead may have admitted the work; the next period at most. A
-- key without a budget has no period, and counts nowhere.
create function budgets_reported(bigint, text, text, named jsonb, received_at timestamptz) returns jsonb
  language plpgsql stable set search_path from current set enable_seqscan = off as $$
begin
  return (
    select jsonb_agg(jsonb_build_array(named.key, greatest(began, least(coalesce(named.period, began), coalesce(ends, began))))
                     order by named.key)
      from jsonb_to_recordset(named) as named (key text, period timestamptz)
      left join lateral (
             select budget_period(budget, received_at) as began, budget_resets(budget, received_at) as ends
               from budget_of($1, $2, $3, named.key) as budget) as present on true);
end
$$;

-- The budgets of a customer that keys stand for, as of the instant of the statement. What is used and what waits to be settled
-- cover the period at hand and later ones. A key that stands for none is left out; one that only warns has no limit.
create function budgets_at(bigint, text, currencies text[], keys text[], at timestamptz)
  returns table (currency text, key text, credit_limit bigint, used numeric, unsettled numeric,
                 period timestamptz, resets_at timestamptz)
  language plpgsql stable set search_path from current set enable_seqscan = off as $$
#variable_conflict use_column
begin
  return query
    with waiting as materialized (
           select due.currency, one ->> 0 as key, (one ->> 1)::timestamptz as period, sum(amount) as amount
             from usage_due as due, jsonb_array_elements(budgets) as one
            where org_id = $1 and customer_id = $2 and budgets is not null
            group by 1, 2, 3)
    select asked.currency, asked.key, case when mode = 'enforce' then budget.credit_limit end,
           (select coalesce(sum(sums.used), 0) from budget_sums as sums
             where sums.org_id = $1 and sums.customer_id = $2 and sums.currency = asked.currency and sums.key = asked.key
               and sums.period >= present.began),
           (select coalesce(sum(waiting.amount), 0) from waiting
             where waiting.currency = asked.currency and waiting.key = asked.key and waiting.period >= present.began),
           present.began, present.ends
      from unnest($3, $4) as asked (currency, key)
     cross join lateral budget_of($1, $2, asked.currency, asked.key) as budget
     cross join lateral (select budget_period(budget, $5) as began, budget_resets(budget, $5) as ends) as present;
end
$$;

-- Settlement adds reports that were debited to the sums of their budgets, in the statement that takes them from the queue,
-- under the locks of their wallets. A trigger does it, since a replica of a version without budgets may settle them too, and
-- may have queued them again without their budgets. A report that got an outcome was not debited.
create function add_to_budgets() returns trigger language plpgsql set search_path from current as $$
begin
  insert into budget_sums as sums (org_id, customer_id, currency, key, period, used)
  select org_id, customer_id, currency, one ->> 0, (one ->> 1)::timestamptz, sum(amount)
    from settled,
         jsonb_array_elements(case when budgets is null and counted then
           (select budgets from usage_reports as report
             where (report.org_id, report.received_at, report.usage_id) = (settled.org_id, settled.received_at, settled.usage_id))
         else budgets end) as one
   where one ->> 1 is not null
     and not exists (select from usage_outcomes as outcome
                      where (outcome.org_id, outcome.received_at, outcome.usage_id)
                          = (settled.org_id, settled.received_at, settled.usage_id))
   group by 1, 2, 3, 4, 5
   order by 1, 2, 3, 4, 5
      on conflict (org_id, customer_id, currency, key, period) do update set used = sums.used + excluded.used;
  return null;
end
$$;
create trigger usage_due_budgets after delete on usage_due
  referencing old table as settled for each statement execute function add_to_budgets();
