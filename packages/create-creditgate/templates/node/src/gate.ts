import { createClient } from "@creditgate/client"; //? plane
import { createGate } from "@creditgate/core";
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

// After a failover only query_timeout ends what waits on a connection that is silent. //? sql
const timeouts = { connectionTimeoutMillis: 2_000, statement_timeout: 5_000, query_timeout: 6_000 }; //? sql
const sql = new pg.Pool({ connectionString: process.env.DATABASE_URL, ...timeouts }); //? sql
sql.on("error", (error) => console.error(error.message)); //? sql
const redis = new Redis(process.env.REDIS_URL ?? "redis://127.0.0.1:6379"); //? redis
redis.on("error", (error) => console.error(error.message)); //? redis
//? sql|redis
// Processes that share this ledger spend each wallet together. //? shared
const ledger = createLeasedLedger(createPostgresStore({ sql })); //? postgres-ledger
const ledger = createLeasedLedger(createRedisStore({ redis })); //? redis-ledger
//? shared
// Usage waits here until it is delivered, also if the process crashes. //? durable
// The process keeps its name over restarts: it delivers what the one before it has left. //? durable !sqlite !shared
const outbox = createPostgresOutbox({ sql }); //? postgres-outbox shared
const outbox = createPostgresOutbox({ sql, process: "chat-1" }); //? postgres-outbox !shared
const outbox = createRedisOutbox({ redis }); //? redis-outbox shared
const outbox = createRedisOutbox({ redis, process: "chat-1" }); //? redis-outbox !shared
const outbox = createSqliteOutbox({ path: process.env.USAGE_FILE ?? "usage.db" }); //? sqlite
//? durable
/** Lets a request call the model if its customer can pay for it. */
export const gate = createGate({
  client: createClient(), // reads CREDITGATE_BASE_URL and CREDITGATE_API_KEY //? plane
  service: tableService(sql), //? table
  currency: "credits",
  price, //? table
  ledger, //? shared
  outbox, //? durable
});
//? stores
/** Closes what the gate has used. */ //? stores
export async function onClosed(): Promise<void> { //? stores
  await outbox.close(); //? durable
  redis.disconnect(); //? redis
  await sql.end(); //? sql
} //? stores
