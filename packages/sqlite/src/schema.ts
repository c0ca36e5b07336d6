import type { DatabaseDriver, SqliteDatabase } from "./database.ts";
import { OutboxError, outboxError } from "./outbox-error.ts";
import { refuseDirectory } from "./private-file.ts";
import { row } from "./row.ts";

/** "CGOB", so that no other program's file is taken for ours. */
const applicationId = 0x43474f42;

/** Each step leads from the version of its index to the next; a step that has been released never changes. */
const migrations: readonly string[] = [
  `CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
   CREATE TABLE report (
     position INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     state INTEGER NOT NULL DEFAULT 0,
     customer TEXT NOT NULL,
     currency TEXT NOT NULL,
     agent TEXT NOT NULL,
     indicator TEXT NOT NULL,
     usage TEXT NOT NULL,
     entry TEXT NOT NULL,
     amount INTEGER NOT NULL,
     bytes INTEGER NOT NULL,
     stored_at INTEGER NOT NULL,
     reason TEXT,
     forget_at REAL
   ) STRICT;
   CREATE INDEX report_state ON report (state, position);
   CREATE INDEX report_forget ON report (forget_at) WHERE state = 3;
   CREATE TABLE work (
     id TEXT PRIMARY KEY,
     customer TEXT NOT NULL,
     currency TEXT NOT NULL,
     agent TEXT NOT NULL,
     indicator TEXT NOT NULL,
     hold INTEGER NOT NULL,
     begun_at INTEGER NOT NULL,
     orphan INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE TABLE tally (queued INTEGER NOT NULL, parked INTEGER NOT NULL, dead INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT;
   INSERT INTO tally VALUES (0, 0, 0, 0);
   CREATE TRIGGER report_comes AFTER INSERT ON report BEGIN
     UPDATE tally SET queued = queued + (NEW.state = 0), parked = parked + (NEW.state = 1), dead = dead + (NEW.state = 2),
       bytes = bytes + (NEW.state < 3) * NEW.bytes;
   END;
   CREATE TRIGGER report_moves AFTER UPDATE OF state ON report BEGIN
     UPDATE tally SET queued = queued + (NEW.state = 0) - (OLD.state = 0), parked = parked + (NEW.state = 1) - (OLD.state = 1),
       dead = dead + (NEW.state = 2) - (OLD.state = 2), bytes = bytes + (NEW.state < 3) * NEW.bytes - (OLD.state < 3) * OLD.bytes;
   END;
   CREATE TRIGGER report_goes AFTER DELETE ON report BEGIN
     UPDATE tally SET queued = queued - (OLD.state = 0), parked = parked - (OLD.state = 1), dead = dead - (OLD.state = 2),
       bytes = bytes - (OLD.state < 3) * OLD.bytes;
   END;`,
  "ALTER TABLE report ADD COLUMN sending INTEGER NOT NULL DEFAULT 0;",
  "CREATE INDEX report_shares ON report (entry) WHERE entry <> id;",
  `CREATE TABLE reservation (
     account TEXT NOT NULL,
     process TEXT NOT NULL,
     service TEXT NOT NULL,
     customer TEXT NOT NULL,
     currency TEXT NOT NULL,
     PRIMARY KEY (account, process)
   ) STRICT, WITHOUT ROWID;`,
  `ALTER TABLE tally ADD COLUMN dead_bytes INTEGER NOT NULL DEFAULT 0;
   UPDATE tally SET dead_bytes = (SELECT coalesce(sum(bytes), 0) FROM report WHERE state = 2);
   CREATE TRIGGER report_dies AFTER UPDATE OF state ON report WHEN (NEW.state = 2) <> (OLD.state = 2) BEGIN
     UPDATE tally SET dead_bytes = dead_bytes + (NEW.state = 2) * NEW.bytes - (OLD.state = 2) * OLD.bytes;
   END;
   CREATE TRIGGER report_dead_goes AFTER DELETE ON report WHEN OLD.state = 2 BEGIN
     UPDATE tally SET dead_bytes = dead_bytes - OLD.bytes;
   END;`,
];

/** Where a report is. */
export const state = { queued: 0, parked: 1, dead: 2, delivered: 3 } as const;

/** Opens the outbox at `path` to look into it. Throws an {@link OutboxError} for what is no outbox that we can read. */
export function openOutboxFile(driver: DatabaseDriver, path: string): SqliteDatabase {
  let database: SqliteDatabase | undefined;
  refuseDirectory(path);
  try {
    database = driver.open(path);
    database.exec("PRAGMA busy_timeout = 5000");
    checkKind(database, path);
    return database;
  } catch (error) {
    database?.close();
    throw outboxError(path, error);
  }
}

/** Brings the file to the present version, in one step. */
export function migrate(database: SqliteDatabase, path: string): void {
  const version = Number(row(database.prepare("PRAGMA user_version").get()).user_version);
  const mode = row(database.prepare("PRAGMA journal_mode = WAL").get()).journal_mode;
  if (mode !== "wal") {
    throw new OutboxError(
      "unavailable",
      `outbox ${path}: expected a file system that can do WAL, received ${String(mode)}`,
    );
  }
  if (version === migrations.length) return;
  const steps = migrations.slice(version).join("\n");
  database.exec(
    `BEGIN IMMEDIATE; ${steps} PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}; COMMIT`,
  );
}

/** Throws `corrupt` if the file is damaged. */
export function checkIntegrity(database: SqliteDatabase, path: string): void {
  const answer = row(database.prepare("PRAGMA quick_check(1)").get());
  const verdict = String(answer.quick_check ?? answer.integrity_check);
  if (verdict !== "ok") {
    throw new OutboxError("corrupt", `outbox ${path}: expected a sound file, received: ${verdict}`);
  }
}

function checkKind(database: SqliteDatabase, path: string): void {
  const id = Number(row(database.prepare("PRAGMA application_id").get()).application_id);
  const version = Number(row(database.prepare("PRAGMA user_version").get()).user_version);
  const tables = Number(row(database.prepare("SELECT count(*) AS tables FROM sqlite_schema").get()).tables);
  if (id !== applicationId && (id !== 0 || tables > 0)) {
    throw new OutboxError(
      "not_an_outbox",
      `outbox ${path}: expected an outbox or no file, received a database of something else`,
    );
  }
  if (version > migrations.length) {
    throw new OutboxError(
      "newer_version",
      `outbox ${path}: expected version ${migrations.length} or older, received version ${version}: update @creditgate/sqlite`,
    );
  }
}
