import { chmod, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { startEmbeddedPostgres, startServer } from "@creditgate/control-plane";
import { medianOf } from "./comparison.ts";
import { type Child, startChild } from "./control-plane/child.ts";
import { fixture } from "./control-plane/fixture.ts";
import type { ServerTask } from "./control-plane/server-process.ts";
import type { DisturbanceTask } from "./isolation/disturbance-process.ts";
import { type Disturbance, disturbances } from "./isolation/disturbances.ts";
import { neighbour } from "./isolation/neighbour.ts";
import type { NeighbourAnswer, NeighbourTask } from "./isolation/neighbour-process.ts";
import { createProgress } from "./progress.ts";
import { printTable } from "./table.ts";

const rounds = 3;
const roundMs = 4_000;
/** How many times as long the 99th percentile of others may take. */
const target = 3;

interface Figures extends NeighbourAnswer {
  /** The p99 beside the one of the quiet rounds right before and after. */
  readonly ratio: number;
}

/** What one organisation does wrong or too much, and how long the requests of another take meanwhile. */
export async function benchmarkIsolation(): Promise<void> {
  const data = await mkdtemp(path.join(tmpdir(), "creditgate-bench-"));
  await chmod(data, 0o755);
  const postgres = await startEmbeddedPostgres({ data, settings: { max_wal_size: "4GB" } });
  try {
    const { databaseUrl } = postgres;
    await (await startServer({ databaseUrl, port: 0, fixture: neighbour })).stop();
    const task: ServerTask = { databaseUrl, fixture, settlementDelayMs: 1_000, rateLimitPerSecond: 1_000 };
    const server = startChild<ServerTask, { url: string }>("./server-process.js", task);
    try {
      await measure((await server.answer()).url);
    } finally {
      await server.stop();
    }
  } finally {
    await postgres.stop();
    await rm(data, { recursive: true, force: true });
  }
}

async function measure(url: string): Promise<void> {
  const names = Object.keys(disturbances);
  const figures = new Map<string, Figures[]>();
  const quiet: NeighbourAnswer[] = [];
  const progress = createProgress(rounds * names.length);
  // The first one warms up.
  await listen(url);
  let done = 0;
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const before = await listen(url);
      const disturber = startChild<DisturbanceTask, Disturbance>("../isolation/disturbance-process.js", {
        url,
        name,
      });
      await disturber.answer();
      const during = await listen(url).finally(() => disturber.stop());
      const after = await listen(url);
      const ratio = during.p99Ms / medianOf([before.p99Ms, after.p99Ms]);
      figures.set(name, [...(figures.get(name) ?? []), { ...during, ratio }]);
      quiet.push(before, after);
      progress(++done);
    }
  }
  print(figures, quiet);
}

async function listen(url: string): Promise<NeighbourAnswer> {
  const child: Child<NeighbourAnswer> = startChild<NeighbourTask, NeighbourAnswer>(
    "../isolation/neighbour-process.js",
    { url, durationMs: roundMs },
  );
  return child.answer();
}

function print(figures: ReadonlyMap<string, readonly Figures[]>, quiet: readonly NeighbourAnswer[]): void {
  const median = (all: readonly NeighbourAnswer[], name: keyof NeighbourAnswer) =>
    medianOf(all.map((each) => each[name]));
  const row = (name: string, all: readonly NeighbourAnswer[]) => [
    name,
    median(all, "p50Ms").toFixed(1),
    median(all, "p99Ms").toFixed(1),
    median(all, "failed").toFixed(0),
  ];
  printTable(
    ["meanwhile the other organisation", "p50 ms", "p99 ms", "failed", "x quiet p99"],
    [
      [...row("is quiet", quiet), ""],
      ...[...figures].map(([name, all]) => [
        ...row(name, all),
        medianOf(all.map(({ ratio }) => ratio)).toFixed(1),
      ]),
    ],
  );
  console.log(
    `\nMedians of ${rounds} rounds of ${roundMs / 1_000} s, each between two quiet ones. The neighbour posts usage and reads balances, ${availableParallelism()} cores are shared by all; the disturbing process yields to the others, as if it had a machine of its own.`,
  );
  for (const [name, all] of figures) {
    const ratio = medianOf(all.map((each) => each.ratio));
    console.log(
      `${ratio <= target ? "within" : "BEYOND"} the target: ${name} ${ratio.toFixed(1)} of ${target}`,
    );
  }
}
