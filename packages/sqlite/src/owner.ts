import { hostname } from "node:os";
import process from "node:process";
import { type DatabaseDriver, row, type SqliteDatabase } from "./database.ts";

/** Writes down who works on the file, for those who are refused, and since which step. */
export function writeOwner(database: SqliteDatabase): void {
  database
    .prepare(
      "INSERT OR REPLACE INTO meta SELECT 'owner', ? UNION ALL SELECT 'since', coalesce(max(id), 0) + 1 FROM step",
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
