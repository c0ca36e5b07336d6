import type { Migration } from "../migration.ts";

/**
 * The number of the transaction that wrote a report last. From that, and from what its last reading could see, a feed
 * knows which changes it has not sent yet, whatever the order in which transactions are committed. Earlier reports
 * have none.
 */
export const usageChanges: Migration = {
  version: 64,
  name: "usage-changes",
  first: `
alter table usage_reports add column if not exists changed_in xid8;
alter table usage_reports alter column changed_in set default pg_current_xact_id();
`,
  online: [
    // Each month's by itself: an index of all of them would keep reports out while it is built.
    `select format('create index concurrently if not exists %1$I on %2$s (org_id, changed_in) where changed_in is not null',
                           left(relname, 55) || '_changed', pg_class.oid::regclass)
               from pg_inherits join pg_class on pg_class.oid = inhrelid
              where inhparent = 'usage_reports'::regclass order by relname`,
    "create index if not exists usage_reports_changed on usage_reports (org_id, changed_in) where changed_in is not null",
  ],
};
