import { testOutbox } from "@creditgate/conformance";
import type { OpenDatabase } from "@creditgate/sqlite";
import Libsql from "libsql";
import { describe, it } from "vitest";
import { nodeSqlite } from "./node-sqlite.ts";
import { outboxTrial } from "./outbox-trial.ts";

/** libsql as strict as `node:sqlite`, which throws a RangeError for an integer that is no safe one. */
const strict: OpenDatabase = (path) => {
  const database = new Libsql(path);
  return {
    exec: (sql) => database.exec(sql),
    prepare(sql) {
      const statement = database.prepare(sql);
      // Only statements that return rows have columns.
      if (statement.reader) statement.safeIntegers(true);
      return {
        run: (...values) => statement.run(...values),
        get: (...values) => safely(statement.get(...values)),
        all: (...values) => statement.all(...values).map(safely),
      };
    },
    close: () => database.close(),
  };
};

function safely(row: unknown): unknown {
  if (typeof row !== "object" || row === null) return row;
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, safeNumber(value)]));
}

function safeNumber(value: unknown): unknown {
  if (typeof value !== "bigint") return value;
  if (!Number.isSafeInteger(Number(value))) throw new RangeError(`Value is too large: ${value}`);
  return Number(value);
}

testOutbox(
  "SQLite through a strict database of the caller's",
  { create: () => outboxTrial(strict), durable: true },
  { describe, it },
);
// From Node 22 on.
if (nodeSqlite !== undefined) {
  testOutbox(
    "SQLite through node:sqlite",
    { create: () => outboxTrial(nodeSqlite), durable: true },
    { describe, it },
  );
}
