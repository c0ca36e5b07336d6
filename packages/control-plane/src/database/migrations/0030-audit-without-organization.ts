import type { Migration } from "../migration.ts";

/** What is changed by no organisation's administrator has 0 for one: a null is in no key. */
export const auditWithoutOrganization: Migration = {
  version: 30,
  name: "audit-without-organization",
  sql: `
alter table audit_log drop constraint audit_log_org_id_fkey;
alter table audit_log alter column org_id set default 0;
alter table audit_log disable trigger audit_log_append_only;
update audit_log set org_id = 0 where org_id is null;
alter table audit_log enable trigger audit_log_append_only;
alter table audit_log add constraint audit_log_organization check (org_id is not null) not valid;
`,
};
