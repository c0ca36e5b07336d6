import { randomUUID } from "node:crypto";
import type { OutboxOnTrial, SharedStoreOnTrial } from "@creditgate/conformance";
import { createManualClock } from "@creditgate/core/testing";
import type { SharedStore } from "@creditgate/fleet";
import { createPostgresOutbox, type PgPool, type PostgresJs } from "@creditgate/postgres";
import type pg from "pg";
import { migrate } from "../src/migrations.ts";
import { queryOf } from "../src/sql.ts";

/** What a schema is for trials: its functions that read the server's clock and run answer what the test says. */
export async function createTrialSchema(pool: pg.Pool, schema: string): Promise<void> {
  await migrate(queryOf(pool), schema);
  await pool.query(`
    create table ${schema}.trial (passed bigint not null, run int not null);
    insert into ${schema}.trial values (0, 1);
    create or replace function ${schema}.clock() returns bigint language sql volatile as
      'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint + passed from ${schema}.trial';
    create or replace function ${schema}.run() returns text language sql volatile as
      'select run::text from ${schema}.trial';`);
}

/** A store in such a schema. */
export function trialOf(pool: pg.Pool, schema: string, store: SharedStore): SharedStoreOnTrial {
  let behindMs = 0;
  const pass = async (ms: number) =>
    void (await pool.query(`update ${schema}.trial set passed = passed + ${ms}`));
  return {
    store,
    advance: pass,
    stepBack(ms) {
      behindMs += ms;
      return pass(-ms);
    },
    // The next trial on this schema begins with a clock that is right.
    close: () => pass(behindMs),
    lose: async (account) =>
      void (await pool.query(`delete from ${schema}.account where key = $1`, [account])),
    restart: async () => void (await pool.query(`update ${schema}.trial set run = run + 1`)),
  };
}

/** An outbox whose process dies: nothing ends it, and a process of the same name begins. */
export function outboxTrial(sql: PgPool | PostgresJs): OutboxOnTrial {
  const name = randomUUID();
  const clock = createManualClock();
  const start = () => createPostgresOutbox({ sql, name, process: "one", maxReports: 5, clock });
  return { outbox: start(), maxReports: 5, crash: start, advance: clock.advance };
}
