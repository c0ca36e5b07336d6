import { existsSync } from "node:fs";
import type { ListedRow } from "@creditgate/fleet";
import { type DatabaseDriver, libsqlDriver, row, rows, type SqliteDatabase } from "./database.ts";
import { isLocked } from "./file-lock.ts";
import { OutboxError, outboxError, unlessFull } from "./outbox-error.ts";
import { writeOwner } from "./owner.ts";
import { createPrivately, refuseDirectory } from "./private-file.ts";
import { parseStep, StepLog } from "./step-log.ts";

/** "CGOB", so that no other program's file is taken for ours. */
const applicationId = 0x43474f42;
const schemaVersion = 6;

/** `step` is a {@link StepLog}; `meta` has values by their names. */
const schema = `
  CREATE TABLE step (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;`;

/** Sees to it that there is a sound outbox in the file. Throws an {@link OutboxError}. */
export function prepareFile(driver: DatabaseDriver, path: string): void {
  createPrivately(path);
  const database = openOutboxFile(driver, path);
  try {
    createSchema(database, path);
    checkIntegrity(database, path);
    try {
      writeOwner(database);
    } catch (error) {
      // What is in the file can still be read, and sent.
      unlessFull(error);
    }
  } finally {
    database.close();
  }
}

/** All rows in the file at `path`, the oldest first. The process that owns the file may go on meanwhile. */
export function listFile(path: string): readonly ListedRow[] {
  checkFile(path);
  const database = openOutboxFile(libsqlDriver, path);
  try {
    const isOwned = isLocked(libsqlDriver, path);
    const since = row(database.prepare("SELECT value FROM meta WHERE name = 'since'").get()).value;
    const log = new StepLog();
    for (const { id, body } of rows(database.prepare("SELECT id, body FROM step ORDER BY id").all()))
      log.apply(Number(id), parseStep(String(body)));
    return log.rows().map((found) => {
      const isOwn = isOwned && Number.parseInt(found.place, 10) >= Number(since);
      return { ...found, isOwn, isRequested: false };
    });
  } catch (error) {
    throw outboxError(path, error);
  } finally {
    database.close();
  }
}

/** Refuses a path where nothing is, which SQLite would create. */
export function checkFile(path: string): void {
  if (!existsSync(path)) throw new OutboxError("unavailable", `outbox ${path}: there is no such file`);
}

/** Opens the outbox at `path` to look into it. Throws an {@link OutboxError} for what is no outbox that we can read. */
function openOutboxFile(driver: DatabaseDriver, path: string): SqliteDatabase {
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

function createSchema(database: SqliteDatabase, path: string): void {
  const mode = row(database.prepare("PRAGMA journal_mode = WAL").get()).journal_mode;
  if (mode !== "wal") {
    throw new OutboxError(
      "unavailable",
      `outbox ${path}: expected a file system that can do WAL, received ${String(mode)}`,
    );
  }
  if (versionOf(database) === schemaVersion) return;
  database.exec(
    `BEGIN IMMEDIATE; ${schema} PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}; COMMIT`,
  );
}

/** Throws `corrupt` if the file is damaged. */
function checkIntegrity(database: SqliteDatabase, path: string): void {
  const answer = row(database.prepare("PRAGMA quick_check(1)").get());
  const verdict = String(answer.quick_check ?? answer.integrity_check);
  if (verdict !== "ok") {
    throw new OutboxError("corrupt", `outbox ${path}: expected a sound file, received: ${verdict}`);
  }
}

function checkKind(database: SqliteDatabase, path: string): void {
  const id = Number(row(database.prepare("PRAGMA application_id").get()).application_id);
  const tables = Number(row(database.prepare("SELECT count(*) AS tables FROM sqlite_schema").get()).tables);
  if (id === 0 && tables === 0) return;
  if (id !== applicationId) {
    throw new OutboxError(
      "not_an_outbox",
      `outbox ${path}: expected an outbox or no file, received a database of something else`,
    );
  }
  const version = versionOf(database);
  if (version !== schemaVersion) {
    throw new OutboxError(
      "other_version",
      `outbox ${path}: expected version ${schemaVersion}, received version ${version}: let the @creditgate/sqlite that wrote it deliver what is in it, or name another file`,
    );
  }
}

function versionOf(database: SqliteDatabase): number {
  return Number(row(database.prepare("PRAGMA user_version").get()).user_version);
}
