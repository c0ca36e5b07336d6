import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { initRedisStore } from "@creditgate/redis";
import { Redis } from "ioredis";
import { expect, vi } from "vitest";
import { type RedisServer, startRedis } from "../../../packages/redis/test/redis-server.ts";
import { freePort } from "../../free-port.ts";
import { reservationsOf } from "./redis-stores.ts";
import type { StoreServer } from "./store-server.ts";
import { type SwitchProxy, startSwitchProxy } from "./switch-proxy.ts";

const patience = { timeout: 30_000 };

/** A primary and its replica. */
export interface RedisPair extends StoreServer {
  readonly primary: RedisServer;
  readonly replica: RedisServer;
  /** Two addresses that lead to the primary at first; `connection` is the first of them. */
  readonly proxies: readonly [SwitchProxy, SwitchProxy];
}

export async function startRedisPair(...args: readonly string[]): Promise<RedisPair> {
  const [primary, replica] = await startReplicated(...args);
  const proxies = [await startSwitchProxy(primary.port), await startSwitchProxy(primary.port)] as const;
  return {
    primary,
    replica,
    proxies,
    connection: { kind: "redis", url: `redis://127.0.0.1:${proxies[0].port}` },
    async init(fleet) {
      await initRedisStore({ redis: primary.redis, name: fleet });
      await primary.redis.wait(1, 30_000);
    },
    out: (fleet) => reservationsOf(replica.redis, fleet),
    async stop() {
      await Promise.all(proxies.map((proxy) => proxy.close()));
      await Promise.all([primary.stop(), replica.stop()]);
    },
  };
}

/** A primary, its replica, and a Sentinel that makes the one of the other when it is gone. */
export interface WatchedPair extends StoreServer {
  readonly primary: RedisServer;
}

export async function startSentinel(): Promise<WatchedPair> {
  const [primary, replica] = await startReplicated();
  const folder = mkdtempSync(join(tmpdir(), "creditgate-sentinel-"));
  const port = await freePort();
  const name = "fleet";
  const config = join(folder, "sentinel.conf");
  writeFileSync(
    config,
    [
      `port ${port}`,
      `dir ${folder}`,
      `sentinel monitor ${name} 127.0.0.1 ${primary.port} 1`,
      `sentinel down-after-milliseconds ${name} 500`,
      `sentinel failover-timeout ${name} 3000`,
    ].join("\n"),
  );
  const child: ChildProcess = spawn("redis-server", [config, "--sentinel"], { stdio: "ignore" });
  const sentinel = new Redis({ port, retryStrategy: () => 20, maxRetriesPerRequest: null });
  sentinel.on("error", () => {});
  await vi.waitFor(async () => {
    const replicas = await sentinel.call("SENTINEL", "REPLICAS", name);
    expect(JSON.stringify(replicas)).toContain(`"${replica.port}"`);
    expect(JSON.stringify(replicas)).toContain('"master-link-status","ok"');
  }, patience);
  return {
    primary,
    connection: { kind: "sentinel", sentinels: [{ host: "127.0.0.1", port }], name },
    async init(fleet) {
      await initRedisStore({ redis: primary.redis, name: fleet });
      await primary.redis.wait(1, 30_000);
    },
    out: (fleet) => reservationsOf(replica.redis, fleet),
    async stop() {
      sentinel.disconnect();
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      await Promise.all([primary.stop(), replica.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startReplicated(...args: readonly string[]): Promise<readonly [RedisServer, RedisServer]> {
  const primary = await startRedis("--appendonly", "yes", "--repl-diskless-sync-delay", "0", ...args);
  const replica = await startRedis("--appendonly", "yes", "--replicaof", "127.0.0.1", String(primary.port));
  await vi.waitFor(async () => {
    expect(await replica.redis.info("replication")).toContain("master_link_status:up");
    // The primary counts it from its first word on.
    expect(await primary.redis.info("replication")).toContain("state=online");
  }, patience);
  return [primary, replica];
}
