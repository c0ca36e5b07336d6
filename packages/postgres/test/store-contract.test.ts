import { testSharedStore } from "@creditgate/conformance";
import { createPostgresStore } from "@creditgate/postgres";
import { describe, it } from "vitest";
import { createTestDatabase } from "./database.ts";
import { createTrialSchema, trialOf } from "./trial.ts";

const { pool } = await createTestDatabase();
await createTrialSchema(pool, "by_pg");

// By postgres.js in `postgres-js.full.test.ts`.
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
