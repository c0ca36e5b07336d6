import type { Migration } from "../migration.ts";

export const documentNumbers: Migration = {
  version: 40,
  name: "document-numbers",
  sql: `
-- The last number that was given, in each series of an organisation. Its row is locked until the document is committed: a
-- number that is rolled back is given to the next. A sequence would leave a gap there.
create table document_numbers (
  org_id bigint not null references organizations,
  series text not null check (series in ('invoice', 'credit_note')),
  last   bigint not null check (last > 0),
  primary key (org_id, series)
);
alter table invoices add column number bigint;
alter table credit_notes add column number bigint;

alter table credit_notes disable trigger credit_notes_append_only;
update credit_notes set number = told.number
  from (select org_id, credit_note_id, row_number() over (partition by org_id order by created_at, credit_note_id) as number
          from credit_notes) as told
 where (credit_notes.org_id, credit_notes.credit_note_id) = (told.org_id, told.credit_note_id);
alter table credit_notes enable trigger credit_notes_append_only;

-- The invoices that are there get theirs in the next step: those that are made meanwhile begin after them.
insert into document_numbers (org_id, series, last)
  select org_id, 'invoice', count(*) from invoices group by org_id
   union all
  select org_id, 'credit_note', count(*) from credit_notes group by org_id;

-- By a trigger: replicas of the version before make invoices too.
create function number_document() returns trigger language plpgsql as $$
begin
  insert into document_numbers as counter (org_id, series, last) values (new.org_id, tg_argv[0], 1)
      on conflict (org_id, series) do update set last = counter.last + 1
    returning last into new.number;
  return new;
end
$$;
create trigger invoices_number before insert on invoices for each row execute function number_document('invoice');
create trigger credit_notes_number before insert on credit_notes for each row execute function number_document('credit_note');
alter table credit_notes add constraint credit_notes_numbered check (number is not null) not valid;
`,
};
