import type { Migration } from "../migration.ts";

/**
 * Each list of the admin API by time is read at the place where it goes on, whatever it is filtered by. Of the causes of
 * entries usage is common and the others are rare, so that these have an index of their own.
 */
export const listIndexes: Migration = {
  version: 16,
  name: "list-indexes",
  online: [
    "create index concurrently if not exists api_keys_age on api_keys (org_id, created_at, key_id)",
    "create index concurrently if not exists ledger_entries_time on ledger_entries (org_id, created_at, entry_id)",
    "create index concurrently if not exists ledger_entries_customer_time on ledger_entries (org_id, customer_id, created_at, entry_id)",
    "create index concurrently if not exists ledger_entries_wallet_time on ledger_entries (org_id, customer_id, currency, created_at, entry_id)",
    "create index concurrently if not exists ledger_entries_cause on ledger_entries (org_id, cause, created_at, entry_id) where cause <> 'usage'",
    "create index concurrently if not exists ledger_entries_customer_cause on ledger_entries (org_id, customer_id, cause, created_at, entry_id) where cause <> 'usage'",
    "drop index concurrently if exists ledger_entries_organization",
    "drop index concurrently if exists ledger_entries_customer",
    "drop index concurrently if exists ledger_entries_wallet",
    "create index concurrently if not exists invoices_status on invoices (org_id, status, created_at desc, invoice_id desc)",
    "create index concurrently if not exists invoices_kind on invoices (org_id, kind, created_at desc, invoice_id desc)",
    "drop index concurrently if exists invoices_open",
    "create index concurrently if not exists audit_log_time on audit_log (at, audit_id)",
    "create index concurrently if not exists audit_log_organization_time on audit_log (org_id, at, audit_id)",
    "create index concurrently if not exists audit_log_action on audit_log (org_id, action, at, audit_id)",
    "drop index concurrently if exists audit_log_organization",
  ],
};
