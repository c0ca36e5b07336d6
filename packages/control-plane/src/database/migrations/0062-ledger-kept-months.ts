import type { Migration } from "../migration.ts";

/** For how many whole months after theirs an organisation needs its entries of the ledger at hand; null: for ever. */
export const ledgerKeptMonths: Migration = {
  version: 62,
  name: "ledger-kept-months",
  sql: `
alter table organizations
  add column ledger_kept_months integer,
  add constraint organizations_ledger_kept_months check (ledger_kept_months >= 2) not valid;
`,
};
