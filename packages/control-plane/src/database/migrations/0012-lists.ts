import type { Migration } from "../migration.ts";

export const lists: Migration = {
  version: 12,
  name: "lists",
  sql: `
-- Each list reads the rows that it answers, in its order, and no other tenant's.
create index ledger_entries_organization on ledger_entries (org_id, entry_id);
create index ledger_entries_customer on ledger_entries (org_id, customer_id, entry_id);
drop index orders_customer;
create index orders_customer on orders (org_id, customer_id, created_at desc, order_id desc);
drop index invoices_customer;
create index invoices_customer on invoices (org_id, customer_id, created_at desc, invoice_id desc);
create index invoices_organization on invoices (org_id, created_at desc, invoice_id desc);
create index invoices_open on invoices (org_id, created_at desc, invoice_id desc) where status = 'open';

-- Since when nothing personal is kept of a customer; the books stay.
alter table customers
  add column erased_at timestamptz;
`,
};
