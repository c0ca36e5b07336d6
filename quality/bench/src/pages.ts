import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { availableParallelism, loadavg } from "node:os";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { startServer } from "@creditgate/control-plane";
import pg from "pg";
import { firstLoad, launchBrowser, type Opening, open, signIn } from "./pages/browser.ts";
import { paths } from "./pages/paths.ts";
import { readSubjects } from "./pages/subjects.ts";
import { createProgress } from "./progress.ts";
import { fill, withDatabase } from "./rows/filled-database.ts";
import { printTable } from "./table.ts";

const times = Number(process.env.CREDITGATE_PAGES_TIMES ?? 10);

/** What a page may take at the median until its content shows. */
const targetMs = 500;
/** How much of a page may move by itself, as the browser counts it. */
const targetShift = 0.05;
const targetBytes = 250_000;
const adminToken = "a-token-for-the-pages-only";

/** Whether the pages are built already, as in a run of the tests: others look at them meanwhile, and a build empties their folder. */
const isBuilt = process.env.CREDITGATE_PAGES_BUILT === "1";

/**
 * Every page of the dashboard in Chromium, with 5,000,000 reports of a year and 1,000,000 customers: opened anew each time, with its files in
 * the browser's cache. With DATABASE_URL it keeps what it has made there, and measures again what is there.
 */
export async function benchmarkPages(): Promise<void> {
  if (!isBuilt) await buildDashboard();
  await withDatabase(async (databaseUrl) => {
    const server = await startServer({
      databaseUrl,
      port: 0,
      adminTokens: [{ name: "bench", token: adminToken }],
      people: {},
      settlement: false,
      rateLimitPerSecond: 0,
      rates: { requestsPerSecond: 0, reportsPerSecond: 0 },
    });
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      await fill(client);
      await measure(server.url, client);
    } finally {
      await client.end();
      await server.stop();
    }
  });
}

async function buildDashboard(): Promise<void> {
  const { resolve } = createRequire(import.meta.url);
  const vite = path.join(path.dirname(resolve("vite/package.json")), "bin/vite.js");
  await promisify(execFile)(process.execPath, [vite, "build", "--logLevel", "error"], {
    cwd: path.dirname(resolve("@creditgate/dashboard/package.json")),
    env: { ...process.env, NODE_ENV: "production" },
  });
}

interface Measured {
  readonly name: string;
  readonly medianMs: number;
  readonly longestMs: number;
  readonly shift: number;
}

async function measure(url: string, client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ customers: string; usage: string }>(
    "select (select count(*) from customers) as customers, (select count(*) from usage_reports) as usage",
  );
  console.log(`${rows[0]?.customers} customers, ${rows[0]?.usage} reports\n`);
  const subjects = await readSubjects(client);
  const browser = await launchBrowser();
  try {
    const page = await signIn(browser, url, adminToken);
    const site = `${url}/dashboard/organizations/1`;
    const measured: Measured[] = [];
    const progress = createProgress(paths.length);
    for (const { name, path: pathOf, content } of paths) {
      const openings: Opening[] = [];
      // The first one fills the browser's cache, and the database's; whoever asks for one has that one.
      const first = times === 1 ? 0 : 1;
      for (let time = 0; time < first + times; time++)
        openings.push(await open(page, site + pathOf(subjects), content));
      measured.push({ name, ...summary(openings.slice(first)) });
      progress(measured.length);
    }
    printFigures(measured, await firstLoad(browser, page, `${site}/overview`));
  } finally {
    await browser.close();
  }
}

function summary(openings: readonly Opening[]): Omit<Measured, "name"> {
  const taken = openings.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    medianMs: taken[Math.floor(taken.length / 2)] ?? Number.NaN,
    longestMs: taken.at(-1) ?? Number.NaN,
    shift: Math.max(...openings.map(({ shift }) => shift)),
  };
}

function printFigures(measured: readonly Measured[], bytes: number): void {
  const isMet = ({ medianMs, shift }: Measured) => medianMs <= targetMs && shift <= targetShift;
  printTable(
    ["", "median ms", "longest ms", "layout shift", ""],
    measured.map((each) => [
      each.name,
      each.medianMs.toFixed(0),
      each.longestMs.toFixed(0),
      each.shift.toFixed(3),
      isMet(each) ? "met" : "not met",
    ]),
  );
  const beyond = measured.filter((each) => !isMet(each)).map(({ name }) => name);
  console.log(
    `\n${measured.length} pages, ${times} times each; a median beyond ${targetMs} ms or a layout shift beyond ${targetShift} fails: ${beyond.length === 0 ? "met" : `${beyond.length} not met: ${beyond.join("; ")}`}.`,
  );
  console.log(
    `first load, gzipped: ${(bytes / 1_000).toFixed(1)} kB of at most ${targetBytes / 1_000}: ${bytes <= targetBytes ? "met" : "not met"}`,
  );
  console.log(
    `load of the machine over the last minute: ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`,
  );
}
