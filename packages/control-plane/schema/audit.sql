-- Who changed money or keys, what was before and what after, in partitions by month (UTC). Rows are never changed.
create sequence audit_ids;
create table audit_log (
  audit_id bigint not null default nextval('audit_ids'),
  -- 0 for what belongs to no organisation: a null is in no key.
  org_id   bigint not null default 0,
  actor    text not null,
  action   text not null,
  subject  jsonb not null,
  before   jsonb,
  after    jsonb,
  at       timestamptz not null
) partition by range (at);
alter sequence audit_ids owned by audit_log.audit_id;
create index audit_log_time on audit_log (at, audit_id);
create index audit_log_organization_time on audit_log (org_id, at, audit_id);
create index audit_log_action on audit_log (org_id, action, at, audit_id);
create index audit_log_all_by_action on audit_log (action, at, audit_id);
create index audit_log_actor on audit_log (org_id, actor, at, audit_id);
create index audit_log_all_by_actor on audit_log (actor, at, audit_id);
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
