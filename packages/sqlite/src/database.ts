import type { Awaitable } from "@creditgate/core";
import Libsql from "libsql";
import LibsqlPromise from "libsql/promise";

/** What a column holds. */
export type SqlValue = string | number | null;

/** The part of better-sqlite3's API that is used here; `libsql` and `node:sqlite` have it too. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

/** A prepared statement. */
export interface SqliteStatement {
  run(...values: SqlValue[]): unknown;
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown;
}

/** Opens the file at this path, creating it if it is missing. */
export type OpenDatabase = (path: string) => SqliteDatabase;

/** The same, but that it may take its time: on other threads, while the event loop goes on. */
export interface PatientDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): Awaitable<SqliteStatement>;
  close(): unknown;
}

/** How files are opened: to look into them at once, and to work on them for long. */
export interface DatabaseDriver {
  open(path: string): SqliteDatabase;
  openPatient(path: string): PatientDatabase;
}

/** libsql, whose `exec` syncs the file on a thread of its own. */
export const libsqlDriver: DatabaseDriver = {
  open: (path) => new Libsql(path) as SqliteDatabase,
  openPatient: (path) => new LibsqlPromise(path, {}) as PatientDatabase,
};

/** A database that the caller opens: its calls hold the event loop for as long as they take. */
export function driverOf(open: OpenDatabase | undefined): DatabaseDriver {
  return open === undefined ? libsqlDriver : { open, openPatient: open };
}
