import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Connection, connect } from "../src/database/connection.ts";
import { migrate, migrations } from "../src/database/migrate.ts";
import { createTestDatabase, type TestDatabase } from "../src/testing/index.ts";
import { creditgate } from "./serve-process.ts";
import { lockTable } from "./table-lock.ts";

let database: TestDatabase;
let connection: Connection;
let unlock: () => Promise<void>;
beforeEach(async () => {
  database = await createTestDatabase();
  connection = connect(database.databaseUrl);
  await migrate(connection.pool);
  unlock = await lockTable(connection.pool, "customers");
});
afterEach(async () => {
  await unlock().catch(() => undefined);
  await connection.close();
  await database.drop();
});

const next = { version: 199, name: "next", sql: "alter table customers add column more int" };

const waiters =
  "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";

const versions = async (): Promise<number[]> =>
  (
    await connection.pool.query<{ version: number }>("select version from creditgate_migrations order by 1")
  ).rows.map(({ version }) => version);

describe("migrate, while another transaction holds a table", () => {
  it("waits for no lock longer than the timeout, tells who holds it, and goes on when it is let go", async () => {
    const told: string[] = [];
    let tell = (): void => undefined;
    const waiting = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const migrated = migrate(connection.pool, [...migrations, next], {
      lockTimeoutMs: 10,
      onWait: ({ message }) => {
        told.push(message);
        tell();
      },
    });
    await waiting;
    expect(told[0]).toMatch(
      /waits for a lock .* process \d+ of PostgreSQL \(creditgate, idle in transaction since .*lock table customers.*pg_terminate_backend/,
    );
    expect(await versions()).not.toContain(199);
    await unlock();
    await migrated;
    expect(await versions()).toContain(199);
  });

  it("gives way to a request that has what it waits for, and wants what it has", async () => {
    await unlock();
    const request = await connection.pool.connect();
    await request.query("begin");
    await request.query("lock table agents in row exclusive mode");
    const both = "alter table customers add column more int; alter table agents add column more int";
    const migrated = migrate(connection.pool, [...migrations, { ...next, sql: both }]);
    await expect.poll(async () => (await connection.pool.query(waiters)).rowCount, { interval: 10 }).toBe(1);
    await request.query("update customers set name = name");
    await request.query("commit");
    request.release();
    await migrated;
    expect(await versions()).toContain(199);
  });

  it("ends at its signal, between attempts and in the midst of one, and has changed nothing", async () => {
    for (const lockTimeoutMs of [10, 60_000]) {
      const stop = new AbortController();
      const replica = connect(database.databaseUrl, 1);
      const migrated = migrate(replica.pool, [...migrations, next], {
        lockTimeoutMs,
        signal: stop.signal,
        onWait: () => stop.abort(new Error("enough")),
      });
      const ended = expect(migrated).rejects.toThrow("enough");
      if (lockTimeoutMs > 10) {
        await expect.poll(async () => (await connection.pool.query(waiters)).rowCount).toBe(1);
        stop.abort(new Error("enough"));
      }
      await ended;
      await replica.close();
    }
    expect(await versions()).not.toContain(199);
  });
});

describe("creditgate", () => {
  /** A schema that lacks the first step, which can be read, and not be written to. */
  beforeEach(async () => {
    await unlock();
    await connection.pool.query(`
      drop schema public cascade; create schema public;
      create table creditgate_migrations (version integer, name text)`);
    unlock = await lockTable(connection.pool, "creditgate_migrations", "share");
  });

  it.each([["verify"], ["close-period", "--early"]])(
    "%s refuses an older schema, says what to do, and does not migrate",
    async (...args) => {
      const before = await versions();
      const { code, stderr } = await creditgate(args, { DATABASE_URL: database.databaseUrl }).exit;
      expect([code, stderr]).toEqual([
        1,
        "creditgate: database: expected a schema that is up to date, received one without version 100. Run creditgate migrate (or start creditgate serve) of this version first, or this command of the version that serves\n",
      ]);
      expect(await versions()).toEqual(before);
    },
  );

  it.each([["serve", "--port", "0"], ["worker"]])(
    "%s says what its migration waits for, and ends at SIGTERM",
    async (...args) => {
      const program = creditgate(args, { DATABASE_URL: database.databaseUrl });
      const told = new Promise<void>((resolve) => {
        program.process.stderr?.on("data", (text: string) => {
          if (text.includes("the migration waits for a lock")) resolve();
        });
      });
      await told;
      program.process.kill("SIGTERM");
      expect(await program.exit).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/stopped by a signal before it was ready; nothing was changed\n$/),
      });
    },
  );
});
