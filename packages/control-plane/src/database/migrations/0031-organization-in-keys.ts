import type { Migration } from "../migration.ts";

/** The indexes of the keys that follow. */
export const organizationInKeys: Migration = {
  version: 31,
  name: "organization-in-keys",
  online: [
    "create unique index concurrently if not exists ledger_entries_key on ledger_entries (org_id, entry_id)",
    "create unique index concurrently if not exists audit_log_key on audit_log (org_id, audit_id)",
    "create unique index concurrently if not exists api_keys_key_id on api_keys (org_id, key_id)",
    "alter table audit_log validate constraint audit_log_organization",
  ],
};
