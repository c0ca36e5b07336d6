import type { Migration } from "../migration.ts";

export const walletUrgency: Migration = {
  version: 55,
  name: "wallet-urgency",
  sql: `
-- Whether a wallet is near its end or at it, and since when. By a trigger, as its state is, on which it builds, and as
-- columns that seldom change: an index on them is not written with each debit.
alter table wallets
  add column urgency      text,
  add column urgent_since timestamptz;

create function tell_wallet_urgency() returns trigger language plpgsql set search_path from current as $$
declare
  remaining bigint := case when new.kind = 'prepaid' then new.available
                           when new.postpaid_limit > 0 then new.postpaid_limit - new.postpaid_used end;
begin
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
-- The name is after that of the trigger which tells the state: it is called after it.
create trigger wallets_tell_urgency
  before insert or update of available, overage_used, overage_limit, postpaid_used, postpaid_limit, low_threshold on wallets
  for each row execute function tell_wallet_urgency();
`,
};
