import type { PatientDatabase, SqliteStatement } from "./database.ts";
import { insertReport, reportColumns, workColumns } from "./stored-report.ts";

type Name =
  | "insert"
  | "next"
  | "between"
  | "deliver"
  | "lowerFirst"
  | "lowerOthers"
  | "setAside"
  | "send"
  | "unsend"
  | "sent"
  | "writeKeysHonoured"
  | "keysHonoured"
  | "firstParked"
  | "unpark"
  | "aside"
  | "retry"
  | "forget"
  | "tally"
  | "rememberAnew"
  | "remembered"
  | "begin"
  | "end"
  | "orphan"
  | "works"
  | "forgetNow"
  | "beginReservation"
  | "endReservation"
  | "reservations";

const texts: Readonly<Record<Name, string>> = {
  insert: insertReport,
  next: `SELECT ${reportColumns} FROM report WHERE state = 0 AND position IN (SELECT value FROM json_each(?))`,
  between:
    "SELECT position, customer, agent, indicator FROM report WHERE state = 0 AND position > ? AND position < ? ORDER BY position LIMIT ?",
  deliver:
    "UPDATE report SET state = 3, reason = NULL, forget_at = ?, entry = ?, amount = ? WHERE id = ? AND state = 0",
  // An entry that reports share has the id of the first of them, which is not in the index `report_shares`.
  lowerFirst: "UPDATE report SET amount = ? WHERE id = ? AND entry = ?",
  lowerOthers: "UPDATE report SET amount = ? WHERE entry = ? AND entry <> id",
  setAside: "UPDATE report SET state = ?, reason = ?, sending = 0 WHERE id = ? AND state = 0",
  send: "UPDATE report SET sending = 1 WHERE id = ? AND state = 0",
  unsend: "UPDATE report SET sending = 0 WHERE id = ?",
  sent: `SELECT ${reportColumns} FROM report WHERE state = 0 AND sending = 1 ORDER BY position`,
  writeKeysHonoured:
    "INSERT INTO meta (name, value) VALUES ('keys_honoured_by', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  keysHonoured: "SELECT value FROM meta WHERE name = 'keys_honoured_by'",
  firstParked: "SELECT min(position) AS first, max(position) AS last FROM report WHERE state = 1",
  unpark: "UPDATE report SET state = 0, reason = NULL, position = position + ? WHERE state = 1",
  aside: `SELECT ${reportColumns} FROM report WHERE id = ? AND state IN (1, 2)`,
  retry: "UPDATE report SET state = 0, reason = NULL, position = ? WHERE id = ?",
  forget: "DELETE FROM report WHERE state = 3 AND forget_at <= ?",
  tally: "SELECT queued, parked, dead, bytes, dead_bytes FROM tally",
  rememberAnew: "UPDATE report SET forget_at = ? WHERE state = 3",
  remembered:
    "SELECT id, customer, currency, entry, CAST(amount AS REAL) AS amount, state FROM report ORDER BY position",
  begin:
    "INSERT INTO work (id, customer, currency, agent, indicator, hold, begun_at) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET hold = excluded.hold",
  end: "DELETE FROM work WHERE id = ?",
  orphan: "UPDATE work SET orphan = 1",
  works: `SELECT ${workColumns} FROM work ORDER BY begun_at`,
  forgetNow: "DELETE FROM report WHERE id = ? AND state = 3",
  beginReservation:
    "INSERT INTO reservation (account, process, service, customer, currency) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
  endReservation: "DELETE FROM reservation WHERE account = ? AND process = ?",
  reservations: "SELECT * FROM reservation ORDER BY account, process",
};

/** Every statement of the outbox, prepared. */
export type Statements = Readonly<Record<Name, SqliteStatement>>;

export async function prepareStatements(database: PatientDatabase): Promise<Statements> {
  const prepared: Partial<Record<Name, SqliteStatement>> = {};
  for (const [name, text] of Object.entries(texts)) {
    prepared[name as Name] = await database.prepare(text);
  }
  return prepared as Statements;
}
