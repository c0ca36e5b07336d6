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
-- But for the reason in a subject.
create trigger audit_log_append_only
  before delete or truncate or update of audit_id, org_id, actor, action, before, after, at
  on audit_log for each statement execute function refuse_change();

-- What people wrote as the reason of a change of an erased customer's money, which may be personal. A credit note keeps its own, as an
-- issued document; so do months that are detached. In the owner's name: the service may not change these rows.
create function erase_reasons(org bigint, customer text) returns void
  language sql security definer set search_path from current as $$
  update ledger_entries set reason = 'erased'
   where org_id = org and customer_id = customer and cause in ('refund', 'correction');
  update audit_log set subject = jsonb_set(subject, '{reason}', '"erased"')
   where org_id = org and subject ? 'reason'
     and (subject ->> 'customer' = customer or subject ->> 'customerId' = customer
          or exists (select from voice_sessions where org_id = org and session_id = subject ->> 'sessionId' and customer_id = customer)
          or subject ->> 'orderId' in (select order_id::text from orders where org_id = org and customer_id = customer)
          or subject ->> 'invoiceId' in (select invoice_id::text from invoices where org_id = org and customer_id = customer));
$$;
revoke all on function erase_reasons from public;
