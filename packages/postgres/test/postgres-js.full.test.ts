import { testOutbox, testSharedStore } from "@creditgate/conformance";
import { createPostgresStore } from "@creditgate/postgres";
import { afterAll, describe, it } from "vitest";
import { createTestDatabase } from "./database.ts";
import { connectPostgresJs } from "./postgres-js.ts";
import { createTrialSchema, outboxTrial, trialOf } from "./trial.ts";

const { url, pool } = await createTestDatabase();
const sql = connectPostgresJs(url);
afterAll(() => sql.end());
await createTrialSchema(pool, "by_postgres_js");

testSharedStore(
  "PostgreSQL by postgres.js",
  {
    create: () => trialOf(pool, "by_postgres_js", createPostgresStore({ sql, schema: "by_postgres_js" })),
    restarts: true,
    stepsBack: true,
    loses: ["account"],
    seeds: 4,
    from: 13,
  },
  { describe, it },
);
testOutbox("PostgreSQL by postgres.js", { create: () => outboxTrial(sql), durable: true }, { describe, it });
