import { outboxHeartbeat } from "./outbox-heartbeat.ts";
import { outboxRequestSchema, outboxSchema } from "./outbox-schema.ts";
import type { Query } from "./sql.ts";
import { exchangeSchema, literal, storeSchema } from "./store-schema.ts";

/**
 * Each leads from the version of its index to the next. One that has been released never changes, and keeps what earlier versions
 * of this package call: their processes run on while a newer one is deployed.
 */
const migrations: readonly ((schema: string) => string)[] = [
  storeSchema,
  outboxSchema,
  outboxRequestSchema,
  exchangeSchema,
  outboxHeartbeat,
];

/** Brings the schema to the present version, in one transaction, one process at a time. A role that finds it there creates nothing. */
export async function migrate(query: Query, name: string): Promise<void> {
  if ((await versionOf(query, name)) >= migrations.length) return;
  const schema = identifier(name);
  const steps = migrations.map(
    (step, index) => `
  if version < ${index + 1} then
    execute $step$${step(schema)}$step$;
    insert into ${schema}.migration (version) values (${index + 1});
  end if;`,
  );
  await query(`do $migrate$
declare
  version int;
begin
  perform pg_advisory_xact_lock(hashtext('creditgate'), hashtext(${literal(name)}));
  if to_regnamespace(${literal(schema)}) is null then create schema ${schema}; end if;
  if to_regclass(${literal(`${schema}.migration`)}) is null then
    create table ${schema}.migration (version int primary key, applied_at timestamptz not null default now());
  end if;
  select coalesce(max(migration.version), 0) into version from ${schema}.migration;
${steps.join("")}
end
$migrate$`);
}

/** 0 where there is nothing yet. */
async function versionOf(query: Query, name: string): Promise<number> {
  const table = `${identifier(name)}.migration`;
  const [found] = await query("select to_regclass($1)::text as name", [table]);
  if (found?.name == null) return 0;
  const [row] = await query(`select coalesce(max(version), 0)::text as version from ${table}`);
  return Number(row?.version);
}

/** A name as SQL. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
