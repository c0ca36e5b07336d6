import { randomBytes } from "node:crypto";
import pg from "pg";
import { withDatabase } from "../database/connection.ts";
import { usePostgres } from "./postgres.ts";

/** A database of its own. */
export interface TestDatabase {
  readonly databaseUrl: string;
  drop(): Promise<void>;
}

/** Creates an empty database on the PostgreSQL of the test run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { databaseUrl } = await usePostgres();
  const name = `creditgate_test_${randomBytes(8).toString("hex")}`;
  await administer(databaseUrl, `create database ${name}`);
  return {
    databaseUrl: withDatabase(databaseUrl, name),
    drop: () => administer(databaseUrl, `drop database if exists ${name} with (force)`),
  };
}

async function administer(databaseUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
