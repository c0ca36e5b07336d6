import type { Migration } from "../migration.ts";

export const walletCapacity: Migration = {
  version: 74,
  name: "wallet-capacity",
  sql: `
-- What a wallet can still pay; null is without a limit. The rule of the gate (core's capacity.ts) in SQL.
create function wallet_capacity(wallet wallets) returns bigint language sql immutable as $$
  select case when wallet.kind = 'prepaid' then wallet.available + wallet.overage_limit - wallet.overage_used
              when wallet.postpaid_limit > 0 then wallet.postpaid_limit - wallet.postpaid_used end
$$;

-- The state of a wallet and its urgency, by one trigger in place of two.
drop trigger wallets_tell_state on wallets;
drop function tell_wallet_state();
create or replace function tell_wallet_urgency() returns trigger language plpgsql set search_path from current as $$
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
`,
};
