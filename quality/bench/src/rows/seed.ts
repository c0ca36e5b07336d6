import type pg from "pg";
import { books } from "./seed-books.ts";
import { people, since } from "./seed-people.ts";
import type { Amount } from "./seed-step.ts";
import { usage } from "./seed-usage.ts";

/** Tables that are filled without their indexes, which are built at the end. */
const large = [
  "customers",
  "wallets",
  "usage_reports",
  "ledger_entries",
  "invoices",
  "orders",
  "audit_log",
  "webhook_deliveries",
  "customer_usage_days",
  "customer_usage_months",
];

/**
 * Fills the tables of a database that is empty, so that `creditgate verify` finds nothing wrong: one organisation has nine
 * tenths of everything, a hundred others the rest.
 */
export async function seed(
  client: pg.ClientBase,
  amount: Amount,
  onStep: (name: string, seconds: number) => void,
): Promise<void> {
  const timed = async (name: string, sql: string): Promise<void> => {
    const start = performance.now();
    await client.query(sql);
    onStep(name, (performance.now() - start) / 1_000);
  };
  await client.query(
    "set synchronous_commit = off; set maintenance_work_mem = '512MB'; set work_mem = '256MB'",
  );
  // Currencies are named once, and not for each wallet; numbers are given together.
  await switchTriggers(client, "disable");
  // As after a year: there is a partition for each month.
  await timed("partitions", months);
  const indexes = await dropIndexes(client);
  for (const { name, sql } of [...people, ...usage, ...books]) await timed(name, sql(amount));
  await timed("indexes", indexes.join(";"));
  await switchTriggers(client, "enable");
  await timed("statistics", "vacuum (analyze)");
}

async function switchTriggers(client: pg.ClientBase, turn: "enable" | "disable"): Promise<void> {
  await client.query(`
    alter table wallets ${turn} trigger wallets_name_currency;
    alter table invoices ${turn} trigger invoices_number;
    alter table credit_notes ${turn} trigger credit_notes_number`);
}

/** What was there before partitions is empty, and ends where the first month begins. */
const months = `
  alter table usage_reports detach partition usage_events;
  alter table ledger_entries detach partition ledger_entries_first;
  do $$
  begin
    execute format('alter table usage_reports attach partition usage_events for values from (minvalue) to (%L)', ${since});
    execute format('alter table ledger_entries attach partition ledger_entries_first for values from (minvalue) to (%L)', ${since});
  end
  $$;
  select make_partitions('usage_reports', at), make_partitions('ledger_entries', at)
    from generate_series(0, 12, 3) as months, lateral (select months_later(${since}, months) as at) as time`;

/** Those that no constraint has; resolves with what makes them again. */
async function dropIndexes(client: pg.ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
       from pg_index
      where indrelid = any(array(select to_regclass(name) from unnest($1::text[]) as name))
        and not exists (select from pg_constraint where conindid = indexrelid)`,
    [large],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition.replace(" ON ONLY ", " ON "));
}
