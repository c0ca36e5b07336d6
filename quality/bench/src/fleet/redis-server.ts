import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { Redis } from "ioredis";

/** For `describe.skipIf`, and for what is left out. */
export const hasRedis: boolean = spawnSync("redis-server", ["--version"]).status === 0;

/** A Redis of the benchmark's own. It writes nothing to a disk, which is kindest to what asks it for each decision. */
export interface RedisServer {
  readonly url: string;
  /** A connection of the server's own, for what is looked at. */
  readonly redis: Redis;
  stop(): Promise<void>;
}

export async function startRedisServer(): Promise<RedisServer> {
  if (!hasRedis)
    throw new Error("redis-server: expected it to be installed, as by apt-get install redis-server");
  const port = await freePort();
  const folder = await mkdtemp(path.join(tmpdir(), "creditgate-bench-"));
  const args = ["--port", String(port), "--dir", folder, "--save", "", "--appendonly", "no"];
  const child = spawn("redis-server", args, { stdio: "ignore" });
  const ended = once(child, "exit");
  const redis = new Redis({ port, retryStrategy: () => 20, maxRetriesPerRequest: null });
  // Refused until the server listens.
  redis.on("error", () => {});
  await redis.ping();
  return {
    url: `redis://127.0.0.1:${port}`,
    redis,
    async stop() {
      redis.disconnect();
      child.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

/** The scripts that its clients have asked for since it started: each is a round trip, and what is measured here makes no others. */
export async function scriptsRun(redis: Redis): Promise<number> {
  const statistics = await redis.info("commandstats");
  const counts = [...statistics.matchAll(/^cmdstat_(?:eval|evalsha):calls=(\d+)/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (typeof address !== "object" || address === null) throw new Error("no port is free");
  return address.port;
}
