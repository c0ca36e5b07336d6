import { CreditgateError } from "@creditgate/client";
import { createPostgresStore, type PostgresOptions } from "@creditgate/postgres";
import { describe, expect, it } from "vitest";
import { createTestDatabase } from "./database.ts";
import { requestOf, sync } from "./request.ts";

const { pool } = await createTestDatabase();
const store = createPostgresStore({ sql: pool });

/** A reservation of 7 that a process has, as a store that knows it answers. */
const holding = (seq: number, epoch: string | null = null) =>
  requestOf("p", seq, { epoch, base: 7, keep: 7, claim: 7 });

describe("createPostgresStore", () => {
  it.each<[string, object]>([
    ["sql: expected a Pool of pg", { sql: {} }],
    ["sql: expected a Pool of pg", {}],
    ["schema: expected 1 to 48 letters, digits and _", { sql: pool, schema: 'a"; drop' }],
    ["schema: expected 1 to 48 letters, digits and _", { sql: pool, schema: "" }],
    ["shema", { sql: pool, shema: "a" }],
    ['timeoutMS: unknown option; did you mean "timeoutMs"?', { sql: pool, timeoutMS: 1 }],
    ["options: expected an object: createPostgresStore({ sql })", pool],
  ])("refuses misuse: %s", (message, options) => {
    const create = () => createPostgresStore(options as PostgresOptions);
    expect(create).toThrow(CreditgateError);
    expect(create).toThrow(message);
  });

  it("gives a driver that hangs no more than it can do when it is back", async () => {
    const sent: (() => void)[] = [];
    const hanging = {
      async query(text: string) {
        if (text.includes("to_regclass")) return { rows: [{ name: "migration" }] };
        if (text.includes("max(version)")) return { rows: [{ version: "1000" }] };
        return new Promise<never>((_, reject) => sent.push(() => reject(new Error("connection terminated"))));
      },
    };
    const patient = createPostgresStore({ sql: hanging, timeoutMs: 1 });
    const ask = () => patient.exchange("hanging", requestOf("p", 1)).catch((error: Error) => error.message);
    for (let round = 0; round < 15; round++) await Promise.all(Array.from({ length: 100 }, ask));
    expect(sent).toHaveLength(1_000);
    expect(await ask()).toBe("PostgreSQL has not answered 1000 statements: until it does none is sent");
    for (const fail of sent.splice(0)) fail();
    await expect
      .poll(async () => [await ask(), sent.length])
      .toEqual([expect.stringContaining("in 1 ms"), 1]);
  });

  it("answers in another epoch after the table was emptied, and asks what the process has", async () => {
    const before = await sync(store, "emptied", holding(1));
    expect(before).toMatchObject({ status: "ok", reservation: 7, out: 7 });
    await pool.query("truncate creditgate_fleet.account");
    const after = await store.exchange("emptied", holding(2, before.epoch));
    expect(after).toMatchObject({ status: "register", out: 0 });
    expect(after.epoch).not.toBe(before.epoch);
    const registered = await store.exchange("emptied", {
      ...holding(3, after.epoch),
      at: after.now,
      register: true,
    });
    expect(registered).toMatchObject({ status: "ok", reservation: 7, calm: false });
  });

  it("answers in another epoch where the tables were restored from a dump", async () => {
    const before = await sync(store, "restored", holding(1));
    await pool.query(`
      create table saved as select * from creditgate_fleet.store;
      drop schema creditgate_fleet cascade`);
    await createPostgresStore({ sql: pool }).exchange("another", requestOf("q", 1));
    await pool.query(
      "delete from creditgate_fleet.store; insert into creditgate_fleet.store select * from saved; drop table saved",
    );
    const after = await store.exchange("restored", holding(2, before.epoch));
    expect(after.status).toBe("register");
    expect(after.epoch).not.toBe(before.epoch);
  });

  it("keeps the epoch of an account that a lost one is not", async () => {
    const one = await store.exchange("one", requestOf("p", 1));
    const other = await store.exchange("other", requestOf("p", 1));
    expect(other.epoch).toBe(one.epoch);
  });

  it("commits durably in a database that is set not to", async () => {
    const seen: unknown[] = [];
    const client = await pool.connect();
    try {
      await client.query("set synchronous_commit = off");
      const query = async (text: string, values?: string[]) => {
        await client.query("begin");
        const result = await client.query(text, values);
        const { rows } = await client.query("show synchronous_commit");
        if (text.includes("exchange")) seen.push(rows[0]);
        await client.query("commit");
        return result;
      };
      await createPostgresStore({ sql: { query } }).exchange("durable", requestOf("p", 1));
      expect(seen).toEqual([{ synchronous_commit: "on" }]);
      await client.query("reset synchronous_commit");
    } finally {
      client.release();
    }
  });

  it("clears away two accounts that have been idle for long with each new one, and none with a reservation", async () => {
    await sync(store, "idle:used", holding(1));
    for (const idle of ["idle:1", "idle:2", "idle:3"]) await store.exchange(idle, requestOf("p", 1));
    await pool.query("update creditgate_fleet.account set idle_from = 0 where key like 'idle:%'");
    await store.exchange("new:1", requestOf("p", 1));
    const left = async () => {
      const { rows } = await pool.query(
        "select key from creditgate_fleet.account where key like 'idle:%' order by key",
      );
      return rows.map(({ key }) => key);
    };
    expect(await left()).toHaveLength(2);
    await store.exchange("new:2", requestOf("p", 1));
    expect(await left()).toEqual(["idle:used"]);
  });

  it("does the steps of many processes at once, one after the other", async () => {
    const account = "busy";
    const steps = Array.from({ length: 60 }, (_, at) =>
      sync(store, account, requestOf(`p${at}`, 1, { base: 1, keep: 1, claim: 1 })),
    );
    const outs = (await Promise.all(steps)).map(({ out }) => out);
    expect(outs.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
  });
});
