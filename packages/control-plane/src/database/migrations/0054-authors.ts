import type { Migration } from "../migration.ts";

/** Null is what was made before this was noted, or by a replica of the version before. */
export const authors: Migration = {
  version: 54,
  name: "authors",
  sql: `
-- Who made a key, as an actor of the audit log.
alter table api_keys add column created_by text;
-- When a version of a price was set, which may be long before it holds.
alter table prices add column set_at timestamptz;
`,
};
