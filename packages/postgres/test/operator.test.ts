import {
  createPostgresStore,
  initPostgresStore,
  listBlocks,
  migratePostgres,
  resolveBlock,
} from "@creditgate/postgres";
import { main } from "@creditgate/postgres/cli";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createTestDatabase } from "./database.ts";
import { createTrialSchema, trialOf } from "./trial.ts";
import { wordOf } from "./word.ts";

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
  const { now: stamp, epoch } = await store.exchange(account, wordOf("reader", 1, { news: "now" }));
  const snapshot = { stamp, epoch, prepaid: 100, postpaid: 100, tells: true };
  return store.exchange(account, wordOf("reader", 2, { epoch, snapshot }));
}

describe("initPostgresStore", () => {
  it("lets a store grant at once that was never used, and refuses one that was", async () => {
    const usual = await create();
    expect((await read(usual, "a")).calm).toBe(false);
    await expect(initPostgresStore(usual.options)).rejects.toThrow(
      "expected one that no process has used yet",
    );
    const spared = await create();
    await initPostgresStore(spared.options);
    expect((await read(spared, "a")).calm).toBe(true);
  });
});

describe("listBlocks, resolveBlock", () => {
  it("shows what processes have, and frees what one has that is silent: as usage", async () => {
    const { options, store, advance } = await create();
    const block = (amount: number) => ({ base: amount, keep: amount, claim: amount });
    await store.exchange("ada", wordOf("dead", 1, block(7_000_000)));
    await advance(400);
    await store.exchange(
      "ada",
      wordOf("alive", 1, { ...block(2_000_000), keep: 3_000_000, claim: 3_000_000 }),
    );
    await store.exchange("bob", wordOf("alive", 1));
    expect(await listBlocks(options)).toEqual([
      { account: "ada", process: "dead", credits: 7, unused: 0, silent: true },
      { account: "ada", process: "alive", credits: 3, unused: 1, silent: false },
    ]);
    for (const [account, process] of [
      ["ada", "alive"],
      ["ada", "nobody"],
      ["bob", "alive"],
      ["eve", "dead"],
    ] as const) {
      await expect(resolveBlock(options, account, process)).rejects.toThrow(
        "process: expected one that has a block",
      );
    }
    await resolveBlock(options, "ada", "dead");
    expect(await store.exchange("ada", wordOf("other", 1))).toMatchObject({
      out: 3_000_000,
      used: 7_000_000,
    });
  });
});

describe("migratePostgres", () => {
  it("creates the schema, again and again", async () => {
    for (let time = 0; time < 2; time++) await migratePostgres({ sql: pool, schema: "migrated" });
    expect(await listBlocks({ sql: pool, schema: "migrated" })).toEqual([]);
  });
});

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
    await store.exchange("ada", wordOf("dead", 1, { base: 7_000_000, keep: 7_000_000, claim: 7_000_000 }));
    await advance(400);
    stdout = "";
    expect(await main(["list", "--schema", options.schema], { DATABASE_URL: url })).toBe(0);
    expect(stdout).toBe("silent  dead  7 credits  0 unused  ada\n1 blocks\n");
    stdout = "";
    expect(await main(["list", "--json", ...where])).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ blocks: [{ account: "ada", process: "dead", silent: true }] });
    expect(await main(["resolve", "ada", "dead", ...where])).toBe(0);
    expect(await store.exchange("ada", wordOf("other", 1))).toMatchObject({ out: 0, used: 7_000_000 });
    expect(stderr).toBe("");
  });

  it.each<[string[], string]>([
    [["explode"], "command: expected migrate, init, list or resolve"],
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
