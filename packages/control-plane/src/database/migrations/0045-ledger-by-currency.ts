import type { Migration } from "../migration.ts";

/** Entries in one currency of an organisation: a rare one is else looked for from end to end. */
export const ledgerByCurrency: Migration = {
  version: 45,
  name: "ledger-by-currency",
  online: [
    "create index concurrently if not exists ledger_entries_currency_time on ledger_entries (org_id, currency, created_at, entry_id)",
  ],
};
