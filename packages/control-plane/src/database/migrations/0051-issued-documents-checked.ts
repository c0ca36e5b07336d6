import type { Migration } from "../migration.ts";

/** The books by the time of their entries: payments and voids; and what the step before has not looked through. */
export const issuedDocumentsChecked: Migration = {
  version: 51,
  name: "issued-documents-checked",
  online: [
    "create index concurrently if not exists invoices_paid on invoices (org_id, paid_at, invoice_id) where paid_at is not null",
    "create index concurrently if not exists invoices_voided on invoices (org_id, voided_at, invoice_id) where voided_at is not null",
    "alter table invoices validate constraint invoices_issuer",
    "alter table invoices validate constraint invoices_taxes",
    "alter table credit_notes validate constraint credit_notes_issuer",
    "alter table credit_notes validate constraint credit_notes_taxes",
  ],
};
