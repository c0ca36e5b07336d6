import { getBuiltinModule } from "node:process";
import type { OpenDatabase, SqliteDatabase } from "@creditgate/sqlite";

/** Opens databases with Node's own SQLite, where there is one. */
export const nodeSqlite: OpenDatabase | undefined = found();

function found(): OpenDatabase | undefined {
  try {
    const sqlite: object | undefined = getBuiltinModule("node:sqlite");
    if (sqlite === undefined || !("DatabaseSync" in sqlite)) return undefined;
    const DatabaseSync = sqlite.DatabaseSync as new (path: string) => SqliteDatabase;
    return (path) => new DatabaseSync(path);
  } catch {
    return undefined;
  }
}
