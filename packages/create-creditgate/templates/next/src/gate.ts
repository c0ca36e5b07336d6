import { createClient } from "@creditgate/client"; //? plane
import { createGate, sharedGate } from "@creditgate/core";
import { createLeasedLedger } from "@creditgate/fleet"; //? shared
import { createPostgresOutbox } from "@creditgate/postgres"; //? postgres-outbox !postgres-ledger
import { createPostgresStore } from "@creditgate/postgres"; //? postgres-ledger !postgres-outbox
import { createPostgresOutbox, createPostgresStore } from "@creditgate/postgres"; //? postgres-outbox postgres-ledger
import { createRedisOutbox } from "@creditgate/redis"; //? redis-outbox !redis-ledger
import { createRedisStore } from "@creditgate/redis"; //? redis-ledger !redis-outbox
import { createRedisOutbox, createRedisStore } from "@creditgate/redis"; //? redis-outbox redis-ledger
import { createSqliteOutbox } from "@creditgate/sqlite"; //? sqlite
import { Redis } from "ioredis"; //? redis
import pg from "pg"; //? sql
import { price, tableService } from "./table.ts"; //? table

/** Closes what the gate has used. */ //? stores
export let onClosed = async (): Promise<void> => {}; //? stores
//? stores
// Next evaluates this module once for each bundle, and keeps one gate for all of them.
/** Lets a request call the model if its customer can pay for it. */
export const gate = sharedGate("chat", () => {
  // After a failover only query_timeout ends what waits on a connection that is silent. //? sql
  const timeouts = { connectionTimeoutMillis: 2_000, statement_timeout: 5_000, query_timeout: 6_000 }; //? sql
  const sql = new pg.Pool({ connectionString: process.env.DATABASE_URL, ...timeouts }); //? sql
  sql.on("error", (error) => console.error(error.message)); //? sql
  const redis = new Redis(process.env.REDIS_URL ?? "redis://127.0.0.1:6379", { lazyConnect: true }); //? redis
  redis.on("error", (error) => console.error(error.message)); //? redis
  // Processes that share this ledger spend each wallet together. //? shared
  const ledger = createLeasedLedger(createPostgresStore({ sql })); //? postgres-ledger
  const ledger = createLeasedLedger(createRedisStore({ redis })); //? redis-ledger
  // Usage waits here until it is delivered, also if the process crashes. //? durable
  const outbox = createPostgresOutbox({ sql }); //? postgres-outbox shared
  const outbox = createRedisOutbox({ redis }); //? redis-outbox shared
  // The file is one process's: `next build` has several. //? sqlite
  // The name is one process's, which keeps it over restarts: `next build` has several. //? durable !sqlite !shared
  const isBuild = process.env.NEXT_PHASE === "phase-production-build"; //? durable sqlite|!shared
  const outbox = isBuild ? undefined : createPostgresOutbox({ sql, process: "chat-1" }); //? postgres-outbox !shared
  const outbox = isBuild ? undefined : createRedisOutbox({ redis, process: "chat-1" }); //? redis-outbox !shared
  const path = process.env.USAGE_FILE ?? "usage.db"; //? sqlite
  const outbox = isBuild ? undefined : createSqliteOutbox({ path }); //? sqlite
  onClosed = async () => { //? stores
    await outbox.close(); //? durable !sqlite shared
    await outbox?.close(); //? durable sqlite|!shared
    redis.disconnect(); //? redis
    await sql.end(); //? sql
  }; //? stores
  return createGate({
    client: createClient(), // reads CREDITGATE_BASE_URL and CREDITGATE_API_KEY //? plane
    service: tableService(sql), //? table
    currency: "credits",
    checkTimeoutMs: 5_000, // the first request may wait while `next dev` compiles
    price, //? table
    ledger, //? shared
    outbox, //? durable
  });
});
