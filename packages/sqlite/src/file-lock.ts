import { existsSync, realpathSync, statSync } from "node:fs";
import type { DatabaseDriver, SqliteDatabase } from "./database.ts";
import { OutboxError, outboxError } from "./outbox-error.ts";
import { readOwner } from "./owner.ts";
import { createPrivately } from "./private-file.ts";

/** How long a process waits for the lock: others hold it only to look whether somebody has it. */
const patienceMs = 100;

/** Ends the ownership of a file. */
export type Unlock = () => void;

/**
 * Makes this process the only owner of the outbox at `path`, which is created if it is missing, or throws `locked`. The
 * lock is the operating system's, on a file beside the real one, by whatever path or link that was named: it ends with the
 * process, however that ends, and does not keep others from reading the outbox.
 */
export function lockFile(driver: DatabaseDriver, path: string): Unlock {
  let lock: SqliteDatabase | undefined;
  try {
    createPrivately(path);
    checkOneName(path);
    const beside = lockOf(path);
    createPrivately(beside);
    lock = driver.open(beside);
    lock.exec(`PRAGMA busy_timeout = ${patienceMs}; PRAGMA journal_mode = MEMORY`);
    lock.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    lock?.close();
    const error = outboxError(path, cause);
    if (error.code !== "locked") throw error;
    const owner = readOwner(driver, path);
    throw new OutboxError(
      "locked",
      `outbox ${path}: expected a file of its own, received one that ${owner} uses`,
      cause,
    );
  }
  const held = lock;
  return () => {
    held.exec("ROLLBACK");
    held.close();
  };
}

/** Whether a process owns the outbox at `path`: one that has crashed does not. */
export function isLocked(driver: DatabaseDriver, path: string): boolean {
  const beside = lockOf(path);
  if (!existsSync(beside)) return false;
  const lock = driver.open(beside);
  try {
    lock.exec("PRAGMA busy_timeout = 0");
    lock.prepare("SELECT count(*) FROM sqlite_schema").get();
    return false;
  } catch (cause) {
    const error = outboxError(path, cause);
    if (error.code === "locked") return true;
    throw error;
  } finally {
    lock.close();
  }
}

function lockOf(path: string): string {
  return `${realpathSync.native(path)}-lock`;
}

/** SQLite keeps its log beside each name of a file, so two hard links to one would damage it, and each has its own lock. */
function checkOneName(path: string): void {
  const { nlink } = statSync(path);
  if (nlink <= 1) return;
  throw new OutboxError(
    "unavailable",
    `outbox ${path}: expected a file with one name, received one with ${nlink} (hard links): remove the others`,
  );
}
