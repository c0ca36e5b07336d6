import { randomUUID } from "node:crypto";
import pg from "pg";
import { bareColumns, createBareTable } from "./bare-table.ts";
import { customers, reportOf } from "./fixture.ts";

/** What became of the usage that came in after an instant. */
export interface SettlementFigures {
  readonly accepted: number;
  /** How many were settled per second from a second after the load began until it ended: while it lasted. */
  readonly settledPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** What the benchmark does with PostgreSQL past the control plane. */
export interface BenchDatabase {
  /** Whole milliseconds since the epoch, by PostgreSQL's clock. */
  now(): Promise<number>;
  unsettled(): Promise<number>;
  /** Lag is from the arrival of a report to the commit that settled it. */
  figures(fromMs: number, toMs: number): Promise<SettlementFigures>;
  /**
   * Rows per second that two connections insert, as many in each statement and commit: the rows of usage reports, into a
   * table with the indexes and checks of theirs.
   */
  insertBare(rowsPerStatement: number, durationMs: number): Promise<number>;
  /** Stores reports that are due, of this number of customers, as if they had been accepted. */
  storeBacklog(events: number, ofCustomers: number): Promise<void>;
  vacuum(): Promise<void>;
  close(): Promise<void>;
}

export async function openDatabase(databaseUrl: string): Promise<BenchDatabase> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const one = async (text: string, values: readonly unknown[] = []) =>
    ((await client.query<unknown[]>({ text, values: [...values], rowMode: "array" })).rows[0] ?? []).map(
      Number,
    );

  return {
    async now() {
      const [now = Number.NaN] = await one("select floor(extract(epoch from clock_timestamp()) * 1000)");
      return now;
    },
    async unsettled() {
      const [count = Number.NaN] = await one("select count(*) from usage_due");
      return count;
    },
    async figures(fromMs, toMs) {
      const [accepted = 0, settledPerSecond = 0, p50Ms = Number.NaN, p99Ms = Number.NaN] = await one(
        `with events as materialized (
           select extract(epoch from pg_xact_commit_timestamp(entry.xmin) - received_at) * 1000 as lag,
                  pg_xact_commit_timestamp(entry.xmin) as committed_at
             from usage_reports join ledger_entries as entry using (org_id, usage_id)
            where received_at >= to_timestamp($1::numeric / 1000) and received_at < to_timestamp($2::numeric / 1000))
         select count(*), count(*) filter (where committed_at >= to_timestamp(($1::numeric + 1000) / 1000.0)
                                          and committed_at < to_timestamp($2::numeric / 1000)) * 1000.0 / ($2::numeric - $1::numeric - 1000),
                percentile_cont(0.5) within group (order by lag),
                percentile_cont(0.99) within group (order by lag)
           from events`,
        [fromMs, toMs],
      );
      return { accepted, settledPerSecond, p50Ms, p99Ms };
    },
    async insertBare(rowsPerStatement, durationMs) {
      await createBareTable(client);
      const second = new pg.Client({ connectionString: databaseUrl });
      await second.connect();
      const text = `insert into bare (${bareColumns}) values ${placeholders(rowsPerStatement)}`;
      const start = performance.now();
      let rows = 0;
      const insert = async (connection: pg.Client) => {
        while (performance.now() - start < durationMs) {
          await connection.query({ name: "bare", text, values: bareRows(rowsPerStatement) });
          rows += rowsPerStatement;
        }
      };
      await Promise.all([insert(client), insert(second)]);
      const perSecond = (rows * 1_000) / (performance.now() - start);
      await second.end();
      return perSecond;
    },
    async storeBacklog(events, ofCustomers) {
      await client.query(
        `with added as (
           insert into usage_reports (${bareColumns})
           select (select min(org_id) from organizations), gen_random_uuid(), gen_random_uuid()::text,
                  repeat('0', 64), 'chat', 'message', ($2::text[])[1 + i % cardinality($2::text[])], '{}',
                  'ai_credits', 1000000, now()
             from generate_series(1, $1::int) as i returning *)
         insert into usage_due (org_id, usage_id, customer_id, agent_id, indicator, currency, amount, received_at, due_at)
         select org_id, usage_id, customer_id, agent_id, indicator, currency, amount, received_at, now() from added`,
        [events, customers.slice(0, ofCustomers)],
      );
    },
    async vacuum() {
      await client.query("vacuum (analyze)");
      await client.query("checkpoint");
    },
    close: () => client.end(),
  };
}

const columnCount = bareColumns.split(",").length;

function placeholders(rows: number): string {
  const row = (index: number) =>
    `(${Array.from({ length: columnCount }, (_, column) => `$${index * columnCount + column + 1}`).join()})`;
  return Array.from({ length: rows }, (_, index) => row(index)).join();
}

const rawUsage = JSON.stringify(JSON.parse(reportOf("")).rawUsage);

function bareRows(count: number): unknown[] {
  const now = new Date();
  return Array.from({ length: count }, (_, index) => {
    const customer = customers[index % customers.length];
    const keys = [randomUUID(), randomUUID(), "0".repeat(64)];
    return [1, ...keys, "chat", "message", customer, rawUsage, "ai_credits", 2_200_000, now];
  }).flat();
}
