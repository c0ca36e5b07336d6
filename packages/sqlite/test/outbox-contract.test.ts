import { cpSync, existsSync } from "node:fs";
import { createManualClock, type OutboxOnTrial, testOutbox } from "@creditgate/core/testing";
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

testOutbox("SQLite", { create: () => trial(), lasting: true }, { describe, it });
testOutbox(
  "SQLite through a database of the caller's",
  { create: () => trial((path) => new Libsql(path)), lasting: true },
  { describe, it },
);
// From Node 22 on.
if (nodeSqlite !== undefined) {
  testOutbox(
    "SQLite through node:sqlite",
    { create: () => trial(nodeSqlite), lasting: true },
    { describe, it },
  );
}
