import { type TestPostgres, usePostgres } from "./postgres.ts";
import { createTemplate, type TestDatabase } from "./test-database.ts";

let postgres: TestPostgres | undefined;
let template: TestDatabase | undefined;

/** For `globalSetup` of a vitest project: its tests share one PostgreSQL, with all others that do so. */
export async function setup(): Promise<void> {
  postgres = await usePostgres();
  template = await createTemplate();
}

/** Stops the PostgreSQL if this run has started it. */
export async function teardown(): Promise<void> {
  await template?.drop();
  await postgres?.stop();
}
