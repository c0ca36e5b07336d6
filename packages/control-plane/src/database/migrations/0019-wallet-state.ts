import type { Migration } from "../migration.ts";

export const walletState: Migration = {
  version: 19,
  name: "wallet-state",
  sql: `
-- How a wallet is, by what it holds. By a trigger, since replicas of the version before write wallets too; as a column that
-- seldom changes, since an index on the amounts would be written with each debit.
alter table wallets add column state text;
create function tell_wallet_state() returns trigger language plpgsql as $$
begin
  new.state := case
    when new.kind = 'prepaid' and new.available <= new.overage_used - new.overage_limit then 'exhausted'
    when new.kind = 'postpaid' and new.postpaid_limit > 0 and new.postpaid_used >= new.postpaid_limit then 'exhausted'
    when new.overage_used > 0 then 'overage'
    else 'funded'
  end;
  return new;
end
$$;
create trigger wallets_tell_state
  before insert or update of available, overage_used, overage_limit, postpaid_used, postpaid_limit on wallets
  for each row execute function tell_wallet_state();
`,
};
