import { type TestPostgres, usePostgres } from "./postgres.ts";

let postgres: TestPostgres | undefined;

/** For `globalSetup` of a vitest project: its tests share one PostgreSQL, with all others that do so. */
export async function setup(): Promise<void> {
  postgres = await usePostgres();
}

/** Stops the PostgreSQL if this run has started it. */
export async function teardown(): Promise<void> {
  await postgres?.stop();
}
