import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Connection, connect } from "../src/database/connection.ts";
import { migrate, migrations } from "../src/database/migrate.ts";
import { createTestDatabase, type TestDatabase } from "../src/testing/index.ts";
import { lockTable } from "./table-lock.ts";

let database: TestDatabase;
let connection: Connection;
beforeEach(async () => {
  database = await createTestDatabase();
  connection = connect(database.databaseUrl);
});
afterEach(async () => {
  await connection.close();
  await database.drop();
});

const applied = async () =>
  (await connection.pool.query("select version, name from creditgate_migrations order by version")).rows;

/** Statements that wait for the end of another transaction. */
const waiting = `select from pg_stat_activity
                  where datname = current_database() and wait_event_type = 'Lock' and query like '% index concurrently %'`;

describe("migrate", () => {
  it("runs once, however many replicas start at once, and records what it did", async () => {
    const replicas = Array.from({ length: 6 }, () => connect(database.databaseUrl, 1));
    await Promise.all(replicas.map(({ pool }) => migrate(pool)));
    await Promise.all(replicas.map(({ close }) => close()));
    expect(await applied()).toEqual(migrations.map(({ version, name }) => ({ version, name })));
  });

  it("takes the steps that are missing", async () => {
    const next = { version: 198, name: "more", sql: "create table more (id int)" };
    await migrate(connection.pool);
    await migrate(connection.pool, [...migrations, next]);
    await connection.pool.query("select * from more");
    expect(await applied()).toHaveLength(migrations.length + 1);
  });

  it("takes a step that was written beside a later one, and landed after it", async () => {
    const [later, earlier] = [198, 197].map((version) => ({
      version,
      name: `step ${version}`,
      sql: "select",
    }));
    if (later === undefined || earlier === undefined) throw new Error("There are two.");
    await migrate(connection.pool, [...migrations, later]);
    await migrate(connection.pool, [...migrations, earlier, later]);
    expect((await applied()).slice(-2)).toEqual([
      { version: 197, name: "step 197" },
      { version: 198, name: "step 198" },
    ]);
  });

  it("leaves nothing behind of steps that fail", async () => {
    const broken = { version: 198, name: "broken", sql: "create table half (id int); select 1/0" };
    await expect(migrate(connection.pool, [...migrations, broken])).rejects.toThrow("division by zero");
    await migrate(connection.pool);
    expect(await applied()).toHaveLength(migrations.length);
  });

  it("builds an index while others write, and anew where an attempt was cut off", async () => {
    await migrate(connection.pool);
    const { pool } = connection;
    await pool.query("insert into organizations (name) values ('one'), ('two')");
    const index = "create unique index concurrently if not exists one_name on organizations ((1))";
    const step = { version: 197, name: "index", online: [index] };
    await expect(migrate(pool, [...migrations, step])).rejects.toThrow("could not create unique index");
    expect(await applied()).toHaveLength(migrations.length);
    await pool.query("delete from organizations where name = 'two'");
    const writer = await pool.connect();
    await writer.query("begin; update organizations set time_zone = 'UTC'");
    const migrated = migrate(pool, [...migrations, step]);
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1);
    await pool.query(
      "insert into api_keys (org_id, key_lookup, key_hash) select org_id, repeat('0', 8), repeat('0', 64) from organizations",
    );
    await writer.query("commit");
    writer.release();
    await migrated;
    const { rows } = await pool.query(
      "select indisvalid from pg_index where indexrelid = 'one_name'::regclass",
    );
    expect(rows).toEqual([{ indisvalid: true }]);
    expect((await applied()).at(-1)).toEqual({ version: 197, name: "index" });
  });

  it("asks for the statements to run where they depend on what is there, after what must be there before", async () => {
    await migrate(connection.pool);
    const step = {
      version: 197,
      name: "each",
      first:
        "create table many (a int) partition by list (a); create table many_1 partition of many for values in (1)",
      online: [
        "select format('create index concurrently if not exists %1$s_index on %1$I (a)', relid) from pg_partition_tree('many') where isleaf",
        "create index if not exists many_index on many (a)",
      ],
    };
    await migrate(connection.pool, [...migrations, step]);
    const { rows } = await connection.pool.query(
      "select inhrelid::regclass::text as index from pg_inherits where inhparent = 'many_index'::regclass",
    );
    expect(rows).toEqual([{ index: "many_1_index" }]);
  });

  it("undoes what must be there before where it waits too long, and takes it again", async () => {
    await migrate(connection.pool);
    const unlock = await lockTable(connection.pool, "organizations");
    const step = {
      version: 197,
      name: "late",
      first: "alter table organizations add column if not exists late int",
      online: ["select 'select' where false"],
    };
    const waits: string[] = [];
    const random = vi.fn(() => 0);
    const migrated = migrate(connection.pool, [...migrations, step], {
      lockTimeoutMs: 20,
      random,
      onWait: ({ code }) => waits.push(code),
    });
    await expect.poll(() => waits).toEqual(["migration_waits"]);
    // Replicas that were locked out together do not return together.
    await expect.poll(() => random.mock.calls.length).toBeGreaterThan(1);
    await unlock();
    await migrated;
    expect((await applied()).at(-1)).toEqual({ version: 197, name: "late" });
  });

  it("refuses a database from before the baseline, and says what to do", async () => {
    await migrate(connection.pool);
    await connection.pool.query("update creditgate_migrations set version = 74");
    await expect(migrate(connection.pool)).rejects.toMatchObject({
      code: "database_older",
      message:
        "database: expected schema version 100 or newer, received version 74. This version cannot upgrade it: name an empty database, or run the version of creditgate that wrote this one.",
    });
  });

  it("refuses a database that is newer than the software", async () => {
    await migrate(connection.pool, [...migrations, { version: 199, name: "future", sql: "" }]);
    await expect(migrate(connection.pool)).rejects.toMatchObject({
      code: "database_newer",
      message: expect.stringMatching(/expected schema version \d+ or older, received version 199/),
    });
  });
});
