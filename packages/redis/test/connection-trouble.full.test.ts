import { EventEmitter } from "node:events";
import { createRedisOutbox, createRedisStore, type RedisClient } from "@creditgate/redis";
import { Cluster, Redis } from "ioredis";
import { createClient } from "redis";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../quality/free-port.ts";
import { requestOf } from "./requests.ts";

const request = requestOf("p", 1);

/** By the client, one that has no server on the port, and whose caller listens to its errors. */
const unconnected: Readonly<Record<string, (port: number) => RedisClient>> = {
  ioredis(port) {
    return closedLater(new Redis(port, { retryStrategy: () => 10 }));
  },
  "ioredis, which gives up": (port) => {
    return closedLater(new Redis(port, { retryStrategy: () => 10, maxRetriesPerRequest: 1 }));
  },
  "node-redis": (port) => {
    const redis = createClient({ url: `redis://127.0.0.1:${port}`, socket: { reconnectStrategy: 10 } });
    redis.on("error", () => {});
    void redis.connect().catch(() => {});
    onTestFinished(() => redis.destroy());
    return redis;
  },
};

function closedLater<Client extends Redis | Cluster>(redis: Client): Client {
  redis.on("error", () => {});
  onTestFinished(() => redis.disconnect());
  return redis;
}

describe("a client without a connection", () => {
  it("of a cluster is told by the node, of which ioredis knows no more", async () => {
    const port = await freePort();
    const redis = new Cluster([{ host: "127.0.0.1", port }], { clusterRetryStrategy: () => 10 });
    const store = createRedisStore({ redis: closedLater(redis), timeoutMs: 500 });
    await expect(store.exchange("a", request)).rejects.toMatchObject({
      code: "timeout",
      message: `Redis has not answered in 500 ms: node 127.0.0.1:${port}: Connection is closed.`,
    });
  });

  it.each(Object.entries(unconnected))("is told with its cause: %s", async (_, connect) => {
    const port = await freePort();
    const store = createRedisStore({ redis: connect(port), timeoutMs: 500 });
    await expect(store.exchange("a", request)).rejects.toMatchObject({
      name: "RedisError",
      code: expect.stringMatching(/^(timeout|unreachable)$/),
      message: expect.stringContaining(`: connect ECONNREFUSED 127.0.0.1:${port}`),
      cause: expect.objectContaining({ code: "ECONNREFUSED" }),
    });
  });

  it.each([
    ["READONLY You can't write against a read only replica.", "address of the primary"],
    ["OOM command not allowed when used memory > 'maxmemory'.", "raise that"],
  ])("is told what to do where the server takes no writes: %s", async (refusal, fix) => {
    const redis = { call: () => Promise.reject(new Error(refusal)) };
    await expect(createRedisOutbox({ redis }).next(1)).rejects.toMatchObject({
      code: "unsafe_server",
      message: expect.stringMatching(new RegExp(`${fix}.*: ${refusal.split(" ", 1)}`)),
    });
  });

  it("has a cause in words where Node gives none, and none any more when it was answered", async () => {
    const redis = Object.assign(new EventEmitter(), { call: async (): Promise<unknown> => "{}" });
    redis.on("error", () => {});
    const outbox = createRedisOutbox({ redis, timeoutMs: 100 });
    const refused = new Error("connect ECONNREFUSED ::1:6379");
    redis.call = () => {
      redis.emit("error", new AggregateError([refused]));
      return new Promise(() => {});
    };
    await expect(outbox.next(1)).rejects.toThrow("in 100 ms: connect ECONNREFUSED ::1:6379");
    redis.emit("ready");
    redis.call = () => Promise.reject(new Error("ERR of the server"));
    await expect(outbox.next(1)).rejects.toThrow(/^ERR of the server$/);
  });

  it("keeps what it does with an error that nobody hears", async () => {
    const redis = Object.assign(new EventEmitter(), { call: async (): Promise<unknown> => "{}" });
    await createRedisStore({ redis })
      .exchange("a", request)
      .catch(() => {});
    expect(redis.listenerCount("error")).toBe(0);
  });
});
