import { availableParallelism, loadavg } from "node:os";
import process from "node:process";
import { startServer } from "@creditgate/control-plane";
import pg from "pg";
import { fill, withDatabase } from "./rows/filled-database.ts";
import { questions, type Subject } from "./rows/questions.ts";
import { explain, recordStatements, type Statement } from "./rows/recorder.ts";
import { printTable } from "./table.ts";

const times = Number(process.env.CREDITGATE_ROWS_TIMES ?? 200);
/** Only the questions whose names contain it. */
const asked = process.env.CREDITGATE_ROWS_ONLY ?? "";

/** What a list or a sum may take at the 99th percentile. */
const targetMs = 100;
const adminToken = "a-token-for-the-rows-only";

/**
 * Every list and sum of both APIs with 5,000,000 reports of a year and 1,000,000 customers, one at a time, and how each was
 * answered that took longest. With DATABASE_URL it keeps what it has made there, and measures again what is there.
 */
export async function benchmarkRows(): Promise<void> {
  await withDatabase(measureAt);
}

async function measureAt(databaseUrl: string): Promise<void> {
  const statements = recordStatements();
  const adminTokens = [{ name: "bench", token: adminToken }];
  const server = await startServer({
    databaseUrl,
    port: 0,
    adminTokens,
    settlement: false,
    rateLimitPerSecond: 0,
    rates: { requestsPerSecond: 0, reportsPerSecond: 0 },
  });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  // As the server's connections.
  await client.query("set jit = off");
  try {
    await fill(client);
    await printSizes(client);
    const subjects = await readSubjects(client);
    const measured: Measured[] = [];
    for (const [name, question] of Object.entries(questions)) {
      if (!name.includes(asked)) continue;
      measured.push(await ask(server.url, name, question, subjects, statements));
    }
    printFigures(measured);
    await printDrop(client);
    for (const { name, slowest, p50Ms, p99Ms } of measured) {
      console.log(`\n## ${name}: ${p50Ms.toFixed(1)} and ${p99Ms.toFixed(1)} ms, ${verdict(p99Ms)}`);
      for (const statement of slowest) {
        console.log(
          `\n${statement.text.replaceAll(/\s+/g, " ").trim()}\n${await explain(client, statement)}`,
        );
      }
    }
  } finally {
    await client.end();
    await server.stop();
  }
}

/** The oldest month of usage goes, and comes back. */
async function printDrop(client: pg.Client): Promise<void> {
  await client.query("begin; update organizations set usage_kept_months = 2");
  for (let dropped: string | null = ""; dropped !== null; ) {
    const start = performance.now();
    const { rows } = await client.query<{ name: string | null }>(
      "select let_partition_go('usage_reports', now()) as name",
    );
    dropped = rows[0]?.name ?? null;
    console.log(`dropping ${dropped ?? "none"}: ${(performance.now() - start).toFixed(0)} ms`);
  }
  await client.query("rollback");
}

/** What is large, with its indexes. */
async function printSizes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; rows: string; table: string; indexes: string }>(`
    select coalesce(inhparent::regclass, pg_class.oid::regclass)::text as name, sum(reltuples)::bigint as rows,
           pg_size_pretty(sum(pg_table_size(pg_class.oid))) as table, pg_size_pretty(sum(pg_indexes_size(pg_class.oid))) as indexes
      from pg_class left join pg_inherits on inhrelid = pg_class.oid
     where relkind = 'r' and relnamespace = current_schema()::regnamespace
     group by 1 having sum(reltuples) > 10000 order by sum(pg_total_relation_size(pg_class.oid)) desc`);
  printTable(
    ["table", "rows", "size", "indexes"],
    rows.map((row) => [row.name, String(row.rows), row.table, row.indexes]),
  );
  console.log();
}

async function readSubjects(client: pg.Client): Promise<readonly Subject[]> {
  const { rows } = await client.query<Subject>(
    `select customer_id as customer, order_id as order, invoice_id as invoice, usage_id as usage,
            (random() * 8760)::int as "hoursAgo"
       from (select *, row_number() over (order by invoice_id) as place
               from (select * from invoices where org_id = 1 and kind = 'order' limit 20000) as first limit $1) as invoice
       join (select usage_id, row_number() over (order by md5(usage_id::text)) as place
               from (select * from usage_reports where org_id = 1 limit 20000) as first limit $1) as report using (place)`,
    [times],
  );
  return rows;
}

interface Measured {
  readonly name: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly bytes: number;
  /** What the one that took longest has asked. */
  readonly slowest: readonly Statement[];
}

async function ask(
  url: string,
  name: string,
  question: (subject: Subject) => string,
  subjects: readonly Subject[],
  statements: ReturnType<typeof recordStatements>,
): Promise<Measured> {
  const taken: { ms: number; statements: readonly Statement[] }[] = [];
  let bytes = 0;
  for (const subject of subjects) {
    const target = question(subject);
    const headers = target.startsWith("/admin")
      ? { authorization: `Bearer ${adminToken}` }
      : { "service-api-key": "bench-key-1" };
    statements.take();
    const start = performance.now();
    const response = await fetch(`${url}${target}`, { headers });
    const body = await response.text();
    taken.push({ ms: performance.now() - start, statements: statements.take() });
    bytes = body.length;
    if (!response.ok) throw new Error(`${target}: ${body}`);
  }
  taken.sort((a, b) => a.ms - b.ms);
  // The nearest rank: of 200, the 198th.
  const at = (part: number) => taken[Math.ceil(taken.length * part) - 1];
  const slowest = at(1)?.statements.filter(({ text }) => /^\s*(select|with)/i.test(text)) ?? [];
  return { name, p50Ms: at(0.5)?.ms ?? Number.NaN, p99Ms: at(0.99)?.ms ?? Number.NaN, bytes, slowest };
}

function printFigures(measured: readonly Measured[]): void {
  printTable(
    ["", "p50 ms", "p99 ms", "bytes", ""],
    measured.map(({ name, p50Ms, p99Ms, bytes }) => [
      name,
      p50Ms.toFixed(1),
      p99Ms.toFixed(1),
      String(bytes),
      verdict(p99Ms),
    ]),
  );
  const beyond = measured.filter(({ p99Ms }) => p99Ms > targetMs).map(({ name }) => name);
  console.log(
    `\n${measured.length} lists and sums, ${times} times each, each beyond ${targetMs} ms at the 99th percentile fails: ${beyond.length === 0 ? "met" : `${beyond.length} not met: ${beyond.join("; ")}`}.`,
  );
  console.log(
    `load of the machine over the last minute: ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`,
  );
}

function verdict(p99Ms: number): string {
  return p99Ms > targetMs ? `beyond ${targetMs} ms` : "met";
}
