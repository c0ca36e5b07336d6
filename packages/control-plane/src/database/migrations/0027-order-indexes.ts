import type { Migration } from "../migration.ts";

/** Orders by time, state and kind; the entries of credit notes; and what the step before has not looked through. */
export const orderIndexes: Migration = {
  version: 27,
  name: "order-indexes",
  online: [
    "create index concurrently if not exists orders_time on orders (org_id, created_at, order_id)",
    "create index concurrently if not exists orders_status on orders (org_id, status, created_at, order_id)",
    "create index concurrently if not exists orders_kind on orders (org_id, kind, created_at, order_id)",
    "create unique index concurrently if not exists ledger_entries_once_per_credit_note on ledger_entries (org_id, credit_note_id, customer_id, currency) where credit_note_id is not null",
    "alter table orders validate constraint orders_status_check",
    "alter table orders validate constraint orders_activated",
    "alter table orders validate constraint orders_cancelled",
    "alter table invoices validate constraint invoices_status_check",
    "alter table invoices validate constraint invoices_void",
    "alter table invoices validate constraint invoices_voided_usage",
    "alter table invoices validate constraint invoices_credited",
    "alter table ledger_entries validate constraint ledger_entries_cause_check",
    "alter table ledger_entries validate constraint ledger_entries_invoice",
    "alter table ledger_entries validate constraint ledger_entries_credit_note",
    "alter table ledger_entries validate constraint ledger_entries_org_id_credit_note_id_fkey",
  ],
};
