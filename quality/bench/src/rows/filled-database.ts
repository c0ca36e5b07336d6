import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { startEmbeddedPostgres } from "@creditgate/control-plane";
import type pg from "pg";
import { seed } from "./seed.ts";

/** Reports of usage; there is a customer for every five. */
const usage = Number(process.env.CREDITGATE_ROWS ?? 5_000_000);

/** A database of its own, which is gone afterwards; or the one of DATABASE_URL, which keeps what is made in it. */
export async function withDatabase(use: (databaseUrl: string) => Promise<void>): Promise<void> {
  const { DATABASE_URL: given } = process.env;
  if (given !== undefined) return use(given);
  const data = await mkdtemp(path.join(tmpdir(), "creditgate-bench-"));
  await chmod(data, 0o755);
  const postgres = await startEmbeddedPostgres({
    data,
    settings: { max_wal_size: "4GB", shared_buffers: "1GB" },
  });
  try {
    await use(postgres.databaseUrl);
  } finally {
    await postgres.stop();
    await rm(data, { recursive: true, force: true });
  }
}

/** Fills a database that a control plane has migrated, unless it has been filled before. */
export async function fill(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query("select from organizations limit 1");
  if (rowCount !== 0) return;
  await seed(client, { usage, customers: usage / 5 }, (name, seconds) =>
    console.log(`${name}: made in ${seconds.toFixed(0)} s`),
  );
}
