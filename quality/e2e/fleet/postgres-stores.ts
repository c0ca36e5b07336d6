import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "@creditgate/control-plane";
import { initPostgresStore } from "@creditgate/postgres";
import pg from "pg";
import type { FragileServer } from "./store-server.ts";

const tables = ["account", "outbox_process", "outbox_lane", "outbox_ledger", "outbox_row", "outbox_value"];

export async function startPostgresStore(): Promise<FragileServer> {
  const data = await mkdtemp(join(tmpdir(), "creditgate-fleet-"));
  await chmod(data, 0o755);
  // Processes die in these tests, machines do not.
  const server = await startEmbeddedPostgres({ data, settings: { fsync: "off", max_connections: "100" } });
  const pool = new pg.Pool({ connectionString: server.databaseUrl, max: 2 });
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const startedAt = async (): Promise<string> =>
    (await pool.query("select pg_postmaster_start_time()::text as time")).rows[0].time;
  return {
    connection: { kind: "postgres", url: server.databaseUrl },
    init: async (schema) => void (await initPostgresStore({ sql: pool, schema })),
    async restart() {
      const before = await startedAt();
      const [pid] = (await readFile(join(data, "postgres", "postmaster.pid"), "utf8")).split("\n");
      process.kill(Number(pid), "SIGQUIT");
      // It is started again by what watches over it. Until the crash has reached it, the old server answers too.
      let now = before;
      while (now === before) now = await startedAt().catch(() => before);
    },
    async empty(schema) {
      await pool.query(`truncate ${tables.map((table) => `${schema}.${table}`).join(", ")}`);
    },
    out: (schema) => reservationsOf(pool, schema),
    async stop() {
      await pool.end();
      await server.stop();
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** Micro-credits of all reservations in this schema. */
export async function reservationsOf(pool: pg.Pool, schema: string): Promise<number> {
  const { rows } = await pool.query(`select coalesce(sum(out), 0)::text as out from ${schema}.account`);
  return Number(rows[0].out);
}
