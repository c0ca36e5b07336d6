import { initRedisStore } from "@creditgate/redis";
import type { Redis } from "ioredis";
import { startRedis } from "../../packages/redis/test/redis-server.ts";
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
    out: (fleet) => blocksOf(redis, fleet),
    stop: () => server.stop(),
  };
}

/** Micro-credits of all blocks that this server knows. */
export async function blocksOf(redis: Redis, fleet: string): Promise<number> {
  const keys = await redis.keys(`${fleet}:*:a:*`);
  const sums = await Promise.all(keys.map((key) => redis.hget(key, "out")));
  return sums.reduce((sum, out) => sum + Number(out), 0);
}

/** Micro-credits of the largest block that this server knows. */
export async function largestBlockOf(redis: Redis, fleet: string): Promise<number> {
  const keys = await redis.keys(`${fleet}:*:r:*`);
  const blocks = (await Promise.all(keys.map((key) => redis.hvals(key)))).flat();
  return Math.max(0, ...blocks.map((block) => Number(block.split(" ")[0])));
}
