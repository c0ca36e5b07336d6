import type { Migration } from "../migration.ts";

/** What was done of one kind in all organisations: a rare kind is else looked for from end to end. */
export const auditByAction: Migration = {
  version: 39,
  name: "audit-by-action",
  online: [
    "create index concurrently if not exists audit_log_all_by_action on audit_log (action, at, audit_id)",
  ],
};
