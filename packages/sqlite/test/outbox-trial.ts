import { cpSync, existsSync } from "node:fs";
import type { OutboxOnTrial } from "@creditgate/conformance";
import { createManualClock } from "@creditgate/core/testing";
import { createSqliteOutbox, type OpenDatabase, type SqliteOutbox } from "@creditgate/sqlite";
import { temporaryFile } from "./temporary-file.ts";

const maxReports = 5;

/** An outbox whose process dies: what the file and its log hold at that instant is all that the next one finds. */
export function outboxTrial(open?: OpenDatabase): OutboxOnTrial {
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
