import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connection, connect } from "../src/database/connection.ts";
import { tablesByMonth } from "../src/database/partitions.ts";
import { createMigratedDatabase, type TestDatabase } from "../src/testing/index.ts";

/**
 * The tables that are one for all organisations, and why. Each is small: a cluster keeps a copy of it on every machine.
 * All others are divided by their organisation, so that each of their keys holds it.
 */
const shared: Readonly<Record<string, string>> = {
  creditgate_migrations: "the schema is one",
  organizations: "it is what the others are divided by",
  api_keys:
    "a key is looked up by its hash, before it is known whose it is; no two organisations may have one",
  users: "a person may be a member of several organisations",
  user_sessions: "a session is looked up by its hash, before it is known who it is",
  user_tokens: "a token is looked up by its hash, before it is known whose it is",
  user_identities: "who signs in is looked up by what the identity provider tells",
  user_links: "a link is looked up by its hash, before it is known for whom it is",
  oidc_flows: "a sign-in that has begun is nobody's yet",
  dropped_usage: "a month of usage goes as a whole",
  detached_partitions: "so does a month of the audit log, and one of the ledger",
  settlement_pace: "a worker settles the usage of all",
};

const byMonth: ReadonlySet<string> = new Set(tablesByMonth);

interface Key {
  readonly table: string;
  readonly name: string;
  readonly columns: readonly string[];
}

interface ForeignKey extends Key {
  readonly target: string;
  readonly targetColumns: readonly string[];
}

let database: TestDatabase;
let connection: Connection;
beforeAll(async () => {
  database = await createMigratedDatabase();
  connection = connect(database.databaseUrl);
  await connection.pool.query(
    "insert into audit_log (actor, action, subject, at) values ('test', 'x', '1', now())",
  );
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

/** The names of a table's columns, by their numbers. */
const namesOf = (relation: string, numbers: string) =>
  `array(select attname::text from unnest(${numbers}) with ordinality as key (number, position)
           join pg_attribute on attrelid = ${relation} and attnum = key.number order by position)`;

const isOurs = "relnamespace = current_schema()::regnamespace";

async function readTables(): Promise<readonly { readonly table: string; readonly isDivided: boolean }[]> {
  const { rows } = await connection.pool.query(`
    select relname as table, exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'org_id'
                                        and attnotnull) as "isDivided"
      from pg_class where ${isOurs} and relkind in ('r', 'p') order by 1`);
  return rows;
}

/** Those of primary keys too. */
async function readUniqueIndexes(): Promise<readonly Key[]> {
  const { rows } = await connection.pool.query(`
    select relname as table, indexrelid::regclass::text as name, ${namesOf("indrelid", "indkey::smallint[]")} as columns
      from pg_index join pg_class on pg_class.oid = indrelid where ${isOurs} and indisunique order by 1, 2`);
  return rows;
}

async function readForeignKeys(): Promise<readonly ForeignKey[]> {
  const { rows } = await connection.pool.query(`
    select relname as table, conname as name, ${namesOf("conrelid", "conkey")} as columns,
           (select relname from pg_class as target where target.oid = confrelid) as target,
           ${namesOf("confrelid", "confkey")} as "targetColumns"
      from pg_constraint join pg_class on pg_class.oid = conrelid where ${isOurs} and contype = 'f' order by 1, 2`);
  return rows;
}

const isShared = (table: string): boolean => Object.hasOwn(shared, table);

describe("the schema, divided by organisation", () => {
  it("has the organisation in each table, but those that are shared", async () => {
    const tables = await readTables();
    expect(tables.length).toBeGreaterThan(20);
    expect(tables.filter(({ table, isDivided }) => !isDivided && !isShared(table))).toEqual([]);
  });

  it("has it in each primary key and each unique index", async () => {
    const keys = (await readUniqueIndexes()).filter(({ table }) => !isShared(table));
    expect(keys.length).toBeGreaterThan(20);
    expect(keys.filter(({ columns }) => !columns.includes("org_id"))).toEqual([]);
    const named = new Set(keys.map(({ table }) => table));
    const without = (await readTables()).filter(
      // Their keys are those of their partitions, which do not hold the time that these are divided by.
      ({ table }) => !isShared(table) && !named.has(table) && !byMonth.has(table),
    );
    expect(without, "tables without a key").toEqual([]);
  });

  it("has it in each foreign key, on both sides, but those to a table that is shared", async () => {
    const keys = await readForeignKeys();
    expect(keys.length).toBeGreaterThan(20);
    const wrong = keys.filter(({ table, columns, target, targetColumns }) => {
      // A row that is on every machine cannot refer to one that is on one of them.
      if (isShared(target)) return false;
      const place = columns.indexOf("org_id");
      return isShared(table) || place === -1 || targetColumns[place] !== "org_id";
    });
    expect(wrong).toEqual([]);
  });

  it("has one type for the organisation, and 64 bits for what counts up, as machines that divide them take it", async () => {
    const { rows } = await connection.pool.query(`
      select relname as table, attname as name, atttypid::regtype::text as type
        from pg_attribute join pg_class on pg_class.oid = attrelid
       where ${isOurs} and relkind in ('r', 'p') and attnum > 0
         and (attname = 'org_id' or attidentity <> ''
              or exists (select from pg_attrdef where adrelid = attrelid and adnum = attnum
                          and pg_get_expr(adbin, adrelid) like 'nextval(%'))`);
    expect(rows.length).toBeGreaterThan(40);
    expect(rows.filter(({ type }) => type !== "bigint")).toEqual([]);
  });

  it("has the customer in each unique key of a customer's table, but those that decisions/0014 lists", async () => {
    const { rows } = await connection.pool.query(`
      select distinct coalesce((select inhparent::regclass::text from pg_inherits where inhrelid = indrelid), relname) as table,
                      array_to_string(key.columns, ', ') as columns
        from pg_index join pg_class on pg_class.oid = indrelid,
             lateral (select ${namesOf("indrelid", "indkey::smallint[]")} as columns) as key
       where ${isOurs} and indisunique and not 'customer_id' = any(key.columns)
         and exists (select from pg_attribute where attrelid = indrelid and attname = 'customer_id')`);
    const decision = readFileSync(
      fileURLToPath(new URL("../../../decisions/0014-more-machines.md", import.meta.url)),
      "utf8",
    );
    const listed = [...decision.matchAll(/^\| `(\w+ \([\w, ]+\))` \|/gm)].map(([, key]) => key);
    expect(rows.map(({ table, columns }) => `${table} (${columns})`).toSorted()).toEqual(listed.toSorted());
  });

  it("gives what was written without an organisation that of none", async () => {
    const { rows } = await connection.pool.query("select org_id from audit_log");
    expect(rows).toEqual([{ org_id: 0n }]);
    const again = connection.pool.query("update audit_log set org_id = 1");
    await expect(again).rejects.toThrow("append-only");
  });
});
