import type {
  OutboxHeartbeatResult,
  OutboxState,
  OutboxStore,
  OutboxWritten,
  StoredRow,
} from "@creditgate/fleet";
import { identifier } from "./migrations.ts";
import type { PostgresSettings } from "./options.ts";
import { PreparedQuery } from "./prepared-query.ts";
import type { Row } from "./sql.ts";

const rowsPerRead = 1_000;

/** The reports of a fleet in PostgreSQL, for `createFleetOutbox`. Each step is one statement. */
export function postgresOutboxStore(
  { query, schema: name }: PostgresSettings,
  outbox: string,
  timeoutMs: number = 5_000,
): OutboxStore {
  const prepared = new PreparedQuery(query, name, timeoutMs);
  const schema = identifier(name);
  return {
    async heartbeat(heartbeat) {
      const text = `select ${schema}.outbox_heartbeat($1, $2::text::jsonb)::text as answer`;
      const { status, lanes, ledgers, values } = answerOf(
        await prepared.run(text, [outbox, JSON.stringify(heartbeat)]),
      );
      const result: OutboxHeartbeatResult = {
        status: stateOf(status),
        lanes: texts(lanes),
        ledgers: texts(ledgers),
        values: valuesOf(values),
      };
      return result;
    },
    async write(step) {
      const text = `select ${schema}.outbox_write($1, $2::text::jsonb)::text as answer`;
      const { status, places } = answerOf(await prepared.run(text, [outbox, JSON.stringify(step)]));
      const written: OutboxWritten = { status: stateOf(status), places: texts(places) };
      return written;
    },
    async read(process, lane, after = "-1") {
      const rows = await prepared.run(
        `select row.place::text, row.text, row.note from ${schema}.outbox_row as row
         join ${schema}.outbox_lane as lane on lane.id = row.lane and lane.owner = $1
         where row.lane = $2 and row.place > $3::bigint order by row.place limit ${rowsPerRead}`,
        [process, lane, after],
      );
      return rows.map(storedRow);
    },
    async takeRequests(process) {
      const rows = await prepared.run(
        `with due as (
           select row.place, row.request from ${schema}.outbox_row as row
           join ${schema}.outbox_lane as lane on lane.id = row.lane and lane.owner = $1
           where row.request is not null order by row.place limit ${rowsPerRead} for update of row)
         update ${schema}.outbox_row as row set request = null from due where row.place = due.place
         returning due.place::text as place, due.request as text`,
        [process],
      );
      return rows.map(({ place, text }) => ({ place: String(place), text: String(text) }));
    },
    async list(after = "-1") {
      const rows = await prepared.run(
        `select row.place::text, row.text, row.note, (lane.owner = lane.id)::text as own, (row.request is not null)::text as requested
         from ${schema}.outbox_row as row join ${schema}.outbox_lane as lane on lane.id = row.lane
         join ${schema}.outbox_process as process on process.id = lane.owner
         where process.outbox = $1 and row.place > $2::bigint order by row.place limit ${rowsPerRead}`,
        [outbox, after],
      );
      return rows.map((row) => ({
        ...storedRow(row),
        isOwn: row.own === "true",
        isRequested: row.requested === "true",
      }));
    },
    async request(requests) {
      await prepared.run(
        `update ${schema}.outbox_row as row set request = asked.text
         from jsonb_to_recordset($1::text::jsonb) as asked(place bigint, text text) where row.place = asked.place`,
        [JSON.stringify(requests)],
      );
    },
  };
}

function answerOf([row]: readonly Row[]): Row {
  const answer: unknown = JSON.parse(String(row?.answer));
  if (typeof answer === "object" && answer !== null) return answer as Row;
  throw new TypeError("the outbox's answer is no object");
}

function stateOf(status: unknown): OutboxState {
  if (status === "ok" || status === "behind" || status === "taken") return status;
  throw new TypeError(`the outbox's answer, status: ${String(status)}`);
}

function texts(values: unknown): readonly string[] {
  return Array.isArray(values) ? values.map(String) : [];
}

function valuesOf(values: unknown): Readonly<Record<string, string>> {
  return typeof values === "object" && values !== null ? (values as Readonly<Record<string, string>>) : {};
}

function storedRow({ place, text, note }: Row): StoredRow {
  return { place: String(place), text: String(text), note: String(note) };
}
