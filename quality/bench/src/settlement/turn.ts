import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { startChild } from "../control-plane/child.ts";
import { apiKey, fixture, reportOf } from "../control-plane/fixture.ts";
import type { ServerTask } from "../control-plane/server-process.ts";
import type { WorkerAnswer, WorkerTask } from "../control-plane/worker-process.ts";
import type { Cost, Postgres } from "./postgres.ts";

/** A version of the control plane. */
export interface Version {
  readonly name: string;
  /** The address of its module; without it, this checkout's. */
  readonly module?: string;
}

/** How much a turn takes in. */
interface Effort {
  readonly reports: number;
  readonly fullIntakeMs: number;
}

/** What a report cost in a turn. */
export interface Figures {
  readonly intake: Cost;
  readonly settlement: Cost;
  /** Of the reports on disk, with their indexes and outcomes, before anything is vacuumed. */
  readonly usageBytes: number;
  /** Of the rows that waited. Vacuum makes room for the next ones: it grows with what waits, not with usage. */
  readonly queueBytes: number;
  /** While a worker settles. */
  readonly takenPerSecond: number;
  /** From the arrival of a batch to the commit that settled the last of its reports. */
  readonly settledP50Ms: number;
  readonly settledP99Ms: number;
}

const connections = 4;
const batchSize = 500;

/** A database that a version has made, with customers and their wallets. Each turn begins with a copy. */
export async function makeTemplate(postgres: Postgres, version: Version, customers: number): Promise<void> {
  const name = templateOf(version, customers);
  await postgres.query(`create database ${name}`);
  const databaseUrl = postgres.urlOf(name);
  await startVersion(version, databaseUrl).then(({ stop }) => stop());
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`
    insert into currencies (org_id, currency) select org_id, 'ai_credits' from organizations on conflict do nothing;
    insert into customers (org_id, external_id, name)
      select org_id, 'customer-' || i, 'customer' from organizations, generate_series(0, ${customers - 1}) as i;
    insert into wallets (org_id, customer_id, currency, kind, available)
      select org_id, external_id, 'ai_credits', 'prepaid', 1000000000000000 from customers;
    analyze`);
  await client.end();
}

function templateOf({ name }: Version, customers: number): string {
  return `${name}_${customers}`;
}

/** Takes reports in, settles them, and then does both at once, in a database of its own. */
export async function takeTurn(
  postgres: Postgres,
  version: Version,
  customers: number,
  { reports, fullIntakeMs }: Effort,
): Promise<Figures> {
  await postgres.query(`create database turn template ${templateOf(version, customers)}`);
  const databaseUrl = postgres.urlOf("turn");
  const server = await startVersion(version, databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const load = createLoad(server.url, customers);
    await postgres.query("checkpoint");
    const [emptyUsage, emptyQueue] = await sizesOf(client);
    const start = await postgres.spent();
    await load.post(Math.ceil(reports / batchSize));
    const taken = await postgres.spent();
    const { module } = version;
    const task = { databaseUrl, ...(module === undefined ? {} : { module }) };
    const settling = startChild<WorkerTask, WorkerAnswer>("./worker-process.js", {
      ...task,
      untilSettled: true,
    });
    await settling.answer();
    await settling.stop();
    const settled = await postgres.spent();
    const before = load.accepted();
    const [usage, queue] = await sizesOf(client);
    const cost = {
      intake: await postgres.cost(start, taken, before),
      settlement: await postgres.cost(taken, settled, before),
      usageBytes: (usage - emptyUsage) / before,
      queueBytes: (queue - emptyQueue) / before,
    };

    const worker = startChild<WorkerTask, never>("./worker-process.js", { ...task, untilSettled: false });
    try {
      const [from, batches] = [performance.now(), load.batches()];
      await load.post(Number.POSITIVE_INFINITY, from + fullIntakeMs);
      const takenPerSecond = ((load.accepted() - before) * 1_000) / (performance.now() - from);
      while ((await settledReports(client)) < load.accepted()) await setTimeout(500);
      return { ...cost, takenPerSecond, ...(await settledAfter(client, batches)) };
    } finally {
      await worker.stop();
    }
  } finally {
    await client.end();
    await server.stop();
    await postgres.query("drop database turn with (force)");
  }
}

async function startVersion({ module }: Version, databaseUrl: string) {
  const { organization, agents } = fixture;
  const server = startChild<ServerTask, { url: string }>("./server-process.js", {
    databaseUrl,
    settlementDelayMs: 0,
    fixture: { organization, agents, customers: [] },
    rateLimitPerSecond: 0,
    ...(module === undefined ? {} : { module }),
  });
  const { url } = await server.answer();
  return { url, stop: server.stop };
}

interface Load {
  /** Posts batches on a few connections, up to a number or an instant. */
  post(batches: number, untilMs?: number): Promise<void>;
  /** Reports so far. */
  accepted(): number;
  batches(): number;
}

/** Reports of all customers in an order without a pattern, the same in each turn. */
function createLoad(url: string, customers: number): Load {
  let sent = 0;
  let batches = 0;
  const nextReport = (batch: number, index: number): string => {
    // A step that no number of customers has a part in common with.
    const customer = (sent++ * 7_919) % customers;
    return `{"key":"${batch}/${index}/${randomUUID()}",${reportOf(`customer-${customer}`).slice(1)}`;
  };
  const postOne = async (): Promise<void> => {
    const batch = batches++;
    const body = `{"reports":[${Array.from({ length: batchSize }, (_, index) => nextReport(batch, index)).join()}]}`;
    const headers = { "service-api-key": apiKey, "content-type": "application/json" };
    const response = await fetch(`${url}/api/v2/usage/batch`, { method: "POST", headers, body });
    const answer = await response.text();
    if (answer.split('"status":202').length - 1 < batchSize)
      throw new Error(`not all was taken: ${answer.slice(0, 500)}`);
  };
  return {
    async post(more, untilMs = Number.POSITIVE_INFINITY) {
      const end = batches + more;
      const post = async () => {
        while (batches < end && performance.now() < untilMs) await postOne();
      };
      await Promise.all(Array.from({ length: connections }, post));
    },
    accepted: () => batches * batchSize,
    batches: () => batches,
  };
}

/** Of usage, and of its queue if there is one, with all indexes. */
async function sizesOf(client: pg.Client): Promise<readonly [usage: number, queue: number]> {
  const { rows } = await client.query<{ usage: string; queue: string | null }>(`
    select sum(size) filter (where relname <> 'usage_due') as usage, sum(size) filter (where relname = 'usage_due') as queue
      from (select relname, pg_total_relation_size(oid) as size from pg_class
             where relkind = 'r' and relname ~ '^usage_(events|reports|due|outcomes)') as usage_table`);
  return [Number(rows[0]?.usage), Number(rows[0]?.queue)];
}

async function settledReports(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    "select count(*) as count from ledger_entries where cause = 'usage'",
  );
  return Number(rows[0]?.count);
}

/** Of the batches from one on. */
async function settledAfter(
  client: pg.Client,
  first: number,
): Promise<Pick<Figures, "settledP50Ms" | "settledP99Ms">> {
  const { rows } = await client.query<{ p50: number; p99: number }>(
    `with batch as (
       select extract(epoch from max(pg_xact_commit_timestamp(entry.xmin)) - min(received_at)) * 1000 as age
         from usage_reports join ledger_entries as entry using (org_id, usage_id)
        where split_part(idempotency_key, '/', 1)::int >= $1
        group by split_part(idempotency_key, '/', 1))
     select percentile_cont(0.5) within group (order by age) as p50, percentile_cont(0.99) within group (order by age) as p99
       from batch`,
    [first],
  );
  return { settledP50Ms: rows[0]?.p50 ?? Number.NaN, settledP99Ms: rows[0]?.p99 ?? Number.NaN };
}
