import type { Migration } from "../migration.ts";

export const gateWallets: Migration = {
  version: 70,
  name: "gate-wallets",
  sql: `
create table gate_wallets (
  org_id      bigint not null references organizations,
  customer_id text not null,
  currency    text not null,
  -- The ID of a process whose ledger is in its memory; of all others shared or guard.
  ledger      text not null,
  first_at    timestamptz not null,
  last_at     timestamptz not null,
  primary key (org_id, customer_id, currency, ledger)
);
`,
};
