import { invalidOption } from "@creditgate/core/adapter";
import { type OperatedStore, runStoreProgram, type Terminal } from "@creditgate/fleet/operator";
import { ConnectionTrouble, RedisError } from "./connection-trouble.ts";
import { initRedisStore, listReservations, operateRedisOutbox, resolveReservation } from "./operators.ts";
import type { IoredisClient, NodeRedisClient, RedisClient } from "./redis-client.ts";

const optionsUsage = `  --url URL     the server, such as redis://127.0.0.1:6379          (REDIS_URL)
  --cluster     it is one of the nodes of a cluster
  --name NAME   that of createRedisStore or createRedisOutbox (default)
  --key-prefix PREFIX   the keyPrefix of the application's client of ioredis
`;

/** Runs `creditgate redis` with what follows it; resolves with the exit code: 1 if it could not, 2 for wrong input. */
export function main(args: readonly string[], terminal: Terminal): Promise<number> {
  const program = {
    name: "creditgate redis",
    options: {
      url: { type: "string" },
      cluster: { type: "boolean" },
      name: { type: "string" },
      "key-prefix": { type: "string" },
    },
    optionsUsage,
    migrates: false,
    async open(command, { process }, use) {
      const url = command.text("url") ?? process.env.REDIS_URL;
      if (!url)
        invalidOption("--url", "the URL of a server, such as redis://127.0.0.1:6379, or REDIS_URL", url);
      if (/^(?!rediss?:)\w+:\/\//.test(url))
        invalidOption("--url", "redis:// or rediss:// before the server", url.split("://", 1).join());
      const { redis, close } = await connect(url, command.flag("cluster"), command.text("key-prefix"));
      try {
        const name = command.text("name");
        await use(operated({ redis, ...(name !== undefined && { name }) }));
      } finally {
        close();
      }
    },
  } satisfies Parameters<typeof runStoreProgram>[0];
  return runStoreProgram(program, args, terminal);
}

function operated(place: { readonly redis: RedisClient; readonly name?: string }): OperatedStore {
  return {
    ledger: {
      init: () => initRedisStore(place),
      list: () => listReservations(place),
      resolve: (account, process) => resolveReservation(place, account, process),
    },
    outbox: operateRedisOutbox(place),
  };
}

interface Connected {
  readonly redis: RedisClient;
  close(): void;
}

type Ioredis = IoredisClient & {
  connect(): Promise<void>;
  disconnect(): void;
  on(name: "error", listener: () => void): unknown;
};

/** As much of ioredis as the command line uses. */
interface IoredisModule {
  readonly Redis: new (url: string, options: object) => Ioredis;
  readonly Cluster: new (nodes: readonly string[], options: object) => Ioredis;
}

type NodeRedis = NodeRedisClient & {
  connect(): Promise<unknown>;
  destroy(): void;
  on(name: "error", listener: () => void): unknown;
};

/** As much of node-redis. */
interface NodeRedisModule {
  createClient(options: object): NodeRedis;
  createCluster(options: object): NodeRedis;
}

/** Uses the installed client: only the command line needs one of its own. An unreachable server is reported at once. */
async function connect(url: string, cluster: boolean, keyPrefix: string | undefined): Promise<Connected> {
  const ioredis = await load<IoredisModule>("ioredis");
  if (ioredis !== undefined) {
    const options = {
      lazyConnect: true,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
      ...(keyPrefix !== undefined && { keyPrefix }),
    };
    const redis = cluster
      ? new ioredis.Cluster([url], {
          lazyConnect: true,
          clusterRetryStrategy: () => null,
          redisOptions: options,
        })
      : new ioredis.Redis(url, options);
    await open(redis);
    return { redis, close: () => redis.disconnect() };
  }
  const nodeRedis = await load<NodeRedisModule>("redis");
  if (nodeRedis === undefined)
    return invalidOption(
      "redis",
      "ioredis or redis to be installed beside this package (npm install ioredis)",
      "none",
    );
  if (keyPrefix !== undefined) invalidOption("--key-prefix", "ioredis to be installed", "redis alone");
  const socket = { reconnectStrategy: false };
  const redis = cluster
    ? nodeRedis.createCluster({ rootNodes: [{ url }], defaults: { socket } })
    : nodeRedis.createClient({ url, socket });
  await open(redis);
  return { redis, close: () => redis.destroy() };
}

/** What ioredis rejects with does not say why there is no connection. */
async function open(redis: Ioredis | NodeRedis): Promise<void> {
  redis.on("error", () => {});
  const trouble = ConnectionTrouble.of(redis);
  trouble.listen();
  await redis.connect().catch((error: unknown) => {
    if (trouble.cause === undefined) throw error;
    throw new RedisError("unreachable", "Redis cannot be reached", trouble.cause);
  });
}

/** `undefined` where the package is not installed. */
async function load<T>(name: string): Promise<T | undefined> {
  try {
    return (await import(name)) as T;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
