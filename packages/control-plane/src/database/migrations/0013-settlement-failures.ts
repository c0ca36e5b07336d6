import type { Migration } from "../migration.ts";

export const settlementFailures: Migration = {
  version: 13,
  name: "settlement-failures",
  sql: `
-- Usage that failed when it was settled on its own. No foreign key: noting it must not wait for a row that is held.
create table settlement_failures (
  org_id    bigint not null,
  usage_id  uuid not null,
  message   text not null,
  failed_at timestamptz not null,
  primary key (org_id, usage_id)
);
create index settlement_failures_retry on settlement_failures (failed_at);
`,
};
