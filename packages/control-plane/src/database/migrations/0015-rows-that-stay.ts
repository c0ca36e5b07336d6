import type { Migration } from "../migration.ts";

export const rowsThatStay: Migration = {
  version: 15,
  name: "rows-that-stay",
  sql: `
-- Usage is stored only for a customer and an indicator that are there, and neither is ever deleted or renamed. That is
-- refused here: to look both up again, and lock them, for each report takes as long as to store it.
create function refuse_removal() returns trigger language plpgsql as $$
begin
  raise exception '% keeps its rows and their keys', tg_table_name;
end
$$;
create trigger customers_stay before delete or truncate or update of org_id, external_id on customers
  for each statement execute function refuse_removal();
create trigger indicators_stay before delete or truncate or update of org_id, agent_id, name on indicators
  for each statement execute function refuse_removal();
alter table usage_events drop constraint usage_events_org_id_customer_id_fkey;
alter table usage_events drop constraint usage_events_org_id_agent_id_indicator_fkey;
`,
};
