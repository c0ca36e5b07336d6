import { chmod, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@creditgate/control-plane";
import { medianOf } from "./comparison.ts";
import { startChild } from "./control-plane/child.ts";
import { type BenchDatabase, openDatabase, type SettlementFigures } from "./control-plane/database.ts";
import { fixture } from "./control-plane/fixture.ts";
import type { LoadAnswer, LoadTask } from "./control-plane/load-process.ts";
import type { ServerTask } from "./control-plane/server-process.ts";
import type { WorkerAnswer, WorkerTask } from "./control-plane/worker-process.ts";
import { createProgress } from "./progress.ts";
import { printTable } from "./table.ts";

/** Single posts come over many connections, as from many requests of gates; batches over few. */
const connections = 64;
const batchConnections = 4;
const batchSize = 500;
const settlementDelayMs = 100;
const rounds = 5;
const roundMs = 4_000;
const backlog = 20_000;

/** What is asked of the control plane; it is printed whether it holds. */
const targets = { ofNoOp: 0.9, ofInsert: 0.5, lagP99Ms: 2_000, hotOfCold: 0.5 };

interface Round {
  readonly noOpPerSecond: number;
  readonly barePerSecond: number;
  readonly insertPerSecond: number;
  /** Reports accepted per second while no worker settles. */
  readonly singlePerSecond: number;
  readonly batchPerSecond: number;
  /** The same while one does, which takes as much of the machine as they do, and how it keeps up. */
  readonly single: Ingested;
  readonly batch: Ingested;
}

/** Usage that came one way in a round, and how it was settled. */
interface Ingested extends SettlementFigures {
  readonly acceptedPerSecond: number;
}

/** Usage accepted and settled by the control plane, beside what its server and its PostgreSQL do at best. */
export async function benchmarkIngest(): Promise<void> {
  const data = await mkdtemp(path.join(tmpdir(), "creditgate-bench-"));
  await chmod(data, 0o755);
  // Durable as in production: commits wait for the disk. The times of commits are kept, to know lags exactly.
  const settings = { track_commit_timestamp: "on", max_wal_size: "4GB" };
  const postgres = await startEmbeddedPostgres({ data, settings });
  try {
    await measure(postgres);
  } finally {
    await postgres.stop();
    await rm(data, { recursive: true, force: true });
  }
}

async function measure({ databaseUrl }: EmbeddedPostgres): Promise<void> {
  const server = startChild<ServerTask, { url: string }>("./server-process.js", {
    databaseUrl,
    settlementDelayMs,
    fixture,
    // One key has all the load.
    rateLimitPerSecond: 0,
  });
  const database = await server
    .answer()
    .then(async ({ url }) => ({ url, ...(await openDatabase(databaseUrl)) }));
  const progress = createProgress(rounds + 1);
  const measured: Round[] = [];
  try {
    for (let round = 0; round <= rounds; round++) {
      const figures = await measureRound(database.url, databaseUrl, database);
      // The first round warms up.
      if (round > 0) measured.push(figures);
      progress(round + 1);
    }
    await server.stop();
    const wallets = await measureWallets(databaseUrl, database);
    print(measured, wallets);
  } finally {
    await server.stop();
    await database.close();
  }
}

const single = { path: "/api/v2/usage", connections };
const batch = { path: "/api/v2/usage/batch", connections: batchConnections, batchSize };

/** In turns, so that whatever disturbs the machine disturbs them all. */
async function measureRound(url: string, databaseUrl: string, database: BenchDatabase): Promise<Round> {
  const noOp = await load({ url, path: "/no-op", connections });
  const bare = await load({ url, path: "/bare", connections });
  const singleAlone = await load({ url, ...single });
  const batchAlone = await load({ url, ...batch });
  const insertPerSecond = await database.insertBare(batchSize, roundMs);
  const worker = startChild<WorkerTask, never>("./worker-process.js", { databaseUrl, untilSettled: false });
  try {
    await settled(database);
    return {
      noOpPerSecond: perSecond(noOp),
      barePerSecond: perSecond(bare),
      insertPerSecond,
      singlePerSecond: perSecond(singleAlone),
      batchPerSecond: perSecond(batchAlone),
      single: await ingest(database, { url, ...single }),
      batch: await ingest(database, { url, ...batch }),
    };
  } finally {
    await worker.stop();
    await database.vacuum();
  }
}

/** Loads while a worker settles, and waits until all of it is settled. */
async function ingest(database: BenchDatabase, task: Omit<LoadTask, "durationMs">): Promise<Ingested> {
  const from = (await database.now()) - 1;
  const answer = await load(task);
  const to = await database.now();
  await settled(database);
  const figures = await database.figures(from, to);
  if (figures.accepted < answer.accepted)
    throw new Error(`Of ${answer.accepted} accepted reports ${figures.accepted} were found.`);
  return { ...figures, acceptedPerSecond: perSecond(answer) };
}

async function settled(database: BenchDatabase): Promise<void> {
  while ((await database.unsettled()) > 0) await setTimeout(50);
}

async function load(task: Omit<LoadTask, "durationMs">): Promise<LoadAnswer> {
  const child = startChild<LoadTask, LoadAnswer>("./load-process.js", { ...task, durationMs: roundMs });
  const answer = await child.answer();
  if (answer.refused > 0) throw new Error(`${answer.refused} reports to ${task.path} were refused.`);
  return answer;
}

function perSecond({ accepted, elapsedMs }: LoadAnswer): number {
  return (accepted * 1_000) / elapsedMs;
}

interface Wallets {
  readonly hot: number;
  readonly cold: number;
}

/** How fast a worker settles a backlog of one wallet, and one of a thousand. */
async function measureWallets(databaseUrl: string, database: BenchDatabase): Promise<Wallets> {
  const rates = { hot: [] as number[], cold: [] as number[] };
  for (let round = 0; round < 3; round++) {
    for (const [name, customers] of [
      ["hot", 1],
      ["cold", 1_000],
    ] as const) {
      await database.storeBacklog(backlog, customers);
      await database.vacuum();
      const worker = startChild<WorkerTask, WorkerAnswer>("./worker-process.js", {
        databaseUrl,
        untilSettled: true,
      });
      const { elapsedMs } = await worker.answer();
      rates[name].push((backlog * 1_000) / elapsedMs);
    }
  }
  return { hot: medianOf(rates.hot), cold: medianOf(rates.cold) };
}

function print(measured: readonly Round[], wallets: Wallets): void {
  const of = (figure: (round: Round) => number) => medianOf(measured.map(figure));
  const noOp = of((round) => round.noOpPerSecond);
  const insert = of((round) => round.insertPerSecond);
  const row = (name: string, value: number) => [
    name,
    value.toFixed(0),
    (value / noOp).toFixed(2),
    (value / insert).toFixed(2),
  ];
  const [singles, batches] = [of((round) => round.singlePerSecond), of((round) => round.batchPerSecond)];
  printTable(
    ["", "per second", "x no-op", "x INSERT"],
    [
      row("no-op route of the same server", noOp),
      row(
        "route that only stores, on node:http",
        of((round) => round.barePerSecond),
      ),
      row(`bare INSERT of ${batchSize} such rows`, insert),
      row("reports in single posts", singles),
      row(`reports in batches of ${batchSize}`, batches),
      row(
        "single posts while a worker settles",
        of((round) => round.single.acceptedPerSecond),
      ),
      row(
        "settled meanwhile",
        of((round) => round.single.settledPerSecond),
      ),
      row(
        "batches while a worker settles",
        of((round) => round.batch.acceptedPerSecond),
      ),
      row(
        "settled meanwhile",
        of((round) => round.batch.settledPerSecond),
      ),
      row("backlog of one wallet, settled by a worker", wallets.hot),
      row("backlog of a thousand wallets", wallets.cold),
    ],
  );
  const p99 = of((round) => round.single.p99Ms);
  console.log(
    `\nSettlement lag, from arrival to commit, of which ${settlementDelayMs} ms are the settlement delay: single posts p50 ${of((round) => round.single.p50Ms).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms; batches, which come faster than they can be settled here, p50 ${of((round) => round.batch.p50Ms).toFixed(0)} ms, p99 ${of((round) => round.batch.p99Ms).toFixed(0)} ms.`,
  );
  console.log(
    `Medians of ${rounds} rounds of ${roundMs / 1_000} s each, in turns, after one to warm up; ${connections} connections for single posts, ${batchConnections} for batches, 2 for the bare INSERT; ${availableParallelism()} cores for load, server, worker and PostgreSQL (fsync on).`,
  );
  const verdict = (name: string, value: number, holds: boolean) =>
    console.log(`${holds ? "within" : "BEYOND"} the target: ${name} ${value.toFixed(2)}`);
  const atLeast = (name: string, value: number, target: number) => verdict(name, value, value >= target);
  const bare = of((round) => round.barePerSecond);
  atLeast("single posts / no-op", singles / noOp, targets.ofNoOp);
  console.log(`no target: single posts / route that only stores ${(singles / bare).toFixed(2)}`);
  atLeast("batches / bare INSERT", batches / insert, targets.ofInsert);
  verdict("lag of single posts, p99 in seconds", p99 / 1_000, p99 < targets.lagP99Ms);
  atLeast("one hot wallet / a thousand cold ones", wallets.hot / wallets.cold, targets.hotOfCold);
}
