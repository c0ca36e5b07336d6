import type { FleetOutbox, SharedStore } from "@creditgate/fleet";
import { createPostgresOutbox, createPostgresStore } from "@creditgate/postgres";
import { createRedisOutbox, createRedisStore } from "@creditgate/redis";
import { Redis } from "ioredis";
import pg from "pg";

/** Where the store of a fleet is: plain data, which is sent to other processes. */
export interface StoreAddress {
  readonly kind: "Redis" | "PostgreSQL";
  readonly url: string;
  /** Distinguishes fleets on one server. */
  readonly fleet: string;
}

/** A process's way to the store of its fleet. */
export interface StoreConnection {
  readonly store: SharedStore;
  /** One on the same server. */
  outbox(): FleetOutbox;
  close(): Promise<void>;
}

/** As the READMEs of the stores say. */
export function connect({ kind, url, fleet }: StoreAddress): StoreConnection {
  if (kind === "Redis") {
    const redis = new Redis(url);
    return {
      store: createRedisStore({ redis, name: fleet }),
      outbox: () => createRedisOutbox({ redis, name: fleet, acceptLoss: true }),
      close: async () => redis.disconnect(),
    };
  }
  const sql = new pg.Pool({ connectionString: url });
  return {
    store: createPostgresStore({ sql, schema: fleet }),
    outbox: () => createPostgresOutbox({ sql, schema: fleet }),
    close: () => sql.end(),
  };
}
