import { numberIn, type ObjectStorage } from "./storage.ts";

/** Each step leads from the version of its index to the next; one that has been released never changes. `$` is the prefix. */
const migrations: readonly string[] = [
  `CREATE TABLE $_fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE $_reservation (
     id TEXT PRIMARY KEY,
     amount INTEGER NOT NULL,
     free INTEGER NOT NULL,
     seq INTEGER NOT NULL,
     expires_at INTEGER NOT NULL,
     gone_at INTEGER,
     recalls INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE $_window (ends_at INTEGER PRIMARY KEY, amount INTEGER NOT NULL, queued INTEGER NOT NULL) STRICT;
   CREATE TABLE $_report (
     position INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     state INTEGER NOT NULL DEFAULT 0,
     body TEXT NOT NULL,
     entry TEXT NOT NULL,
     amount INTEGER NOT NULL,
     sending INTEGER NOT NULL DEFAULT 0,
     reason TEXT,
     stored_at INTEGER NOT NULL,
     forget_at INTEGER
   ) STRICT;
   CREATE INDEX $_report_state ON $_report (state, position);
   CREATE INDEX $_report_entry ON $_report (entry);`,
  // Only what is delivered is forgotten.
  `CREATE INDEX $_report_forget ON $_report (forget_at) WHERE forget_at IS NOT NULL;`,
  // Accounts of budgets beside that of the wallet, whose budget is ''.
  `CREATE TABLE $_account (budget TEXT PRIMARY KEY, figures TEXT NOT NULL) STRICT, WITHOUT ROWID;
   INSERT INTO $_account SELECT '', value FROM $_fact WHERE name = 'account';
   DELETE FROM $_fact WHERE name = 'account';
   ALTER TABLE $_reservation RENAME TO $_reservation_before;
   CREATE TABLE $_reservation (
     id TEXT NOT NULL,
     budget TEXT NOT NULL,
     amount INTEGER NOT NULL,
     free INTEGER NOT NULL,
     seq INTEGER NOT NULL,
     expires_at INTEGER NOT NULL,
     gone_at INTEGER,
     recalls INTEGER NOT NULL,
     PRIMARY KEY (id, budget)
   ) STRICT, WITHOUT ROWID;
   INSERT INTO $_reservation SELECT id, '', amount, free, seq, expires_at, gone_at, recalls FROM $_reservation_before;
   DROP TABLE $_reservation_before;
   ALTER TABLE $_window RENAME TO $_window_before;
   CREATE TABLE $_window (
     budget TEXT NOT NULL,
     ends_at INTEGER NOT NULL,
     amount INTEGER NOT NULL,
     queued INTEGER NOT NULL,
     PRIMARY KEY (budget, ends_at)
   ) STRICT, WITHOUT ROWID;
   INSERT INTO $_window SELECT '', ends_at, amount, queued FROM $_window_before;
   DROP TABLE $_window_before;`,
];

/** Where a report is. */
export const reportState = { queued: 0, parked: 1, dead: 2, delivered: 3 } as const;

/**
 * Brings the tables to the present version, in one step. Throws where they are of a newer one: an older version of the Worker has been
 * deployed, and must not write what it does not understand.
 */
export function migrate(storage: Pick<ObjectStorage, "sql" | "transactionSync">, prefix: string): void {
  const { sql } = storage;
  storage.transactionSync(() => {
    sql.exec(`CREATE TABLE IF NOT EXISTS ${prefix}_schema (version INTEGER NOT NULL) STRICT`);
    const [row] = sql.exec(`SELECT version FROM ${prefix}_schema`);
    const version = row === undefined ? 0 : numberIn(row, "version");
    if (version > migrations.length) {
      throw new Error(
        `the storage of the wallet: expected version ${migrations.length} or older, received version ${version}: deploy the version of @creditgate/cloudflare again that has written it`,
      );
    }
    if (version === migrations.length) return;
    sql.exec(migrations.slice(version).join("\n").replaceAll("$", prefix));
    sql.exec(`DELETE FROM ${prefix}_schema`);
    sql.exec(`INSERT INTO ${prefix}_schema VALUES (?)`, migrations.length);
  });
}
