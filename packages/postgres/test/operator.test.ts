import { parseArgs } from "node:util";
import type { OutboxReport } from "@creditgate/core";
import {
  createPostgresOutbox,
  createPostgresStore,
  initPostgresStore,
  listReservations,
  migratePostgres,
  resolveReservation,
} from "@creditgate/postgres";
import { main as runMain } from "@creditgate/postgres/cli";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createTestDatabase } from "./database.ts";
import { requestOf, sync } from "./request.ts";
import { createTrialSchema, trialOf } from "./trial.ts";

const { url, pool } = await createTestDatabase();
let schemas = 0;

/** A store of its own, whose time the test moves. */
async function create() {
  const options = { sql: pool, schema: `operated_${schemas++}` };
  await createTrialSchema(pool, options.schema);
  const { store, advance } = trialOf(pool, options.schema, createPostgresStore(options));
  return { options, store, advance };
}

/** A balance that tells is asked for and read, by a process that has nothing. */
async function read({ store, advance }: Awaited<ReturnType<typeof create>>, account: string) {
  await advance(1);
  const { now: stamp, epoch } = await store.exchange(account, requestOf("reader", 1, { refresh: "now" }));
  const snapshot = { stamp, epoch, prepaid: 100, postpaid: 100, extended: true };
  return store.exchange(account, requestOf("reader", 2, { epoch, snapshot }));
}

describe("initPostgresStore", () => {
  it("lets a store grant at once that was never used, and leaves one as it is that was", async () => {
    const usual = await create();
    expect((await read(usual, "a")).calm).toBe(false);
    expect(await initPostgresStore(usual.options)).toBe(false);
    expect((await read(usual, "a")).calm).toBe(false);
    const spared = await create();
    expect(await initPostgresStore(spared.options)).toBe(true);
    expect((await read(spared, "a")).calm).toBe(true);
  });
});

describe("listReservations, resolveReservation", () => {
  it("shows what processes have, and frees what one has that is silent: as usage", async () => {
    const { options, store, advance } = await create();
    const reservation = (amount: number) => ({ base: amount, keep: amount, claim: amount });
    await sync(store, "ada", requestOf("dead", 1, reservation(7_000_000)));
    await advance(400);
    await sync(
      store,
      "ada",
      requestOf("alive", 1, { ...reservation(2_000_000), keep: 3_000_000, claim: 3_000_000 }),
    );
    await store.exchange("bob", requestOf("alive", 1));
    expect(await listReservations(options)).toEqual([
      { account: "ada", process: "dead", credits: 7, unused: 0, silent: true },
      { account: "ada", process: "alive", credits: 3, unused: 1, silent: false },
    ]);
    for (const [account, process] of [
      ["ada", "alive"],
      ["ada", "nobody"],
      ["bob", "alive"],
      ["eve", "dead"],
    ] as const) {
      await expect(resolveReservation(options, account, process)).rejects.toThrow(
        "process: expected one that has a reservation",
      );
    }
    await resolveReservation(options, "ada", "dead");
    expect(await store.exchange("ada", requestOf("other", 1))).toMatchObject({
      out: 3_000_000,
      used: 7_000_000,
    });
  });
});

describe("migratePostgres", () => {
  it("creates the schema, again and again", async () => {
    for (let time = 0; time < 2; time++) await migratePostgres({ sql: pool, schema: "migrated" });
    expect(await listReservations({ sql: pool, schema: "migrated" })).toEqual([]);
  });
});

function main(args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  const { stdout, stderr } = process;
  return runMain(args, { process: { env, stdout, stderr }, parseArgs });
}

function report(id: string): OutboxReport {
  const entry = { id, amount: 2_500_000 };
  const what = { customerId: "ada", agentId: "chat", indicator: "message", currency: "credits" };
  return { id, ...what, rawUsage: { outputTokens: 7 }, entry };
}

describe("creditgate postgres", () => {
  let stdout = "";
  let stderr = "";
  beforeEach(() => {
    [stdout, stderr] = ["", ""];
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      stdout += text;
      return true;
    });
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      stderr += text;
      return true;
    });
  });
  afterEach(() => vi.restoreAllMocks());

  it("does the same from the command line", async () => {
    const { options, store, advance } = await create();
    const where = ["--database", url, "--schema", options.schema];
    expect(await main(["migrate", ...where])).toBe(0);
    expect(await main(["init", ...where])).toBe(0);
    await sync(store, "ada", requestOf("dead", 1, { base: 7_000_000, keep: 7_000_000, claim: 7_000_000 }));
    await advance(400);
    stdout = "";
    expect(await main(["list", "--schema", options.schema], { DATABASE_URL: url })).toBe(0);
    expect(stdout).toBe("silent  dead  7 credits  0 unused  ada\n1 reservations\n");
    stdout = "";
    expect(await main(["list", "--json", ...where])).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      reservations: [{ account: "ada", process: "dead", silent: true }],
    });
    expect(await main(["resolve", "ada", "dead", ...where])).toBe(0);
    expect(await store.exchange("ada", requestOf("other", 1))).toMatchObject({ out: 0, used: 7_000_000 });
    expect(stderr).toBe("");
  });

  it("lists, sends again and drops what waits in the outboxes, while their processes run", async () => {
    const schema = `operated_${schemas++}`;
    const where = ["--database", url, "--schema", schema, "--name", "chat"];
    const outbox = createPostgresOutbox({ sql: pool, schema, name: "chat" });
    await outbox.append(["a", "b", "c"].map(report));
    await outbox.park(report("a"), "reset");
    await outbox.bury(report("b"), "422");
    expect(await main(["outbox", "list", ...where])).toBe(0);
    expect(stdout).toMatch(
      /^parked {2}a {2}ada {2}message {2}2.5 credits {2}\S+Z {2}reset\ndead {2}b .*422\n/,
    );
    expect(stdout).toMatch(/1 parked, 1 dead, 1 queued\n$/);
    const result = async (command: Promise<number>) => {
      const decided: unknown[] = [];
      let isOver = false;
      const code = command.finally(() => {
        isOver = true;
      });
      while (!isOver) decided.push(...(await outbox.fleet.heartbeat(0)).decided);
      return { code: await code, decided };
    };
    expect(await result(main(["outbox", "retry", "--parked", ...where]))).toMatchObject({
      code: 0,
      decided: [{ report: { id: "a" }, as: "retry" }],
    });
    expect(
      await result(main(["outbox", "resolve", "b", "--discard", "--reason", "refunded", ...where])),
    ).toMatchObject({ code: 0, decided: [{ report: { id: "b" }, as: "discard", reason: "refunded" }] });
    expect(stdout).toMatch(/1 queued\n1 resolved: refunded\n$/);
    expect(await outbox.status()).toEqual({ queued: 2, parked: 0, dead: 0 });
    expect(await main(["outbox", "resolve", "c", "--discard", ...where])).toBe(2);
    expect(stderr).toContain('c: expected a parked or dead report, received "one that is queued"');
  });

  it.each<[string[], string]>([
    [["explode"], "command: expected migrate, init, list, resolve, outbox"],
    [["outbox", "explode"], "command: expected list, export, retry or resolve"],
    [["list", "more"], "list: expected nothing more"],
    [["resolve", "ada"], "resolve: expected an account and a process"],
    [["list", "--shema", "a"], "--shema"],
    [["list"], "--database: expected the URL of a database, or DATABASE_URL"],
  ])("ends with 2 for wrong input: %j", async (args, message) => {
    expect(await main(args, {})).toBe(2);
    expect(stderr).toContain(message);
  });

  it("ends with 1 where the database cannot be reached, and shows help", async () => {
    expect(await main(["list", "--database", "postgres://nobody@127.0.0.1:1/none"])).toBe(1);
    expect(stderr).toMatch(/^creditgate postgres: /);
    expect(await main([])).toBe(0);
    expect(stdout).toContain("creditgate postgres resolve ACCOUNT PROCESS");
  });
});
