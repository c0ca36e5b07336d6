import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startEmbeddedPostgres } from "@creditgate/control-plane";
import type { StoredReservation } from "@creditgate/fleet/operator";
import * as postgres from "@creditgate/postgres";
import * as redis from "@creditgate/redis";
import pg from "pg";
import type { RedisServer } from "./redis-server.ts";
import type { StoreAddress } from "./store-connection.ts";

/** A server on which fleets have their stores. */
export interface StoreServer {
  readonly kind: StoreAddress["kind"];
  /** The store of a fleet that has just been set up for use: small letters, digits and _. */
  open(fleet: string): Promise<StoreAddress>;
  /** What processes have of the wallets of this fleet. */
  reservations(fleet: string): Promise<readonly StoredReservation[]>;
  stop(): Promise<void>;
}

export function redisStores(server: RedisServer): StoreServer {
  const { url } = server;
  return {
    kind: "Redis",
    async open(fleet) {
      await redis.initRedisStore({ redis: server.redis, name: fleet });
      return { kind: "Redis", url, fleet };
    },
    reservations: (fleet) => redis.listReservations({ redis: server.redis, name: fleet }),
    stop: () => server.stop(),
  };
}

export async function startPostgresStores(): Promise<StoreServer> {
  const data = await mkdtemp(path.join(tmpdir(), "creditgate-bench-"));
  await chmod(data, 0o755);
  const server = await startEmbeddedPostgres({ data });
  const url = server.databaseUrl;
  const sql = new pg.Pool({ connectionString: url });
  return {
    kind: "PostgreSQL",
    async open(fleet) {
      await postgres.initPostgresStore({ sql, schema: fleet });
      return { kind: "PostgreSQL", url, fleet };
    },
    reservations: (fleet) => postgres.listReservations({ sql, schema: fleet }),
    async stop() {
      await sql.end();
      await server.stop();
      await rm(data, { recursive: true });
    },
  };
}
