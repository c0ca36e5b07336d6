import type { ColumnType, Generated } from "kysely";

/** Gates that say of themselves how they are. */
export interface GatesTable {
  org_id: bigint;
  gate_id: string;
  name: string;
  /** What it said last, as JSON text on its way in. */
  said: ColumnType<string, string>;
  heard_at: Date;
  /** Reports that an operator wants to be sent again. */
  retries: Generated<string[]>;
}

/** How the gates of one name have decided within five minutes. */
export interface GateDecisionsTable {
  org_id: bigint;
  at: Date;
  name: string;
  /** Of denials; empty for what was let in. */
  code: string;
  decisions: bigint;
}

/** By which ledgers the gates spend a wallet: a sample of the wallets. */
export interface GateWalletsTable {
  org_id: bigint;
  customer_id: string;
  currency: string;
  /** The ID of a process whose ledger is in its memory; of all others `shared` or `guard`. */
  ledger: string;
  first_at: Date;
  last_at: Date;
}
