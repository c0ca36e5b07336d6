export type { OpenDatabase, SqliteDatabase, SqliteStatement, SqlValue } from "./database.ts";
export type { SqliteOutboxOptions } from "./options.ts";
export { OutboxError, type OutboxErrorCode } from "./outbox-error.ts";
export { createSqliteOutbox, type SqliteOutbox } from "./sqlite-outbox.ts";
