import type { OutboxReport } from "@creditgate/core";
import { createPostgresOutbox, createPostgresStore } from "@creditgate/postgres";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { createTestDatabase } from "./database.ts";
import { requestOf, sync } from "./request.ts";

const { url, pool } = await createTestDatabase();

const tables = async (schema: string) => {
  const { rows } = await pool.query(
    "select count(*)::int as tables from pg_class where relnamespace = to_regnamespace($1) and relkind = 'r'",
    [schema],
  );
  return rows[0].tables;
};

const report = (id: string): OutboxReport => ({
  id,
  customerId: "ada",
  agentId: "chat",
  indicator: "message",
  rawUsage: {},
  currency: "credits",
  entry: { id, amount: 1 },
});

describe("the schema", () => {
  it("is created once by processes that start at the same time", async () => {
    const stores = Array.from({ length: 8 }, () => createPostgresStore({ sql: pool, schema: "together" }));
    const answers = await Promise.all(stores.map((store, at) => store.exchange("a", requestOf(`p${at}`, 1))));
    expect(new Set(answers.map(({ epoch }) => epoch)).size).toBe(1);
    const { rows } = await pool.query("select version from together.migration order by version");
    expect(rows.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
  });

  it("stands in the schema that is named, and leaves others alone", async () => {
    await createPostgresStore({ sql: pool, schema: "Named_1" }).exchange("a", requestOf("p", 1));
    expect(await tables('"Named_1"')).toBeGreaterThan(0);
    expect(await tables("creditgate_fleet")).toBe(0);
    await createPostgresStore({ sql: pool }).exchange("a", requestOf("p", 1));
    expect(await tables("creditgate_fleet")).toBeGreaterThan(0);
  });

  it("is tried again where it could not be created", async () => {
    let isDown = true;
    const query = (text: string, values?: string[]) =>
      isDown ? Promise.reject(new Error("connection refused")) : pool.query(text, values);
    const store = createPostgresStore({ sql: { query }, schema: "later" });
    await expect(store.exchange("a", requestOf("p", 1))).rejects.toThrow("connection refused");
    isDown = false;
    expect(await store.exchange("a", requestOf("p", 1))).toMatchObject({ status: "ok" });
  });

  it("is created again where it is dropped while processes run, which say again what they have", async () => {
    const store = createPostgresStore({ sql: pool, schema: "dropped" });
    const outbox = createPostgresOutbox({ sql: pool, schema: "dropped", process: "web-1" });
    const before = await sync(store, "a", requestOf("p", 1, { base: 7, keep: 7, claim: 7 }));
    await outbox.append([report("a")]);
    await pool.query("drop schema dropped cascade");
    await outbox.append([report("b")]);
    const request = requestOf("p", 2, { epoch: before.epoch, base: 7, keep: 7, claim: 7 });
    expect(await store.exchange("a", request)).toMatchObject({ status: "register", out: 0 });
    const next = createPostgresOutbox({ sql: pool, schema: "dropped", process: "web-1" });
    expect((await next.next(10)).map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("leaves nothing behind where it fails in the middle", async () => {
    await pool.query("create schema half; create table half.account (key text)");
    const store = createPostgresStore({ sql: pool, schema: "half" });
    await expect(store.exchange("a", requestOf("p", 1))).rejects.toThrow("already exists");
    expect(await tables("half")).toBe(1);
  });

  describe("for a role that may not create", () => {
    const role = `creditgate_app_${process.pid}`;
    const app = new pg.Pool({ connectionString: withUser(url, role) });
    // A connection that is cut when its database is dropped: end() does not wait for it to close.
    app.on("error", () => {});
    afterAll(async () => {
      await app.end();
      await pool.query(`drop owned by ${role}; drop role ${role}`);
    });

    it("must be there, and granted", async () => {
      await pool.query(`create role ${role} login password 'app'`);
      const store = createPostgresStore({ sql: app, schema: "granted" });
      await expect(store.exchange("a", requestOf("p", 1))).rejects.toThrow("permission denied");
      await createPostgresStore({ sql: pool, schema: "granted" }).exchange("a", requestOf("p", 1));
      await pool.query(`
        grant usage on schema granted to ${role};
        grant select, insert, update, delete on all tables in schema granted to ${role};`);
      expect(await store.exchange("a", requestOf("q", 1))).toMatchObject({ status: "ok" });
    });
  });
});

function withUser(databaseUrl: string, user: string): string {
  const changed = new URL(databaseUrl);
  changed.username = user;
  changed.password = "app";
  return changed.href;
}
