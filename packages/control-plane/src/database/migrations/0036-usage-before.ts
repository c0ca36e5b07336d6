import type { Migration } from "../migration.ts";

/**
 * Reports of usage are to be in partitions by month. What is there now, and what comes until the end of the next
 * month, is the first one, so that a replica of the version before finds and stores under its old name what it needs.
 * Entries and calls keep their copy of the usage when it is dropped.
 */
export const usageBefore: Migration = {
  version: 36,
  name: "usage-before",
  sql: `
alter table ledger_entries drop constraint ledger_entries_org_id_usage_id_fkey;
alter table voice_sessions drop constraint voice_sessions_org_id_usage_id_fkey;

create function usage_month(at timestamptz) returns timestamptz language sql immutable as $$
  select date_trunc('month', at at time zone 'UTC') at time zone 'UTC'
$$;
create function months_later(at timestamptz, months integer) returns timestamptz language sql immutable as $$
  select ((at at time zone 'UTC') + make_interval(months => months)) at time zone 'UTC'
$$;
do $$
begin
  execute format('alter table usage_events add constraint usage_events_before check (received_at < %L) not valid',
                 months_later(usage_month(now()), 2));
end
$$;
`,
};
