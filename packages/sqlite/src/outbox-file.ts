import { existsSync } from "node:fs";
import type { Decided, OutboxItem, OutboxOperator, Resolution } from "@creditgate/fleet/operator";
import { libsqlDriver, type SqliteDatabase } from "./database.ts";
import { lockFile } from "./file-lock.ts";
import { OutboxError, outboxError } from "./outbox-error.ts";
import { type Row, row, rows } from "./row.ts";
import { migrate, openOutboxFile, state } from "./schema.ts";
import { insertReport, openWork, packReport, reportColumns, reportOf, workColumns } from "./stored-report.ts";

/** What operators do with the outbox in the file at `path`. `list` works while a process owns the file; the rest needs it stopped. */
export function sqliteOperator(path: string): OutboxOperator {
  const decided = (ids: readonly string[]): Decided => ({ done: ids, left: [] });
  return {
    list: () => listItems(path),
    retry(ids) {
      retryItems(path, ids);
      return decided(ids);
    },
    resolve(ids, resolution) {
      resolveItems(path, ids, resolution);
      return decided(ids);
    },
  };
}

/** Everything in the file at `path`, the oldest first. The process that owns the file may go on meanwhile. */
function listItems(path: string): readonly OutboxItem[] {
  return inspect(path, (database) => [
    ...rows(database.prepare(`SELECT ${reportColumns} FROM report ORDER BY position`).all()).map(reportItem),
    ...rows(database.prepare(`SELECT ${workColumns} FROM work ORDER BY begun_at`).all()).map(workItem),
  ]);
}

/** Puts parked or dead reports back into the queue. All of them, or an error and none. */
function retryItems(path: string, ids: readonly string[]): void {
  change(path, (database) => {
    for (const id of ids) {
      setAsideReport(database, path, id);
      database
        .prepare(
          "UPDATE report SET state = 0, reason = NULL, position = (SELECT max(position) + 1 FROM report) WHERE id = ?",
        )
        .run(id);
    }
  });
}

/** Decides on parked or dead reports and on orphans. All of them, or an error and none. */
function resolveItems(path: string, ids: readonly string[], resolution: Resolution): void {
  change(path, (database) => {
    for (const id of ids) {
      const orphan = row(database.prepare(`SELECT ${workColumns} FROM work WHERE id = ?`).get(id));
      if (orphan.id === undefined) resolveReport(database, path, id, resolution);
      else resolveOrphan(database, orphan, resolution);
    }
  });
}

function resolveReport(database: SqliteDatabase, path: string, id: string, { as }: Resolution): void {
  setAsideReport(database, path, id);
  if (as === "bill")
    throw new OutboxError(
      "invalid_option",
      `--bill: expected the id of an orphan, received the report ${id}`,
    );
  // The next process counts a delivered report for the whole lag, as it does with those that it has delivered itself.
  const sql =
    as === "delivered"
      ? "UPDATE report SET state = 3, forget_at = NULL WHERE id = ?"
      : "DELETE FROM report WHERE id = ?";
  database.prepare(sql).run(id);
}

function resolveOrphan(database: SqliteDatabase, orphan: Row, resolution: Resolution): void {
  const { id, customerId, currency, agentId, indicator, hold } = openWork(orphan);
  database.prepare("DELETE FROM work WHERE id = ?").run(id);
  if (resolution.as !== "bill") return;
  const entry = { id, amount: hold };
  const rawUsage = resolution.usage;
  const values = packReport({ id, customerId, agentId, indicator, rawUsage, currency, entry }, Date.now());
  const last = row(database.prepare("SELECT max(position) AS last FROM report").get()).last;
  database.prepare(insertReport).run(typeof last === "number" ? last + 1 : 0, ...values);
}

function setAsideReport(database: SqliteDatabase, path: string, id: string): void {
  const found = row(database.prepare("SELECT state FROM report WHERE id = ?").get(id)).state;
  if (found === state.parked || found === state.dead) return;
  const name = found === undefined ? "no such id" : `one that is ${stateName(Number(found))}`;
  throw new OutboxError(
    "invalid_option",
    `outbox ${path}: ${id}: expected a parked or dead report, received ${name}`,
  );
}

function inspect<T>(path: string, look: (database: SqliteDatabase) => T): T {
  if (!existsSync(path)) throw new OutboxError("unavailable", `outbox ${path}: there is no such file`);
  const database = openOutboxFile(libsqlDriver, path);
  try {
    return look(database);
  } catch (error) {
    throw outboxError(path, error);
  } finally {
    database.close();
  }
}

function change(path: string, step: (database: SqliteDatabase) => void): void {
  if (!existsSync(path)) throw new OutboxError("unavailable", `outbox ${path}: there is no such file`);
  const unlock = lockFile(libsqlDriver, path);
  try {
    inspect(path, (database) => {
      migrate(database, path);
      database.exec("PRAGMA synchronous = full");
      inOneStep(database, step);
    });
  } finally {
    unlock();
  }
}

function inOneStep(database: SqliteDatabase, step: (database: SqliteDatabase) => void): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    step(database);
    database.exec("COMMIT");
  } catch (error) {
    // libsql keeps the transaction of a database that is closed in its midst, and with it the lock.
    database.exec("ROLLBACK");
    throw error;
  }
}

function reportItem(stored: Row): OutboxItem {
  const { id, customerId, agentId, indicator, currency, rawUsage, entry } = reportOf(stored);
  return {
    id,
    state: stateName(Number(stored.state)),
    customerId,
    agentId,
    indicator,
    currency,
    credits: entry.amount / 1e6,
    since: new Date(Number(stored.stored_at)).toISOString(),
    rawUsage,
    ...(typeof stored.reason === "string" ? { reason: stored.reason } : {}),
  };
}

function workItem(stored: Row): OutboxItem {
  const { hold, ...work } = openWork(stored);
  const since = new Date(Number(stored.begun_at)).toISOString();
  return { ...work, state: stored.orphan === 1 ? "orphan" : "open", credits: hold / 1e6, since };
}

function stateName(number: number): keyof typeof state {
  const names = ["queued", "parked", "dead", "delivered"] as const;
  return names[number] ?? "queued";
}
