import { execFileSync } from "node:child_process"; //? shared
import { mkdtemp } from "node:fs/promises"; //? sqlite
import { tmpdir } from "node:os"; //? sqlite
import { join } from "node:path"; //? sqlite
import { parseFixture } from "@creditgate/control-plane";
import { startControlPlane, usePostgres } from "@creditgate/control-plane/testing";
import fixture from "../creditgate.json" with { type: "json" };

// A control plane for these tests, on a database of its own.
const postgres = await usePostgres();
const controlPlane = await startControlPlane({ fixture: parseFixture(fixture) });
process.env.CREDITGATE_BASE_URL = controlPlane.baseUrl;
process.env.CREDITGATE_API_KEY = controlPlane.apiKey;
process.env.DATABASE_URL = controlPlane.databaseUrl; //? sql
process.env.USAGE_FILE = join(await mkdtemp(join(tmpdir(), "usage-")), "usage.db"); //? sqlite
process.env.REDIS_URL ??= "redis://127.0.0.1:6379"; //? redis
execFileSync("creditgate-postgres", ["init"]); // a new ledger then grants at once //? postgres-ledger
execFileSync("creditgate-redis", ["init"]); // a new ledger then grants at once //? redis-ledger

export async function creditsOf(customer: string): Promise<number> {
  await controlPlane.settled();
  const { credits } = await controlPlane.balance(customer);
  return credits?.available ?? 0;
}

export async function stopService(): Promise<void> {
  await controlPlane.stop();
  await postgres.stop();
}
