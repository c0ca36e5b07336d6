import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { medianOf } from "./comparison.ts";
import { Client, type Ended } from "./contest/client.ts";
import { contestantOf, names, othersFolder } from "./contest/contestants.ts";
import {
  type Effort,
  measureCalls,
  measureCost,
  measureLeaving,
  measureOutage,
  measureOverspend,
  measureStreams,
  type Outage,
} from "./contest/measures.ts";
import type { ProcessTask } from "./contest/process.ts";
import { type Child, startChild } from "./control-plane/child.ts";
import { createProgress } from "./progress.ts";

const effort: Effort = {
  requests: 1_000,
  rounds: 5,
  streams: 10,
  outageMs: 10_000,
  pauseMs: 3_000,
  billedWithinMs: 8_000,
  caughtUpWithinMs: 20_000,
};
/** Of the part in which hardly any CPU is used: outages. */
const contestantsAtOnce = 3;

type Row = readonly string[];

const workHeader: Row = [
  "",
  "work beyond 50 credits: 200 requests at once",
  "after 200 more",
  "calls for 1,000 requests",
  "added CPU, ms",
  "added p50, ms",
  "first byte, ms: bare, gated",
  "tokens billed: read to the end",
  "client leaves",
];
const outageHeader: Row = [
  "",
  "billing",
  "customers served before",
  "new customers",
  "1 s after its end",
  "work not billed",
  "tokens of streams not billed",
  "last bill after its end",
];

/** Beside the gate: what a user could choose instead, each in front of the same billing service. Prints Markdown. */
export async function benchmarkContest(): Promise<void> {
  const asked = process.env.CREDITGATE_CONTESTANTS?.split(",") ?? names;
  const unknown = asked.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Error(`CREDITGATE_CONTESTANTS: unknown ${unknown.join(", ")}; there are ${names.join(", ")}`);
  install();
  const progress = createProgress(asked.length * 2);
  let done = 0;
  const loads: number[] = [];
  const work: Row[] = [];
  for (const name of asked) {
    work.push(await withContestant(name, measureWork));
    loads.push(loadavg()[0] ?? 0);
    progress(++done);
  }
  const outages = new Map<string, readonly Row[]>();
  const left = [...asked];
  const lane = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const isBilled = (await contestantOf(name)).bills !== false;
      if (isBilled) outages.set(name, await withContestant(name, measureOutages));
      progress(++done);
    }
  };
  await Promise.all(Array.from({ length: contestantsAtOnce }, lane));

  printTable(workHeader, work);
  console.log("");
  printTable(
    outageHeader,
    asked.flatMap((name) => outages.get(name) ?? []),
  );
  const day = new Date().toISOString().slice(0, 10);
  const [low, high] = [Math.min(...loads), Math.max(...loads)].map((one) => one.toFixed(1));
  const versions = new Set((await Promise.all(asked.map(versionsOf))).flat());
  console.log(`
Measured on ${day}, Node ${process.version}, ${availableParallelism()} cores, load average ${low} to ${high}.

Versions: ${[...versions].join(", ")}.`);
}

/** Installs the packages of the others, if it has not happened yet. */
function install(): void {
  const cwd = fileURLToPath(othersFolder);
  if (existsSync(new URL("node_modules/.package-lock.json", othersFolder))) return;
  console.error("installing the other contestants' packages in bench/contest (350 MB)");
  const { status } = spawnSync("npm", ["ci", "--ignore-scripts"], { cwd, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error("npm ci failed in bench/contest: see above");
}

async function withContestant<T>(
  name: string,
  measure: (title: string, client: Client) => Promise<T>,
): Promise<T> {
  const contestant = await contestantOf(name);
  const children: Child<{ url: string }>[] = [];
  const start = async (task: ProcessTask): Promise<string> => {
    const child = startChild<ProcessTask, { url: string }>("../contest/process.js", task);
    children.push(child);
    return (await child.answer()).url;
  };
  try {
    const serviceUrl = await start({ name });
    const url = await start({ name, serviceUrl });
    await contestant.learn?.(url);
    const client = new Client(contestant, url, serviceUrl);
    try {
      return await measure(contestant.title, client);
    } finally {
      await client.close();
    }
  } finally {
    for (const child of children) await child.stop();
  }
}

async function measureWork(title: string, client: Client): Promise<Row> {
  const calls = await measureCalls(client, effort);
  const cost = await measureCost(client, effort);
  const overspend = await measureOverspend(client, effort);
  const streams = await measureStreams(client, effort);
  const leaving = await measureLeaving(client, effort);
  return [
    title,
    String(overspend.first),
    String(overspend.later),
    calls.toFixed(0),
    rangeOf(
      cost.map(({ cpuMs }) => cpuMs),
      2,
    ),
    rangeOf(
      cost.map(({ p50Ms }) => p50Ms),
      0,
    ),
    `${streams.bareMs.toFixed(0)}, ${streams.gatedMs.toFixed(0)}`,
    `${streams.billed} of ${streams.generated}`,
    `${leaving.billed} of ${leaving.generated}${leaving.held > 0 ? `; ${leaving.held} stay held` : ""}`,
  ];
}

/** The median, and between which values the rounds lie. */
function rangeOf(values: readonly number[], digits: number): string {
  const [low, middle, high] = [Math.min(...values), medianOf(values), Math.max(...values)].map((one) =>
    one.toFixed(digits),
  );
  return `${middle} (${low} to ${high})`;
}

async function measureOutages(title: string, client: Client): Promise<readonly Row[]> {
  const hang = await measureOutage(client, "hang", effort);
  const fail = await measureOutage(client, "fail", effort);
  return [
    [title, "hangs", ...cellsOf(hang)],
    [title, "fails", ...cellsOf(fail)],
  ];
}

function cellsOf({ warm, cold, after, chat, stream, caughtUpMs }: Outage): readonly string[] {
  return [
    requestsOf(warm),
    requestsOf(cold),
    requestsOf(after),
    `${chat.lost} of ${chat.work}`,
    `${stream.lost} of ${stream.work}`,
    chat.lost + stream.lost > 0 ? "never" : `${(caughtUpMs / 1_000).toFixed(1)} s`,
  ];
}

/** Such as `10 × 200 in 0.1 s`: how they were answered, and how long the last one took. */
function requestsOf(ended: readonly Ended[]): string {
  const counts = new Map<string, number>();
  for (const { status } of ended) {
    const name = status === undefined ? "no answer" : String(status);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const longest = Math.max(...ended.map(({ elapsedMs }) => elapsedMs));
  const answers = [...counts].map(([status, count]) => `${count} × ${status}`);
  return `${answers.join(", ")} in ${(longest / 1_000).toFixed(1)} s`;
}

async function versionsOf(name: string): Promise<readonly string[]> {
  const { packages } = await contestantOf(name);
  return packages.map((one) => {
    const own = new URL(`node_modules/${one}/package.json`, othersFolder);
    const root = new URL(`../../../node_modules/${one}/package.json`, othersFolder);
    const file = readFileSync(existsSync(own) ? own : root, "utf8");
    return `${one} ${(JSON.parse(file) as { version: string }).version}`;
  });
}

function printTable(header: Row, rows: readonly Row[]): void {
  const print = (row: Row) => console.log(`| ${row.join(" | ")} |`);
  print(header);
  print(header.map(() => "---"));
  for (const row of rows) print(row);
}
