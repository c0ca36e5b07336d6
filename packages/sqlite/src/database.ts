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

/** A row as the database gives it: columns by name. */
export type Row = Readonly<Record<string, unknown>>;

/** The boundary at which what a database has answered becomes a row; one without columns for none. */
export function row(answer: unknown): Row {
  return typeof answer === "object" && answer !== null ? (answer as Row) : {};
}

export function rows(answer: unknown): readonly Row[] {
  return Array.isArray(answer) ? answer.map(row) : [];
}
