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

const connections = 64;
const settlementDelayMs = 100;
const rounds = 5;
const roundMs = 4_000;
const backlog = 20_000;

/** What is asked of the control plane; it is printed whether it holds. */
const targets = { ofNoOp: 0.5, settledOfAccepted: 0.95, lagP99Ms: 2_000, hotOfCold: 0.5 };

interface Round extends SettlementFigures {
  readonly noOpPerSecond: number;
  readonly acceptedPerSecond: number;
  readonly insertPerSecond: number;
}

/** Usage accepted and settled by the control plane, beside what its server and its PostgreSQL do at best. */
export async function benchmarkControlPlane(): Promise<void> {
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
  const noOp = await load(url, "/no-op");
  const from = (await database.now()) - 1;
  const usage = await load(url, "/api/v2/usage");
  const to = await database.now();
  while ((await database.unsettled()) > 0) await setTimeout(50);
  const figures = await database.figures(from, to);
  if (figures.accepted < usage.accepted)
    throw new Error(`Of ${usage.accepted} accepted reports ${figures.accepted} were found.`);
  const insertPerSecond = await database.insertBare(connections, roundMs);
  await database.vacuum();
  return {
    ...figures,
    noOpPerSecond: perSecond(noOp),
    acceptedPerSecond: perSecond(usage),
    insertPerSecond,
  };
}

async function load(url: string, path: string): Promise<LoadAnswer> {
  const task: LoadTask = { url, path, connections, durationMs: roundMs };
  const answer = await startChild<LoadTask, LoadAnswer>("./load-process.js", task).answer();
  if (answer.refused > 0) throw new Error(`${answer.refused} requests to ${path} were refused.`);
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
  const of = (name: keyof Round) => medianOf(measured.map((round) => round[name]));
  const [noOp, accepted, settled] = [of("noOpPerSecond"), of("acceptedPerSecond"), of("settledPerSecond")];
  const rate = (value: number) => [value.toFixed(0), (value / noOp).toFixed(2)];
  printTable(
    ["", "per second", "x no-op"],
    [
      ["no-op route of the same server", ...rate(noOp)],
      ["usage accepted", ...rate(accepted)],
      ["usage settled meanwhile", ...rate(settled)],
      [`bare INSERT of ${connections} rows`, ...rate(of("insertPerSecond"))],
      [`backlog of one wallet, settled by a worker`, ...rate(wallets.hot)],
      [`backlog of a thousand wallets`, ...rate(wallets.cold)],
    ],
  );
  const [p50, p99] = [of("p50Ms"), of("p99Ms")];
  console.log(
    `\nSettlement lag, from arrival to commit: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, of which ${settlementDelayMs} ms are the settlement delay.`,
  );
  console.log(
    `Medians of ${rounds} rounds of ${roundMs / 1_000} s each, in turns, after one to warm up; one report per POST over ${connections} connections, ${availableParallelism()} cores for load, server, worker and PostgreSQL (fsync on).`,
  );
  const verdict = (name: string, value: number, holds: boolean) =>
    console.log(`${holds ? "within" : "BEYOND"} the target: ${name} ${value.toFixed(2)}`);
  verdict("accepted / no-op", accepted / noOp, accepted / noOp >= targets.ofNoOp);
  verdict("settled / accepted", settled / accepted, settled / accepted >= targets.settledOfAccepted);
  verdict("lag p99 in seconds", p99 / 1_000, p99 < targets.lagP99Ms);
  verdict(
    "one hot wallet / a thousand cold ones",
    wallets.hot / wallets.cold,
    wallets.hot / wallets.cold >= targets.hotOfCold,
  );
}
