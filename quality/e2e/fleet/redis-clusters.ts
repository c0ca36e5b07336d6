import { initRedisStore } from "@creditgate/redis";
import { Cluster } from "ioredis";
import { expect, vi } from "vitest";
import {
  type RedisServer,
  startRedisCluster as startNodes,
} from "../../../packages/redis/test/redis-server.ts";
import { reservationsOf } from "./redis-stores.ts";
import type { StoreServer } from "./store-server.ts";

const patience = { timeout: 60_000 };

/** Three primaries, each with a replica that takes its place. */
export interface ClusterServer extends StoreServer {
  /** kill -9 of the primary that has the wallet of this fleet. */
  killPrimaryOf(fleet: string): Promise<void>;
}

export async function startRedisCluster(): Promise<ClusterServer> {
  const nodes = await startNodes(6, { replicas: 1, args: ["--cluster-node-timeout", "1000"] });
  for (const { redis } of nodes) {
    await vi.waitFor(async () => {
      const replication = await redis.info("replication");
      expect(replication).toMatch(/role:master|master_link_status:up/);
    }, patience);
  }
  const dead = new Set<RedisServer>();
  const isPrimary = async ({ redis }: RedisServer) =>
    (await redis.info("replication")).includes("role:master");
  const living = () => nodes.filter((node) => !dead.has(node));
  return {
    connection: { kind: "cluster", nodes: nodes.map(({ port }) => ({ host: "127.0.0.1", port })) },
    async init(fleet) {
      const redis = new Cluster(nodes.map(({ port }) => ({ host: "127.0.0.1", port })));
      await initRedisStore({ redis, name: fleet });
      redis.disconnect();
    },
    async killPrimaryOf(fleet) {
      for (const node of living()) {
        const keys = await node.redis.keys(`${fleet}:*:a:*`);
        if (keys.length === 0 || !(await isPrimary(node))) continue;
        dead.add(node);
        await node.kill();
        return;
      }
      throw new Error("no node has the wallet");
    },
    async out(fleet) {
      let sum = 0;
      for (const node of living()) if (await isPrimary(node)) sum += await reservationsOf(node.redis, fleet);
      return sum;
    },
    stop: async () => void (await Promise.all(nodes.map((node) => node.stop()))),
  };
}
