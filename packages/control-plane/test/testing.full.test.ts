import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { connect } from "../src/database/connection.ts";
import { migrate } from "../src/database/migrate.ts";
import {
  createMigratedDatabase,
  createTestDatabase,
  startControlPlane,
  type TestControlPlane,
  type TestDatabase,
  usePostgres,
} from "../src/testing/index.ts";
import { type Caller, caller, usageOf } from "./caller.ts";
import { acme } from "./fixture.ts";

let plane: TestControlPlane;
let call: Caller;
beforeAll(async () => {
  plane = await startControlPlane({ fixture: acme });
  call = caller(plane);
});
afterAll(() => plane.stop());

describe("startControlPlane", () => {
  it("gives every control plane a database of its own, which is gone when it is stopped", async () => {
    const other = await startControlPlane({ fixture: { ...acme, organization: { name: "Acme" } } });
    expect(other.apiKey).toMatch(/^cgk_/);
    await caller(other)("POST", "/api/v2/usage", { body: usageOf() });
    await other.settled();
    expect((await other.balance("alice")).ai_credits?.available).toBe(98.934);
    expect((await plane.balance("alice")).ai_credits?.available).toBe(100);
    await other.stop();
    const { pool, close } = connect((await usePostgres()).databaseUrl);
    const name = new URL(other.databaseUrl).pathname.slice(1);
    expect((await pool.query("select from pg_database where datname = $1", [name])).rowCount).toBe(0);
    await close();
  });

  it("lets a script end that has stopped what it started, the PostgreSQL of its own with it", async () => {
    const built = fileURLToPath(new URL("../dist/testing/index.js", import.meta.url));
    const script = `
      const { startControlPlane } = await import(${JSON.stringify(built)});
      const plane = await startControlPlane({ fixture: ${JSON.stringify(acme)} });
      await plane.stop();
      console.log("stopped");`;
    // It hears of the template of the run, which is not in its PostgreSQL.
    const { PATH, CREDITGATE_TEST_TEMPLATE } = process.env;
    const environment = { PATH, CREDITGATE_TEST_TEMPLATE };
    const options = ["--input-type=module", "--eval", script];
    // It would wait for ever.
    const { stdout } = await promisify(execFile)(process.execPath, options, {
      env: environment,
      timeout: 50_000,
    });
    expect(stdout).toBe("stopped\n");
  });

  it("settles after the delay that is asked for", async () => {
    const slow = await startControlPlane({ fixture: acme, settlementDelayMs: 300 });
    await caller(slow)("POST", "/api/v2/usage", { body: usageOf() });
    expect((await slow.balance("alice")).ai_credits?.available).toBe(100);
    await slow.settled();
    expect((await slow.balance("alice")).ai_credits?.available).toBe(98.934);
    await slow.stop();
  });
});

describe("createMigratedDatabase", () => {
  /** Every column, index, constraint, function and sequence, and which migrations are in it; not partitions, which depend on the month. */
  const schemaOf = async ({ databaseUrl }: TestDatabase) => {
    const { pool, close } = connect(databaseUrl, 1);
    const { rows } = await pool.query<{ line: string }>(`
      with parents as (select oid, relname from pg_class where relnamespace = 'public'::regnamespace and not relispartition)
      select concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) as line
        from information_schema.columns join parents on relname = table_name where table_schema = 'public'
      union all select pg_get_indexdef(indexrelid) from pg_index join parents on oid = indrelid
      union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid)) from pg_constraint
        join parents on parents.oid = conrelid
      union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace and prokind <> 'a'
      union all select pg_get_triggerdef(pg_trigger.oid) from pg_trigger join parents on parents.oid = tgrelid where not tgisinternal
      union all select concat_ws(' ', sequencename, last_value, start_value) from pg_sequences
      union all select concat_ws(' ', version, name) from creditgate_migrations
      order by line`);
    await close();
    return rows.map(({ line }) => line);
  };

  it("copies one database for the run, which is as the migrations of now make it", async () => {
    const [copy, other, made] = await Promise.all([
      createMigratedDatabase(),
      createMigratedDatabase(),
      createTestDatabase(),
    ]);
    const { pool, close } = connect(made.databaseUrl, 1);
    await migrate(pool);
    await close();
    const schema = await schemaOf(made);
    expect(schema.length).toBeGreaterThan(500);
    expect(await schemaOf(copy)).toEqual(schema);
    await copy.drop();
    expect(await schemaOf(other)).toEqual(schema);
    await Promise.all([other.drop(), made.drop()]);
  });

  it("migrates by itself where the run has no template, or one of other migrations", async () => {
    for (const template of [undefined, "creditgate_test_gone 0123"]) {
      vi.stubEnv("CREDITGATE_TEST_TEMPLATE", template);
      const database = await createMigratedDatabase();
      expect((await schemaOf(database)).length).toBeGreaterThan(500);
      await database.drop();
    }
    vi.unstubAllEnvs();
  });
});

describe("faults", () => {
  it("hang: leaves requests without an answer, and carries them out at restore", async () => {
    plane.faults.hang({ paths: ["/api/v2/usage"] });
    const hanging = call("POST", "/api/v2/usage", { body: usageOf({ indicator: "gift" }) });
    expect((await call("GET", "/api/v1/agents")).status).toBe(200);
    plane.faults.restore();
    expect((await hanging).status).toBe(202);
  });

  it("unavailable: answers with the status, and does nothing", async () => {
    plane.faults.unavailable(503, { paths: ["/api/v2/usage"] });
    const { status, headers } = await call("POST", "/api/v2/usage", { body: usageOf() });
    expect(status).toBe(503);
    expect(headers.get("retry-after")).toBe("1");
    expect((await plane.balance("alice")).ai_credits?.available).toBe(100);
    plane.faults.restore();
    await plane.settled();
    expect((await plane.balance("alice")).ai_credits?.available).toBe(100);
  });
});
