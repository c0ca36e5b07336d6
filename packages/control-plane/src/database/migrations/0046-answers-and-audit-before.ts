import type { Migration } from "../migration.ts";

/**
 * What is there of answers and of the audit log, and what comes until the end of the next month, is to be the first
 * partition of each. Adding a check takes a lock that others need, and lets go soon like a step in a transaction.
 */
export const answersAndAuditBefore: Migration = {
  version: 46,
  name: "answers-and-audit-before",
  online: [
    `do $$
declare
  bound timestamptz := months_later(usage_month(now()), 2);
begin
  perform set_config('lock_timeout', '200ms', true);
  alter table idempotent_answers drop constraint if exists idempotent_answers_before;
  execute format('alter table idempotent_answers add constraint idempotent_answers_before check (created_at < %L) not valid', bound);
  alter table audit_log drop constraint if exists audit_log_before;
  execute format('alter table audit_log add constraint audit_log_before check (at < %L) not valid', bound);
end
$$`,
    "alter table idempotent_answers validate constraint idempotent_answers_before",
    "alter table audit_log validate constraint audit_log_before",
  ],
};
