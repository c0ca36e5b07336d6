import type { Migration } from "../migration.ts";

/** Numbers the invoices from before, in the order in which they were made, and lets no number be given twice. */
export const documentNumberIndexes: Migration = {
  version: 41,
  name: "document-number-indexes",
  online: [
    // One statement: what is interrupted has given none.
    `update invoices set number = told.number
       from (select org_id, invoice_id, row_number() over (partition by org_id order by created_at, invoice_id) as number
               from invoices where number is null) as told
      where (invoices.org_id, invoices.invoice_id) = (told.org_id, told.invoice_id)`,
    "create unique index concurrently if not exists invoices_once_numbered on invoices (org_id, number)",
    "create unique index concurrently if not exists credit_notes_once_numbered on credit_notes (org_id, number)",
    // Not before: it would refuse the payment of an invoice that has no number yet.
    `alter table invoices
        drop constraint if exists invoices_numbered,
        add constraint invoices_numbered check (number is not null) not valid`,
    "alter table invoices validate constraint invoices_numbered",
    "alter table credit_notes validate constraint credit_notes_numbered",
  ],
};
