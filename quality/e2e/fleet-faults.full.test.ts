import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pass } from "node:timers/promises";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import type { StoredReservation } from "@creditgate/fleet/operator";
import { listReservations as listPostgresReservations } from "@creditgate/postgres";
import { listReservations as listRedisReservations } from "@creditgate/redis";
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noRedis, type RedisServer, startRedis } from "../../packages/redis/test/redis-server.ts";
import {
  expectBilledOnce,
  expectExact,
  expectNothingLeft,
  readFleetBooks,
  summaryOf,
} from "./fleet/fleet-audit.ts";
import { type FleetFault, type FleetSize, type FleetTrial, runFleetTrial } from "./fleet/fleet-trial.ts";
import { type PostgresPair, startPostgresPair } from "./fleet/postgres-pairs.ts";
import { startPostgresStore } from "./fleet/postgres-stores.ts";
import { startRedisCluster } from "./fleet/redis-clusters.ts";
import { startRedisPair, startSentinel } from "./fleet/redis-pairs.ts";
import { largestReservationOf, reservationsOf, startRedisStore } from "./fleet/redis-stores.ts";
import type { Connection, SpenderTask } from "./fleet/spender.ts";
import type { FragileServer, StoreServer } from "./fleet/store-server.ts";
import { fixtureOf } from "./gated-api.ts";

/** `npm run test:fleet` plays all of them, several times; the tests some of them once, and do not declare the others. */
const isShort = process.env.CREDITGATE_FLEET_RUNS === undefined;
const undeclared = Object.assign(() => {}, { each: () => () => {} }) as unknown as typeof it;
const itInFull = isShort ? undeclared : it;
const runs = isShort ? 1 : Math.min(5, Number(process.env.CREDITGATE_FLEET_RUNS));
const size: FleetSize = { processes: 3, attempts: 200, funds: 2_100, hold: 7, atOnce: 25, leaseMs: 500 };
const affordable = size.funds / size.hold;
const hold = size.hold * 1e6;

let controlPlane: TestControlPlane;
let folder: string;
let trials = 0;
const customers = 40 * runs;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "creditgate-fleet-"));
  const wallet = { kind: "prepaid", currency: "ai_credits", available: size.funds } as const;
  const wallets = Array.from({ length: customers }, (_, at) => [`customer-${at}`, wallet] as const);
  controlPlane = await startControlPlane({
    fixture: fixtureOf(Object.fromEntries(wallets), { message: size.hold }),
  });
});
afterAll(async () => {
  await controlPlane?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

function trialOf<Server extends StoreServer>(server: Server, fault: FleetFault<Server>): FleetTrial<Server> {
  const at = trials++;
  expect(at).toBeLessThan(customers);
  return {
    size,
    server,
    controlPlane,
    customerId: `customer-${at}`,
    fleet: `trial_${at}`,
    folder,
    leases: true,
    fault,
    strikesAt: Math.floor(affordable / 5),
    victim: 0,
  };
}

async function withServer<Server extends StoreServer>(
  start: () => Promise<Server>,
  run: (server: Server) => Promise<string>,
): Promise<void> {
  for (let turn = 0; turn < runs; turn++) {
    const server = await start();
    try {
      const summary = await run(server);
      if (!isShort) console.info(`${expect.getState().currentTestName}: ${summary}`);
    } finally {
      await server.stop();
    }
  }
}

/** Nothing is overspent, lost or billed twice. */
async function exact<Server extends StoreServer>(server: Server, fault: FleetFault<Server>): Promise<string> {
  const trial = trialOf(server, fault);
  return expectExact(trial, await runFleetTrial(trial));
}

/** Nothing is lost or billed twice, and overspending is within the bound: micro-credits, known when the fault has struck. */
async function bounded<Server extends StoreServer>(
  server: Server,
  fault: FleetFault<Server>,
  bound: () => number,
): Promise<string> {
  const trial = trialOf(server, fault);
  const outcome = await runFleetTrial(trial);
  const books = await readFleetBooks(trial);
  expectBilledOnce(books, outcome);
  expectNothingLeft(trial, { ...outcome, stranded: 0 });
  expect(books.overspent * 1e6).toBeLessThanOrEqual(bound());
  return `${summaryOf(outcome, books)}; the bound is ${bound() / 1e6}`;
}

describe.skipIf(noRedis)("a fleet on Redis stays exact", () => {
  it("when Sentinel makes a replica of a dead primary the primary", () =>
    withServer(startSentinel, (server) =>
      exact(server, { title: "failover", strike: ({ trial }) => trial.server.primary.kill() }),
    ));

  it("when an operator promotes a replica that has not heard everything", () =>
    withServer(startRedisPair, (server) =>
      exact(server, {
        title: "promotion",
        async strike({ trial: { server, strikesAt }, until }) {
          await server.replica.redis.replicaof("NO", "ONE");
          await until(2 * strikesAt);
          await server.primary.kill();
          server.proxies[0].lead(server.replica.port);
        },
      }),
    ));

  itInFull("when it comes back with an older RDB", () =>
    withServer(startOlder, (server) =>
      exact(server, {
        title: "an older RDB",
        async strike({ trial: { server, strikesAt }, until }) {
          await server.redis.redis.save();
          await until(2 * strikesAt);
          await server.redis.kill();
          await server.redis.start();
        },
      }),
    ),
  );

  itInFull("when it comes back with nothing at all", () =>
    withServer(startOlder, (server) =>
      exact(server, {
        title: "an empty restart",
        async strike({ trial: { server } }) {
          await server.redis.kill();
          await server.redis.start();
        },
      }),
    ),
  );

  itInFull("when a node of a cluster dies and its replica takes its place", () =>
    withServer(startRedisCluster, (server) =>
      exact(server, {
        title: "a failover in a cluster",
        strike: ({ trial }) => trial.server.killPrimaryOf(trial.fleet),
      }),
    ),
  );
});

/** Without an append-only file. */
async function startOlder(): Promise<StoreServer & { readonly redis: RedisServer }> {
  const redis = await startRedis();
  return {
    redis,
    connection: { kind: "redis", url: `redis://127.0.0.1:${redis.port}` },
    // An epoch of its own begins with the first word: there is nobody to wait for.
    init: async () => {},
    out: (fleet) => reservationsOf(redis.redis, fleet),
    stop: () => redis.stop(),
  };
}

describe("a fleet on PostgreSQL stays exact", () => {
  it("when an operator promotes a replica that has not heard everything", () =>
    withServer(startPostgresPair, (server) =>
      exact<PostgresPair>(server, {
        title: "promotion",
        async strike({ trial: { server, strikesAt }, until }) {
          await server.cluster.cutOff();
          await until(2 * strikesAt);
          await server.cluster.stopPrimary();
          await server.cluster.promote();
          server.lead();
        },
      }),
    ));

  itInFull.each([
    ["forward", 5_000],
    ["back", -1_000],
  ])("when the server's clock steps %s", (_, byMs) =>
    withServer(startPostgresStore, (server) =>
      exact(server, { title: "a clock that steps", strike: ({ trial }) => stepClock(trial, byMs) }),
    ),
  );
});

/** From now on the clock of the store is another one. */
async function stepClock({ server, fleet }: FleetTrial, byMs: number): Promise<void> {
  if (server.connection.kind !== "postgres") throw new Error("only PostgreSQL's clock can be set here");
  const database = new pg.Client({ connectionString: server.connection.url });
  await database.connect();
  await database.query(
    `create or replace function ${fleet}.clock() returns bigint language sql volatile as
       'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint + ${byMs}'`,
  );
  await database.end();
}

/** Nothing outlasts a process; what one has that is silent counts as spent after a second. */
const forgetful: Partial<SpenderTask> = {
  outbox: "memory",
  lease: { leaseMs: size.leaseMs, abandonMs: 1_000 },
  settlementLagMs: 300,
};

const fragileStores: [string, () => Promise<FragileServer>][] = [
  ["Redis", startRedisStore],
  ...(isShort ? [] : [["PostgreSQL", startPostgresStore] satisfies [string, () => Promise<FragileServer>]]),
];

describe.each(fragileStores)("a fleet on %s overspends no more than the bound", (store, start) => {
  const isRedis = store === "Redis";
  const itRuns = it.skipIf(isRedis && noRedis);
  const itInFull = isShort ? undeclared : itRuns;

  itInFull("when it is emptied while a process is stopped: what that one had in use", () => {
    let bound = 0;
    return withServer(start, (server) =>
      bounded(
        server,
        {
          title: "emptied",
          task: { workMs: 100 },
          async strike({ trial, stopVictim, until }) {
            const stopped = stopVictim(6 * size.leaseMs);
            bound = await largestReservation(trial);
            await trial.server.empty(trial.fleet);
            await until(affordable);
            await stopped;
          },
        },
        () => bound,
      ),
    );
  });

  itRuns(
    "when a process without a lasting outbox is stopped until it is given up: what it had in use",
    () => {
      let bound = 0;
      return withServer(start, (server) =>
        bounded(
          server,
          {
            title: "stopped",
            task: forgetful,
            async strike({ trial, stopVictim }) {
              const stopped = stopVictim(3_000);
              bound = await largestReservation(trial);
              await stopped;
            },
          },
          () => bound,
        ),
      );
    },
  );

  itInFull("when a process without a lasting outbox is killed: nothing", () =>
    withServer(start, async (server) => {
      let had = 0;
      const trial = trialOf<FragileServer>(server, {
        title: "killed",
        task: forgetful,
        async strike({ trial, killVictim, replaceVictim }) {
          await killVictim();
          had = await largestReservation(trial);
          await replaceVictim();
        },
      });
      const outcome = await runFleetTrial(trial);
      const books = await readFleetBooks(trial);
      expect([...books.counts.values()].every((count) => count === 1)).toBe(true);
      expect(books.overspent).toBe(0);
      const lost = outcome.admitted.filter((model) => !books.counts.has(model));
      expect(lost.every((model) => model.startsWith("web-0:"))).toBe(true);
      expect(lost.length * hold).toBeLessThanOrEqual(had);
      return `${summaryOf(outcome, books)}; ${lost.length} were let in and died with their process`;
    }),
  );
});

const describeInFull = isShort ? () => {} : describe.skipIf(noRedis);

describeInFull("a fleet on Redis overspends no more than the bound", () => {
  itInFull("in a split brain: what was left when it began", () => {
    let bound = 0;
    return withServer(startRedisPair, (server) =>
      bounded(
        server,
        {
          title: "split brain",
          // The part that the other store has is never given back.
          task: { mostRetries: 2 },
          connectionOf: (index) => ({
            kind: "redis",
            url: `redis://127.0.0.1:${server.proxies[index === 0 ? 0 : 1].port}`,
          }),
          async strike({ trial: { server, strikesAt } }) {
            // One process goes on with the old primary.
            await server.replica.redis.replicaof("NO", "ONE");
            server.proxies[1].lead(server.replica.port);
            bound = size.funds * 1e6 - strikesAt * hold;
          },
        },
        () => bound,
      ),
    );
  });

  itInFull("in a split brain whose old primary takes no writes: what the process had that is cut off", () => {
    let bound = 0;
    const start = () => startRedisPair("--min-replicas-to-write", "1");
    return withServer(start, (server) =>
      bounded(
        server,
        {
          title: "split brain",
          connectionOf: (index) => ({
            kind: "redis",
            url: `redis://127.0.0.1:${server.proxies[index === 0 ? 0 : 1].port}`,
          }),
          async strike({ trial, until }) {
            const { server, fleet } = trial;
            await server.replica.redis.replicaof("NO", "ONE");
            server.proxies[1].lead(server.replica.port);
            // The others get all but what the process has that is cut off, which decides nothing meanwhile.
            const cutOff = await largestReservationOf(server.replica.redis, fleet);
            await until(affordable - Math.ceil(cutOff / hold));
            bound = await largestReservationOf(server.primary.redis, fleet);
            await pass(3 * size.leaseMs);
            server.proxies[0].lead(server.replica.port);
          },
        },
        () => bound,
      ),
    );
  });
});

async function largestReservation({ server, fleet }: FleetTrial): Promise<number> {
  const reservations = await reservationsOfStore(server.connection, fleet);
  return Math.max(0, ...reservations.map(({ credits }) => Math.round(credits * 1e6)));
}

async function reservationsOfStore(
  connection: Connection,
  fleet: string,
): Promise<readonly StoredReservation[]> {
  if (connection.kind === "redis") {
    const redis = new Redis(connection.url);
    return listRedisReservations({ redis, name: fleet }).finally(() => redis.disconnect());
  }
  if (connection.kind !== "postgres") throw new Error("only one server is asked here");
  const sql = new pg.Pool({ connectionString: connection.url, max: 1 });
  return listPostgresReservations({ sql, schema: fleet }).finally(() => sql.end());
}
