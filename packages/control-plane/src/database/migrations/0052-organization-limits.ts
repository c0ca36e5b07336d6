import type { Migration } from "../migration.ts";

/** What an operator lets an organisation have, where that is not what each may have. A process of an older version reads none. */
export const organizationLimits: Migration = {
  version: 52,
  name: "organization-limits",
  sql: "alter table organizations add column limits jsonb not null default '{}'",
};
