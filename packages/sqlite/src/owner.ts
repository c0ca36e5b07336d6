import { hostname } from "node:os";
import process from "node:process";
import type { DatabaseDriver, SqliteDatabase } from "./database.ts";
import { row } from "./row.ts";

/** Writes down who works on the file, for those who are refused. */
export function writeOwner(database: SqliteDatabase): void {
  database
    .prepare(
      "INSERT INTO meta (name, value) VALUES ('owner', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    )
    .run(`process ${process.pid} on ${hostname()}`);
}

/** Who works on the file, as far as known. */
export function readOwner(driver: DatabaseDriver, path: string): string {
  let database: SqliteDatabase | undefined;
  try {
    database = driver.open(path);
    return String(row(database.prepare("SELECT value FROM meta WHERE name = 'owner'").get()).value);
  } catch {
    return "another process";
  } finally {
    database?.close();
  }
}
