import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as tick } from "node:timers/promises";
import { Redis } from "ioredis";
import { freePort } from "../../../quality/free-port.ts";

const isInstalled = spawnSync("redis-server", ["--version"]).status === 0;
if (!isInstalled && process.env.CI === "true") throw new Error("CI must have redis-server installed");
if (!isInstalled) console.error("redis-server is not installed: the tests that need it are left out");

/** For `describe.skipIf`. */
export const noRedis: boolean = !isInstalled;

/** A server of the test's own, in a folder of its own. */
export interface RedisServer {
  readonly port: number;
  readonly folder: string;
  /** A connection of the server's own, for what a test looks at. */
  readonly redis: Redis;
  /** SIGKILL, as a crash. */
  kill(): Promise<void>;
  /** The same server again, with what it finds in its folder. */
  start(...args: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

export async function startRedis(...args: readonly string[]): Promise<RedisServer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "creditgate-redis-"));
  let child: ChildProcess | undefined;
  const redis = new Redis({
    port,
    lazyConnect: true,
    retryStrategy: () => 20,
    maxRetriesPerRequest: null,
  });
  redis.on("error", () => {});
  const server: RedisServer = {
    port,
    folder,
    redis,
    async start(...more) {
      const base = ["--port", String(port), "--dir", folder, "--save", ""];
      child = spawn("redis-server", [...base, ...args, ...more], { stdio: "ignore" });
      const ended = once(child, "exit").then(([code]) => {
        throw new Error(`redis-server has ended at its start, with ${code}`);
      });
      await Promise.race([redis.ping(), ended]);
    },
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
    async stop() {
      redis.disconnect();
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

/** A cluster of `count` nodes that takes commands. Redis would take the port 10,000 above each for the others: it may be in use. */
export async function startRedisCluster(
  count: number,
  { replicas = 0, args = [] }: { replicas?: number; args?: readonly string[] } = {},
): Promise<readonly RedisServer[]> {
  const buses = await Promise.all(Array.from({ length: count }, freePort));
  const nodes = await Promise.all(
    buses.map((bus) =>
      startRedis("--cluster-enabled", "yes", "--cluster-port", String(bus), "--appendonly", "yes", ...args),
    ),
  );
  const addresses = nodes.map(({ port }, at) => `127.0.0.1:${port}@${buses[at]}`);
  const options = ["--cluster-replicas", String(replicas), "--cluster-yes"];
  const made = spawnSync("redis-cli", ["--cluster", "create", ...addresses, ...options], { timeout: 60_000 });
  if (made.status !== 0) throw new Error(`the cluster cannot be made: ${made.stdout}${made.stderr}`);
  for (const { redis, port } of nodes) {
    const until = Date.now() + 30_000;
    while (!(await redis.cluster("INFO")).includes("cluster_state:ok")) {
      if (Date.now() > until) throw new Error(`the node on port ${port} takes no commands of the cluster`);
      await tick(20);
    }
  }
  return nodes;
}
