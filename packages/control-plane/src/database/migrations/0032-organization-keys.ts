import type { Migration } from "../migration.ts";

/** Every key contains the organisation. No table is scanned: the indexes exist, and the check finds nulls. */
export const organizationKeys: Migration = {
  version: 32,
  name: "organization-keys",
  sql: `
alter table ledger_entries
  drop constraint ledger_entries_pkey,
  add constraint ledger_entries_pkey primary key using index ledger_entries_key;
alter table audit_log alter column org_id set not null;
alter table audit_log
  drop constraint audit_log_organization,
  drop constraint audit_log_pkey,
  add constraint audit_log_pkey primary key using index audit_log_key;
alter table api_keys drop constraint api_keys_key_id_key;
`,
};
