import type { DatabaseDriver, SqliteDatabase } from "./database.ts";
import { OutboxError, outboxError } from "./outbox-error.ts";
import { readOwner } from "./owner.ts";
import { createPrivately } from "./private-file.ts";

/** Ends the ownership of a file. */
export type Unlock = () => void;

/**
 * Makes this process the only owner of the outbox at `path`, or throws `locked`. The lock is the operating system's, on a
 * file beside it: it ends with the process, however that ends, and does not keep others from reading the outbox.
 */
export function lockFile(driver: DatabaseDriver, path: string): Unlock {
  const beside = `${path}-lock`;
  let lock: SqliteDatabase | undefined;
  try {
    createPrivately(beside);
    lock = driver.open(beside);
    lock.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY");
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
