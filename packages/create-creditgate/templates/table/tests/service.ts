import { execFileSync } from "node:child_process"; //? shared
import { mkdtemp, readFile } from "node:fs/promises"; //? sqlite
import { readFile } from "node:fs/promises"; //? !sqlite
import { tmpdir } from "node:os"; //? sqlite
import { join } from "node:path"; //? sqlite
import { createTestDatabase, usePostgres } from "@creditgate/control-plane/testing";
import pg from "pg";

// A database for these tests.
const postgres = await usePostgres();
const database = await createTestDatabase();
process.env.DATABASE_URL = database.databaseUrl;
process.env.USAGE_FILE = join(await mkdtemp(join(tmpdir(), "usage-")), "usage.db"); //? sqlite
const sql = new pg.Pool({ connectionString: database.databaseUrl });
await sql.query(await readFile("schema.sql", "utf8"));
process.env.REDIS_URL ??= "redis://127.0.0.1:6379"; //? redis
execFileSync("creditgate-postgres", ["init"]); // a new ledger then grants at once //? postgres-ledger
execFileSync("creditgate-redis", ["init"]); // a new ledger then grants at once //? redis-ledger

export async function creditsOf(customer: string): Promise<number> {
  const { rows } = await sql.query("select available from wallets where customer_id = $1", [customer]);
  return Number(rows[0].available);
}

export async function stopService(): Promise<void> {
  await sql.end();
  await database.drop();
  await postgres.stop();
}
