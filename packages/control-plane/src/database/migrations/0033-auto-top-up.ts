import type { Migration } from "../migration.ts";

export const autoTopUp: Migration = {
  version: 33,
  name: "auto-top-up",
  sql: `
-- Below this many credits, order so many for this price, so often in a billing period at most.
alter table wallets
  add column auto_top_up_below    bigint,
  add column auto_top_up_credits  bigint,
  add column auto_top_up_amount   bigint,
  add column auto_top_up_currency text,
  add column auto_top_up_most     integer,
  -- Whether the wallet is below it, and from when on an order may be made: infinity while one waits for its payment.
  add column top_up_due           boolean not null default false,
  add column top_up_at            timestamptz,
  add constraint wallets_auto_top_up check (
    num_nulls(auto_top_up_below, auto_top_up_credits, auto_top_up_amount, auto_top_up_currency, auto_top_up_most) in (0, 5)
    and (auto_top_up_below is null or kind = 'prepaid' and auto_top_up_below > 0 and auto_top_up_credits > 0
         and auto_top_up_amount > 0 and auto_top_up_most > 0)) not valid;

-- By a trigger: replicas of the version before write wallets too, and what a debit has noted is there if its worker is killed.
create function tell_top_up() returns trigger language plpgsql as $$
begin
  new.top_up_due := coalesce(new.available < new.auto_top_up_below, false);
  return new;
end
$$;
create trigger wallets_tell_top_up before update of available, auto_top_up_below on wallets
  for each row when (new.auto_top_up_below is not null or old.top_up_due) execute function tell_top_up();

-- Credits that are ordered for one wallet, with no agent.
alter table orders
  add column top_up_currency text,
  drop constraint orders_kind_check,
  add constraint orders_kind_check check (kind in ('plan', 'replacement', 'top_up')) not valid,
  add constraint orders_top_up check ((kind = 'top_up') = (top_up_currency is not null)) not valid;
alter table order_line_items alter column agent_id drop not null;

-- Paid, void or cancelled, by whichever version: the next order may be made.
create function rearm_top_up() returns trigger language plpgsql as $$
begin
  update wallets set top_up_at = '-infinity'
   where (org_id, customer_id, currency) = (new.org_id, new.customer_id, new.top_up_currency) and top_up_at = 'infinity';
  return null;
end
$$;
create trigger orders_rearm_top_up after update of status on orders
  for each row when (old.kind = 'top_up' and old.status = 'pending' and new.status <> 'pending') execute function rearm_top_up();
`,
};
