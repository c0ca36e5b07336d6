import type { OnlineMigration } from "../migration.ts";

/**
 * What is there of the ledger, and what comes until the end of the next month, is to be its first partition. Its foreign
 * keys go: making a partition would lock wallets, invoices and credit notes, whose rows stay: wallets refuse to go now, too.
 * Each step takes locks that others need, the ledger last as they do, lets go soon like a step in a transaction, and is not
 * done again.
 */
export const ledgerBefore: OnlineMigration = {
  version: 60,
  name: "ledger-before",
  online: [
    `do $$
declare
  bound timestamptz := months_later(usage_month(now()), 2);
begin
  if exists (select from pg_constraint where conrelid = 'ledger_entries'::regclass and conname = 'ledger_entries_before'
                and substring(pg_get_constraintdef(oid) from '''([^'']+)''')::timestamptz = bound) then return; end if;
  perform set_config('lock_timeout', '200ms', true);
  alter table ledger_entries drop constraint if exists ledger_entries_before;
  execute format('alter table ledger_entries add constraint ledger_entries_before check (created_at < %L) not valid', bound);
end
$$`,
    "alter table ledger_entries validate constraint ledger_entries_before",
    `do $$
begin
  if exists (select from pg_trigger where tgrelid = 'wallets'::regclass and tgname = 'wallets_stay') then return; end if;
  perform set_config('lock_timeout', '200ms', true);
  create trigger wallets_stay before delete or truncate or update of org_id, customer_id, currency on wallets
    for each statement execute function refuse_removal();
end
$$`,
    withoutReference("wallets", "customer_id_currency"),
    withoutReference("invoices", "invoice_id"),
    withoutReference("credit_notes", "credit_note_id"),
  ],
};

function withoutReference(target: string, keys: string): string {
  const name = `ledger_entries_org_id_${keys}_fkey`;
  return `do $$
begin
  if not exists (select from pg_constraint where conrelid = 'ledger_entries'::regclass and conname = '${name}') then return; end if;
  perform set_config('lock_timeout', '200ms', true);
  lock table ${target} in access exclusive mode;
  alter table ledger_entries drop constraint ${name};
end
$$`;
}
