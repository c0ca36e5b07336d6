import { createFleetOutbox, type FleetOutbox } from "@creditgate/fleet";
import { FileStore } from "./file-store.ts";
import { outboxSettings, type SqliteOutboxOptions } from "./options.ts";

export type { OpenDatabase, SqliteDatabase, SqliteStatement, SqlValue } from "./database.ts";
export type { SqliteOutboxOptions } from "./options.ts";
export { OutboxError, type OutboxErrorCode } from "./outbox-error.ts";

/** An outbox in a file: what `append` has resolved for survives the process and, with `synchronous: "full"`, the machine. */
export type SqliteOutbox = FleetOutbox;

/**
 * Opens an outbox, for one gate. Throws an `OutboxError`: `invalid_option`, `locked` when another process owns the file, or
 * what is wrong with the file. Until it is closed, the file is this outbox's; the end of the process closes it.
 */
export function createSqliteOutbox(options: SqliteOutboxOptions): SqliteOutbox {
  const settings = outboxSettings(options);
  const { maxReports, maxBytes, clock } = settings;
  // The next process on the file is the one that follows this one.
  return createFleetOutbox(new FileStore(settings), { process: "file", maxReports, maxBytes, clock });
}
