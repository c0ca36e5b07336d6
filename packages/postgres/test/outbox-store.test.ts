import { testOutboxStore } from "@creditgate/conformance";
import { describe, it } from "vitest";
import { postgresSettings } from "../src/options.ts";
import { postgresOutboxStore } from "../src/postgres-outbox-store.ts";
import { createTestDatabase } from "./database.ts";
import { createTrialSchema } from "./trial.ts";

const { pool } = await createTestDatabase();
let trials = 0;

testOutboxStore(
  "PostgreSQL",
  {
    async create() {
      const schema = `trial_${trials++}`;
      await createTrialSchema(pool, schema);
      return {
        store: postgresOutboxStore(postgresSettings({ sql: pool, schema }), "one"),
        advance: async (ms) => void (await pool.query(`update ${schema}.trial set passed = passed + ${ms}`)),
      };
    },
  },
  { describe, it },
);
