import type { SharedStore } from "@creditgate/core";
import { createPostgresStore } from "@creditgate/postgres";
import { createRedisStore } from "@creditgate/redis";
import { Redis } from "ioredis";
import pg from "pg";

/** Where the store of a fleet is: plain data, which other processes are told. */
export interface StoreAddress {
  readonly kind: "Redis" | "PostgreSQL";
  readonly url: string;
  /** Tells fleets on one server apart. */
  readonly fleet: string;
}

/** A process's way to the store of its fleet. */
export interface StoreConnection {
  readonly store: SharedStore;
  /** Words that it has sent: each is a round trip. */
  readonly words: number;
  close(): Promise<void>;
}

/** As the READMEs of the stores say. */
export function connect({ kind, url, fleet }: StoreAddress): StoreConnection {
  if (kind === "Redis") {
    const redis = new Redis(url);
    return counting(createRedisStore({ redis, name: fleet }), async () => redis.disconnect());
  }
  const sql = new pg.Pool({ connectionString: url });
  return counting(createPostgresStore({ sql, schema: fleet }), () => sql.end());
}

function counting(store: SharedStore, close: () => Promise<void>): StoreConnection {
  let words = 0;
  return {
    store: {
      exchange(account, word) {
        words += 1;
        return store.exchange(account, word);
      },
    },
    get words() {
      return words;
    },
    close,
  };
}
