import { cpSync, existsSync } from "node:fs";
import { type OutboxOnTrial, testOutbox } from "@creditgate/conformance";
import { createManualClock } from "@creditgate/core/testing";
import { createSqliteOutbox, type OpenDatabase, type SqliteOutbox } from "@creditgate/sqlite";
import Libsql from "libsql";
import { describe, it } from "vitest";
import { nodeSqlite } from "./node-sqlite.ts";
import { temporaryFile } from "./temporary-file.ts";

const maxReports = 5;

/** An outbox whose process dies: what the file and its log hold at that instant is all that the next one finds. */
function trial(open?: OpenDatabase): OutboxOnTrial {
  const clock = createManualClock();
  const opened: SqliteOutbox[] = [];
  let path = temporaryFile();
  const start = () => {
    const outbox = createSqliteOutbox({ path, maxReports, clock, open });
    opened.push(outbox);
    return outbox;
  };
  return {
    outbox: start(),
    maxReports,
    crash() {
      const dead = path;
      path = temporaryFile();
      for (const part of ["", "-wal"]) if (existsSync(dead + part)) cpSync(dead + part, path + part);
      return start();
    },
    advance: clock.advance,
    async close() {
      for (const outbox of opened) await outbox.close();
    },
  };
}

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

testOutbox("SQLite", { create: () => trial(), durable: true }, { describe, it });
testOutbox(
  "SQLite through a strict database of the caller's",
  { create: () => trial(strict), durable: true },
  { describe, it },
);
// From Node 22 on.
if (nodeSqlite !== undefined) {
  testOutbox(
    "SQLite through node:sqlite",
    { create: () => trial(nodeSqlite), durable: true },
    { describe, it },
  );
}
