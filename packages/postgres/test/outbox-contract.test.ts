import { randomUUID } from "node:crypto";
import { type OutboxOnTrial, testOutbox } from "@creditgate/conformance";
import { createManualClock } from "@creditgate/core/testing";
import { createPostgresOutbox, type PgPool, type PostgresJs } from "@creditgate/postgres";
import { afterAll, describe, it } from "vitest";
import { createTestDatabase } from "./database.ts";
import { connectPostgresJs } from "./postgres-js.ts";

const { url, pool } = await createTestDatabase();
const postgresJs = connectPostgresJs(url);
afterAll(() => postgresJs.end());

/** An outbox whose process dies: nothing ends it, and a process of the same name begins. */
function trial(sql: PgPool | PostgresJs): OutboxOnTrial {
  const name = randomUUID();
  const clock = createManualClock();
  const start = () => createPostgresOutbox({ sql, name, process: "one", maxReports: 5, clock });
  return { outbox: start(), maxReports: 5, crash: start, advance: clock.advance };
}

testOutbox("PostgreSQL by pg", { create: () => trial(pool), durable: true }, { describe, it });
testOutbox("PostgreSQL by postgres.js", { create: () => trial(postgresJs), durable: true }, { describe, it });
