import { randomUUID } from "node:crypto";
import { usePostgres } from "@creditgate/control-plane/testing";
import pg from "pg";
import { afterAll } from "vitest";

export interface TestDatabase {
  readonly url: string;
  readonly pool: pg.Pool;
}

/** A database for the tests of one file, dropped after them. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { databaseUrl } = await usePostgres();
  const admin = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const name = `creditgate_${randomUUID().replaceAll("-", "")}`;
  await admin.query(`create database ${name}`);
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href });
  // A connection that is cut when its database is dropped: end() does not wait for it to close.
  pool.on("error", () => {});
  afterAll(async () => {
    await pool.end();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });
  return { url: url.href, pool };
}
