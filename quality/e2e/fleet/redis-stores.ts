import { initRedisStore } from "@creditgate/redis";
import type { Redis } from "ioredis";
import { startRedis } from "../../../packages/redis/test/redis-server.ts";
import type { FragileServer } from "./store-server.ts";

/** One server with an append-only file. */
export async function startRedisStore(): Promise<FragileServer> {
  const server = await startRedis("--appendonly", "yes");
  const { redis } = server;
  return {
    connection: { kind: "redis", url: `redis://127.0.0.1:${server.port}` },
    async init(fleet) {
      await initRedisStore({ redis, name: fleet });
    },
    async restart() {
      await server.kill();
      await server.start();
    },
    async empty() {
      await redis.flushall();
    },
    out: (fleet) => reservationsOf(redis, fleet),
    stop: () => server.stop(),
  };
}

/** Micro-credits of all reservations that this server knows. */
export async function reservationsOf(redis: Redis, fleet: string): Promise<number> {
  const keys = await redis.keys(`${fleet}:*:a:*`);
  const sums = await Promise.all(keys.map((key) => redis.hget(key, "out")));
  return sums.reduce((sum, out) => sum + Number(out), 0);
}

/** Micro-credits of the largest reservation that this server knows. */
export async function largestReservationOf(redis: Redis, fleet: string): Promise<number> {
  const keys = await redis.keys(`${fleet}:*:r:*`);
  const reservations = (await Promise.all(keys.map((key) => redis.hvals(key)))).flat();
  return Math.max(0, ...reservations.map((reservation) => Number(reservation.split(" ")[0])));
}
