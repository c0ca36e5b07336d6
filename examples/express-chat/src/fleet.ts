import type { Ledger } from "@creditgate/core";
import { createLeasedLedger, type FleetOutbox } from "@creditgate/fleet";
import { createPostgresOutbox, createPostgresStore } from "@creditgate/postgres";
import pg from "pg";

/** Where the processes of a cluster share what they must agree on. */
export interface FleetConfig {
  readonly databaseUrl: string;
  readonly schema: string;
  /** Of this process, and of the one that takes its place: what this one leaves is delivered by that one. */
  readonly process: string;
}

/** The wallets that all processes of a cluster decide by, and the outbox of this one. */
export interface Fleet {
  readonly ledger: Ledger;
  readonly outbox: FleetOutbox;
  close(): Promise<void>;
}

export function joinFleet({ databaseUrl, schema, process }: FleetConfig): Fleet {
  const sql = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  // A connection that breaks while nothing uses it: the next statement takes another.
  sql.on("error", (error) => console.error("express-chat: a connection to PostgreSQL broke:", error.message));
  const ledger = createLeasedLedger(createPostgresStore({ sql, schema }));
  const outbox = createPostgresOutbox({ sql, schema, process });
  return {
    ledger,
    outbox,
    async close() {
      await outbox.close();
      await ledger.close();
      await sql.end();
    },
  };
}
