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
  readonly single: Ingested;
  readonly batch: Ingested;
  readonly insertPerSecond: number;
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
  const worker = startChild<WorkerTask, never>("./worker-process.js", { databaseUrl, untilSettled: false });
  const progress = createProgress(rounds + 1);
  const measured: Round[] = [];
  try {
    for (let round = 0; round <= rounds; round++) {
      const figures = await measureRound(database.url, database);
      // The first round warms up.
      if (round > 0) measured.push(figures);
      progress(round + 1);
    }
    await server.stop();
    await worker.stop();
    const wallets = await measureWallets(databaseUrl, database);
    print(measured, wallets);
  } finally {
    await server.stop();
    await worker.stop();
    await database.close();
  }
}

/** In turns, so that whatever disturbs the machine disturbs them all. */
async function measureRound(url: string, database: BenchDatabase): Promise<Round> {
  const noOp = await load({ url, path: "/no-op", connections });
  const single = await ingest(database, { url, path: "/api/v2/usage", connections });
  const path = "/api/v2/usage/batch";
  const batch = await ingest(database, { url, path, connections: batchConnections, batchSize });
  const insertPerSecond = await database.insertBare(batchSize, roundMs);
  await database.vacuum();
  return { noOpPerSecond: perSecond(noOp), single, batch, insertPerSecond };
}

/** Loads, and waits until all of it is settled, so that the next load has the machine for itself. */
async function ingest(database: BenchDatabase, task: Omit<LoadTask, "durationMs">): Promise<Ingested> {
  const from = (await database.now()) - 1;
  const answer = await load(task);
  const to = await database.now();
  while ((await database.unsettled()) > 0) await setTimeout(50);
  const figures = await database.figures(from, to);
  if (figures.accepted < answer.accepted)
    throw new Error(`Of ${answer.accepted} accepted reports ${figures.accepted} were found.`);
  return { ...figures, acceptedPerSecond: perSecond(answer) };
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
  const ways = { single: "single posts", batch: `batches of ${batchSize}` } as const;
  const figures = (way: keyof typeof ways) => ({
    accepted: of((round) => round[way].acceptedPerSecond),
    settled: of((round) => round[way].settledPerSecond),
    p50: of((round) => round[way].p50Ms),
    p99: of((round) => round[way].p99Ms),
  });
  const [single, batch] = [figures("single"), figures("batch")];
  const row = (name: string, value: number, ...beside: number[]) => [
    name,
    value.toFixed(0),
    ...beside.map((other) => (value / other).toFixed(2)),
  ];
  printTable(
    ["", "per second", "x no-op", "x INSERT"],
    [
      row("no-op route of the same server", noOp, noOp, insert),
      row("bare INSERT of the same rows", insert, noOp, insert),
      row("reports in single posts", single.accepted, noOp, insert),
      row("settled meanwhile", single.settled, noOp, insert),
      row(`reports in ${ways.batch}`, batch.accepted, noOp, insert),
      row("settled meanwhile", batch.settled, noOp, insert),
      row("backlog of one wallet, settled by a worker", wallets.hot, noOp, insert),
      row("backlog of a thousand wallets", wallets.cold, noOp, insert),
    ],
  );
  for (const [name, { p50, p99 }] of [
    [ways.single, single],
    [ways.batch, batch],
  ] as const) {
    console.log(
      `\nSettlement lag of ${name}, from arrival to commit: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, of which ${settlementDelayMs} ms are the settlement delay.`,
    );
  }
  console.log(
    `Medians of ${rounds} rounds of ${roundMs / 1_000} s each, in turns, after one to warm up; ${connections} connections for single posts, ${batchConnections} for batches, 2 for the bare INSERT; ${availableParallelism()} cores for load, server, worker and PostgreSQL (fsync on).`,
  );
  const verdict = (name: string, value: number, holds: boolean) =>
    console.log(`${holds ? "within" : "BEYOND"} the target: ${name} ${value.toFixed(2)}`);
  const atLeast = (name: string, value: number, target: number) => verdict(name, value, value >= target);
  atLeast("single posts / no-op", single.accepted / noOp, targets.ofNoOp);
  atLeast("batches / bare INSERT", batch.accepted / insert, targets.ofInsert);
  verdict("lag of single posts, p99 in seconds", single.p99 / 1_000, single.p99 < targets.lagP99Ms);
  verdict("lag of batches, p99 in seconds", batch.p99 / 1_000, batch.p99 < targets.lagP99Ms);
  atLeast("one hot wallet / a thousand cold ones", wallets.hot / wallets.cold, targets.hotOfCold);
}
