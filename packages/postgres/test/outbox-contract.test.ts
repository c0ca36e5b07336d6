import { testOutbox } from "@creditgate/conformance";
import { describe, it } from "vitest";
import { createTestDatabase } from "./database.ts";
import { outboxTrial } from "./trial.ts";

const { pool } = await createTestDatabase();

// By postgres.js in `postgres-js.full.test.ts`.
testOutbox("PostgreSQL by pg", { create: () => outboxTrial(pool), durable: true }, { describe, it });
