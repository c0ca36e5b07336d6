import { testSharedStore } from "@creditgate/conformance";
import { createPostgresStore } from "@creditgate/postgres";
import { afterAll, describe, it } from "vitest";
import { createTestDatabase } from "./database.ts";
import { connectPostgresJs } from "./postgres-js.ts";
import { createTrialSchema, trialOf } from "./trial.ts";

const { url, pool } = await createTestDatabase();
const sql = connectPostgresJs(url);
afterAll(() => sql.end());
await createTrialSchema(pool, "by_pg");
await createTrialSchema(pool, "by_postgres_js");

testSharedStore(
  "PostgreSQL by pg",
  {
    create: () => trialOf(pool, "by_pg", createPostgresStore({ sql: pool, schema: "by_pg" })),
    restarts: true,
    stepsBack: true,
    loses: ["account"],
    seeds: 12,
  },
  { describe, it },
);
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
