// One process of a fleet: it spends a wallet that it shares with others. It is killed, stopped and started again by e2e/fleet.full.test.ts.
import { closeSync, existsSync, openSync, readFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@creditgate/client";
import { createGate, createRunBudget } from "@creditgate/core";
import { createLeasedLedger } from "@creditgate/fleet";

const task = JSON.parse(process.env.TASK);
const { name, customerId, attempts, atOnce, hold, workMs, mostRetries, journal: path, budgets: spent } = task;
const tell = (fact) => process.stdout.write(`${JSON.stringify(fact)}\n`);
const store = await (task.connection.kind === "postgres" ? onPostgres(task) : onRedis(task));
const outbox = task.outbox === "shared" ? store.outbox() : undefined;
const gate = createGate({
  client: createClient({ baseUrl: task.baseUrl, apiKey: task.apiKey }),
  currency: "ai_credits",
  ledger: createLeasedLedger(store.shared, task.lease),
  ...(outbox && { outbox }),
  ...(task.durableHolds && { durableHolds: true, onOrphan: "default", defaultUsage: { model: "cut off" } }),
  ...(task.settlementLagMs !== undefined && { settlementLagMs: task.settlementLagMs }),
});
const commands = createInterface({ input: process.stdin });
const told = new Promise((resolve) => commands.once("line", resolve));
tell({ ready: true });
await told;

// What an earlier process of this name has decided is not tried again.
const decided = new Set(
  existsSync(path) ? readFileSync(path, "utf8").split("\n").map(Number.parseFloat) : [],
);
const journal = openSync(path, "a", 0o600);
let next = 0;
let admitted = 0;
let retried = 0;

/** Two pieces of work fit in each run, and three of them name it. */
const runs = [];

function budgetsOf(number) {
  if (spent === undefined) return undefined;
  const member = number % spent.members;
  const named = [`member:${member}`, `team:${member % spent.teams}`];
  if (number % 5 > 0) return named;
  const index = Math.floor(number / 15);
  runs[index] ??= createRunBudget({ limit: 2 * hold });
  return [...named, runs[index]];
}

/** 503 says that there is no answer yet, `retryable` that others have in hand what this work needs: then it is tried again. */
async function decide(number) {
  const budgets = budgetsOf(number);
  const work = { customerId, agentId: "chat", indicator: "message", hold, ...(budgets && { budgets }) };
  for (let tries = 1; ; ) {
    const decision = await gate.authorize(work);
    if (decision.allowed) return decision;
    const { status, retryable } = decision.denial;
    if (status === 402 && (!retryable || tries++ > mostRetries)) return decision;
    if (status === 402) retried++;
    const restMs = status === 402 ? 300 : 20;
    await sleep(restMs * (0.5 + Math.random()));
  }
}

async function worker() {
  while (next < attempts) {
    const number = next++;
    if (decided.has(number)) continue;
    const { allowed, charge } = await decide(number);
    // Written before the work begins: what is written here is what the application believes.
    writeSync(journal, `${number} ${allowed ? "admitted" : "denied"}\n`);
    if (!allowed) continue;
    tell({ admitted: ++admitted });
    if (workMs > 0) await sleep(workMs * Math.random());
    charge.report({ model: `${name}:${number}` }, { credits: hold });
    await charge.settle();
    writeSync(journal, `${number} settled\n`);
  }
}

await Promise.all(Array.from({ length: atOnce }, worker));
closeSync(journal);
const left = await gate.flush({ timeoutMs: 120_000 });
const { undelivered } = await gate.close();
await outbox?.close();
await store.close();
const overrun = runs.filter((run) => run !== undefined && run.spent > run.limit).length;
tell({ admitted, done: { ...left, undelivered: undelivered.length, retried, overrun } });
commands.close();

async function onRedis({ connection, fleet }) {
  const { createRedisOutbox, createRedisStore } = await import("@creditgate/redis");
  const { Cluster, Redis } = await import("ioredis");
  const options = { maxRetriesPerRequest: null, retryStrategy: () => 50 };
  const redis = {
    redis: () => new Redis(connection.url, options),
    sentinel: () =>
      new Redis({
        ...options,
        sentinels: connection.sentinels,
        name: connection.name,
        sentinelRetryStrategy: () => 50,
      }),
    cluster: () =>
      new Cluster(connection.nodes, {
        clusterRetryStrategy: () => 50,
        retryDelayOnClusterDown: 50,
        redisOptions: options,
      }),
  }[connection.kind]();
  redis.on("error", () => {});
  return {
    shared: createRedisStore({ redis, name: fleet, logger: { error() {} } }),
    outbox: () => createRedisOutbox({ redis, name: fleet, process: name, acceptLoss: true }),
    close: () => redis.disconnect(),
  };
}

async function onPostgres({ connection, fleet }) {
  const { createPostgresOutbox, createPostgresStore } = await import("@creditgate/postgres");
  const { default: pg } = await import("pg");
  const sql = new pg.Pool({ connectionString: connection.url, max: 4 });
  sql.on("error", () => {});
  sql.on("connect", (client) => client.on("error", () => {}));
  return {
    shared: createPostgresStore({ sql, schema: fleet }),
    outbox: () => createPostgresOutbox({ sql, schema: fleet, process: name }),
    close: () => sql.end(),
  };
}
