import type { OutboxBeaten, OutboxStanding, OutboxStore, OutboxWritten, StoredRow } from "@creditgate/core";
import { identifier } from "./migrations.ts";
import type { PostgresSettings } from "./options.ts";
import { Preparation } from "./preparation.ts";
import type { Row } from "./sql.ts";

const rowsPerRead = 1_000;

/** The reports of a fleet in PostgreSQL, for `createFleetOutbox`. Each step is one statement. */
export function postgresOutboxStore({ query, schema: name }: PostgresSettings, outbox: string): OutboxStore {
  const preparation = new Preparation(query, name);
  const schema = identifier(name);
  return {
    async beat(beat) {
      await preparation.done();
      const text = `select ${schema}.outbox_beat($1, $2::text::jsonb)::text as answer`;
      const { status, lanes, ledgers, values } = answerOf(await query(text, [outbox, JSON.stringify(beat)]));
      const beaten: OutboxBeaten = {
        status: standingOf(status),
        lanes: texts(lanes),
        ledgers: texts(ledgers),
        values: valuesOf(values),
      };
      return beaten;
    },
    async write(step) {
      await preparation.done();
      const text = `select ${schema}.outbox_write($1, $2::text::jsonb)::text as answer`;
      const { status, places } = answerOf(await query(text, [outbox, JSON.stringify(step)]));
      const written: OutboxWritten = { status: standingOf(status), places: texts(places) };
      return written;
    },
    async read(process, lane, after = "-1") {
      await preparation.done();
      const rows = await query(
        `select row.place::text, row.text, row.note from ${schema}.outbox_row as row
         join ${schema}.outbox_lane as lane on lane.id = row.lane and lane.owner = $1
         where row.lane = $2 and row.place > $3::bigint order by row.place limit ${rowsPerRead}`,
        [process, lane, after],
      );
      return rows.map(storedRow);
    },
  };
}

function answerOf([row]: readonly Row[]): Row {
  const answer: unknown = JSON.parse(String(row?.answer));
  if (typeof answer === "object" && answer !== null) return answer as Row;
  throw new TypeError("the outbox's answer is no object");
}

function standingOf(status: unknown): OutboxStanding {
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
