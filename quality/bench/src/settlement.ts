import { chmod, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { startEmbeddedPostgres } from "@creditgate/control-plane";
import { medianOf } from "./comparison.ts";
import { createProgress } from "./progress.ts";
import { openPostgres, type Postgres } from "./settlement/postgres.ts";
import { type Figures, makeTemplate, takeTurn, type Version } from "./settlement/turn.ts";
import { printTable } from "./table.ts";

const turns = Number(process.env.CREDITGATE_SETTLEMENT_TURNS ?? 5);
const reports = Number(process.env.CREDITGATE_SETTLEMENT_REPORTS ?? 20_000);
const fullIntakeMs = Number(process.env.CREDITGATE_SETTLEMENT_MS ?? 10_000);
const populations = (process.env.CREDITGATE_SETTLEMENT_CUSTOMERS ?? "2000,20000").split(",").map(Number);

/** What a report may cost at most, as parts of what it cost before: with few customers, and with many. */
const goals = {
  cpu: [0.75, 0.8],
  walOfIntake: [1.06, 1.06],
  walOfSettlement: [0.67, 0.76],
  disk: [0.6, 0.6],
} as const;
const goalP99Ms = 2_000;

/**
 * What a report costs PostgreSQL from its intake to its settlement. With `CREDITGATE_BEFORE`, a built checkout of another
 * version, both take turns on one PostgreSQL.
 */
export async function benchmarkSettlement(): Promise<void> {
  const data = await mkdtemp(path.join(tmpdir(), "creditgate-bench-"));
  await chmod(data, 0o755);
  const settings = {
    track_commit_timestamp: "on",
    shared_buffers: "1GB",
    max_wal_size: "8GB",
    checkpoint_timeout: "1h",
    // It would clean up at another moment in each turn.
    autovacuum: "off",
  };
  const server = await startEmbeddedPostgres({ data, settings });
  try {
    const postgres = await openPostgres(server.databaseUrl);
    await measure(postgres).finally(postgres.close);
  } finally {
    await server.stop();
    await rm(data, { recursive: true, force: true });
  }
}

async function measure(postgres: Postgres): Promise<void> {
  const { CREDITGATE_BEFORE: before } = process.env;
  const after: Version = { name: "after" };
  const versions: readonly Version[] =
    before === undefined ? [after] : [{ name: "before", module: moduleOf(before) }, after];
  const cells = populations.flatMap((customers) =>
    versions.map((version) => ({ version, customers, taken: [] as Figures[] })),
  );
  for (const { version, customers } of cells) await makeTemplate(postgres, version, customers);
  // The first turn warms up; whoever asks for one has that one.
  const warmUps = turns === 1 ? 0 : 1;
  const progress = createProgress((warmUps + turns) * cells.length);
  for (let turn = 0; turn < warmUps + turns; turn++) {
    // Each is the first as often as the last.
    for (const [index, cell] of (turn % 2 === 0 ? cells : cells.toReversed()).entries()) {
      const figures = await takeTurn(postgres, cell.version, cell.customers, { reports, fullIntakeMs });
      if (turn >= warmUps) cell.taken.push(figures);
      progress(turn * cells.length + index + 1);
    }
  }
  for (const [index, customers] of populations.entries()) {
    const of = (name: string) =>
      cells.find((cell) => cell.customers === customers && cell.version.name === name)?.taken;
    print(customers, of("before"), of("after") ?? [], index === 0 ? 0 : 1);
  }
  console.log(
    `\nMedians of ${turns} turns of ${reports} reports, and of ${fullIntakeMs / 1_000} s of full intake, after ${warmUps} to warm up; fsync on, no autovacuum; load of the machine over the last minute: ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores.`,
  );
}

function moduleOf(checkout: string): string {
  return pathToFileURL(path.resolve(checkout, "packages/control-plane/dist/index.js")).href;
}

function print(
  customers: number,
  before: readonly Figures[] | undefined,
  after: readonly Figures[],
  goal: 0 | 1,
): void {
  console.log(`\n## ${customers} customers\n`);
  const median = (taken: readonly Figures[], of: (figures: Figures) => number) => medianOf(taken.map(of));
  const row = (name: string, of: (figures: Figures) => number, most?: number, mostPart?: number) => {
    const now = median(after, of);
    const then = before === undefined ? undefined : median(before, of);
    const part = then === undefined || then === 0 ? undefined : now / then;
    const isMet =
      (most === undefined || now <= most) &&
      (mostPart === undefined || part === undefined || part <= mostPart);
    const bound = mostPart === undefined ? most?.toFixed(0) : `x ${mostPart}`;
    return [
      name,
      then?.toFixed(0) ?? "",
      now.toFixed(0),
      part?.toFixed(2) ?? "",
      bound === undefined ? "" : `${bound} ${isMet ? "met" : "BEYOND"}`,
    ];
  };
  printTable(
    ["for each report", "before", "after", "ratio", "goal"],
    [
      row("CPU of PostgreSQL, intake, µs", ({ intake }) => intake.cpuUs),
      row("CPU of PostgreSQL, settlement, µs", ({ settlement }) => settlement.cpuUs),
      row(
        "both, µs",
        ({ intake, settlement }) => intake.cpuUs + settlement.cpuUs,
        undefined,
        goals.cpu[goal],
      ),
      row("WAL of intake, bytes", ({ intake }) => intake.walBytes, undefined, goals.walOfIntake[goal]),
      row("its full-page images, bytes", ({ intake }) => intake.imageBytes),
      row(
        "WAL of settlement, bytes",
        ({ settlement }) => settlement.walBytes,
        undefined,
        goals.walOfSettlement[goal],
      ),
      row("its full-page images, bytes", ({ settlement }) => settlement.imageBytes),
      row("usage on disk before vacuum, bytes", ({ usageBytes }) => usageBytes, undefined, goals.disk[goal]),
      row("its queue on disk before vacuum, bytes", ({ queueBytes }) => queueBytes),
      row("at full intake: reports taken in a second", ({ takenPerSecond }) => takenPerSecond),
      row("a batch is settled after, p50, ms", ({ settledP50Ms }) => settledP50Ms),
      row("a batch is settled after, p99, ms", ({ settledP99Ms }) => settledP99Ms, goalP99Ms),
    ],
  );
}
