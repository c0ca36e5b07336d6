import { chmodSync, existsSync, type StatsFs, statSync } from "node:fs";
import fileSystem from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { createSqliteOutbox } from "@creditgate/sqlite";
import { main as run } from "@creditgate/sqlite/cli";
import Libsql from "libsql";
import LibsqlPromise from "libsql/promise";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { temporaryFile } from "./temporary-file.ts";

const main = (args: readonly string[]) => run(args, { process, parseArgs });
let stdout = "";
let stderr = "";
beforeEach(() => {
  stdout = "";
  stderr = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    stdout += text;
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    stderr += text;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const report = (id: string) => ({
  id,
  customerId: "ada",
  agentId: "chat",
  indicator: "message",
  rawUsage: { outputTokens: 7 },
  currency: "credits",
  entry: { id, amount: 2_500_000 },
});
const work = {
  id: "work",
  customerId: "ada",
  currency: "credits",
  agentId: "chat",
  indicator: "message",
  hold: 3_000_000,
};

/** A file with a queued, a parked, a dead and a delivered report, and an orphan. */
async function file(): Promise<string> {
  const path = temporaryFile();
  const outbox = createSqliteOutbox({ path });
  await outbox.append(["queued", "parked", "dead", "delivered"].map(report));
  await outbox.park(report("parked"), "reset\u001b[31m");
  await outbox.bury(report("dead"), "422: no such indicator");
  await outbox.delivered([report("delivered")], 10_000, []);
  await outbox.works.begin(work);
  await outbox.close();
  return path;
}

async function listed(path: string): Promise<Record<string, string>> {
  stdout = "";
  expect(await main(["list", "--path", path, "--all", "--json"])).toBe(0);
  const { items }: { items: { id: string; state: string }[] } = JSON.parse(stdout);
  return Object.fromEntries(items.map(({ id, state }) => [id, state]));
}

/** What the next process finds. */
async function found(
  path: string,
): Promise<{ readonly queue: readonly (readonly [string, object])[]; readonly counted: readonly string[] }> {
  const outbox = createSqliteOutbox({ path });
  const { reports, works } = await outbox.recover(0);
  const queue = await outbox.next(10);
  await outbox.close();
  return {
    queue: queue.map(({ id, rawUsage }) => [id, rawUsage] as const),
    counted: [...reports, ...works].map(({ id }) => id),
  };
}

describe("creditgate outbox", () => {
  it("says of a directory that it is one, and leaves its mode", async () => {
    const path = dirname(temporaryFile());
    chmodSync(path, 0o755);
    const words = `outbox ${path}: expected the path of a file, received a directory: name a file in it`;
    expect(() => createSqliteOutbox({ path })).toThrow(words);
    expect(await main(["list", "--path", path])).toBe(1);
    expect(stderr).toContain(words);
    expect(statSync(path).mode & 0o777).toBe(0o755);
  });

  it("lists what waits for a decision, and counts the rest", async () => {
    const path = await file();
    expect(await main(["list", "--path", path])).toBe(0);
    expect(stdout).toMatch(
      /^parked {2}parked {2}ada {2}message {2}2.5 credits {2}\S+Z {2}reset \[31m\ndead {2}dead/,
    );
    expect(stdout).toMatch(/orphan {2}work {2}ada {2}message {2}3 credits/);
    expect(stdout).toMatch(/1 queued, 1 parked, 1 dead, 1 delivered, 1 orphan\n$/);
    expect(stdout).not.toContain("\u001b");
  });

  it("exports everything, one line of JSON for each", async () => {
    expect(await main(["export", "--path", await file()])).toBe(0);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { id: "queued", state: "queued", credits: 2.5, rawUsage: { outputTokens: 7 }, customerId: "ada" },
      { id: "parked", state: "parked" },
      { id: "dead", state: "dead", reason: "422: no such indicator" },
      { id: "delivered", state: "delivered" },
      { id: "work", state: "orphan", credits: 3 },
    ]);
  });

  it("lists and exports while the application runs; retry and resolve need it stopped", async () => {
    const path = await file();
    const outbox = createSqliteOutbox({ path });
    expect(await listed(path)).toMatchObject({ parked: "parked" });
    expect(await main(["export", "--path", path])).toBe(0);
    expect(await main(["retry", "--path", path, "dead"])).toBe(1);
    expect(stderr).toContain(`received one that process ${process.pid}`);
    await outbox.append([report("more")]);
    await outbox.works.begin({ ...work, id: "in flight" });
    expect(await listed(path)).toMatchObject({ more: "queued", "in flight": "open", work: "orphan" });
    await outbox.close();
  });

  it("puts parked and dead reports back into the queue", async () => {
    const path = await file();
    expect(await main(["retry", "--path", path, "dead", "parked", "--json"])).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ queued: ["dead", "parked"] });
    expect((await found(path)).queue.map(([id]) => id)).toEqual(["queued", "parked", "dead"]);
  });

  it("resolves what was billed: it counts for the lag; what was discarded does not", async () => {
    const path = await file();
    expect(await main(["resolve", "--path", path, "parked", "--delivered"])).toBe(0);
    expect(await main(["resolve", "--path", path, "--dead", "--discard"])).toBe(0);
    expect(await main(["resolve", "--path", path, "--orphans", "--discard"])).toBe(0);
    expect((await found(path)).counted).toEqual(["queued", "parked", "delivered"]);
  });

  it("bills an orphan what it is told", async () => {
    const path = await file();
    expect(await main(["resolve", "--path", path, "work", "--bill", '{"outputTokens":9}'])).toBe(0);
    expect(await found(path)).toMatchObject({
      queue: [
        ["queued", {}],
        ["work", { outputTokens: 9 }],
      ],
      counted: ["queued", "parked", "dead", "delivered", "work"],
    });
  });

  it("does all or nothing", async () => {
    const path = await file();
    const before = await listed(path);
    expect(await main(["retry", "--path", path, "dead", "queued"])).toBe(2);
    expect(await main(["resolve", "--path", path, "dead", "unknown", "--discard"])).toBe(2);
    expect(await main(["resolve", "--path", path, "dead", "--bill", "{}"])).toBe(2);
    expect(await listed(path)).toEqual(before);
    expect(stderr).toContain('unknown: expected a parked or dead report, received "no such id"');
  });

  it("does nothing of what it can do only a part of", async () => {
    const path = await file();
    const before = await listed(path);
    const database = new Libsql(path);
    database.exec(
      `CREATE TRIGGER refusal BEFORE INSERT ON step WHEN NEW.id > (SELECT value FROM meta WHERE name = 'since')
       BEGIN SELECT RAISE(ABORT, 'the second step'); END`,
    );
    database.close();
    expect(await main(["retry", "--path", path, "dead", "parked"])).toBe(1);
    expect(stderr).toContain("the second step");
    expect(await listed(path)).toEqual(before);
  });

  it("decides on a full disk, in the space that the outbox has kept there", async () => {
    const path = await file();
    const reserve = `${path}-reserve`;
    expect(existsSync(reserve)).toBe(true);
    const { exec } = LibsqlPromise.prototype;
    vi.spyOn(LibsqlPromise.prototype, "exec").mockImplementation(async function (this: object, text) {
      if (text !== "COMMIT" || !existsSync(reserve)) return exec.call(this, text);
      // As SQLite does where it finds no room at the end of a transaction.
      await exec.call(this, "ROLLBACK");
      throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
    });
    vi.spyOn(fileSystem, "statfs").mockResolvedValue({ bavail: 0, bsize: 1 } as StatsFs);
    syncBuiltinESMExports();
    expect(await main(["retry", "--path", path, "dead", "parked"])).toBe(0);
    expect(await listed(path)).toMatchObject({ dead: "queued", parked: "queued" });
  });

  it.each([
    [["list"], "--path: expected the file of the outbox, received undefined"],
    [["forget", "--path", "x"], 'command: expected list, export, retry or resolve, received "forget"'],
    [
      ["retry", "--path", "x"],
      "ids: expected some, or else --parked, --dead or --orphans, received undefined",
    ],
    [["retry", "--path", "x", "a", "--dead"], 'received "a dead"'],
    [
      ["resolve", "--path", "x", "a"],
      "resolve: expected one of --delivered, --discard and --bill, received undefined",
    ],
    [["resolve", "--path", "x", "a", "--discard", "--delivered"], 'received "--delivered and --discard"'],
    [["resolve", "--path", "x", "a", "--bill", "7"], "--bill: expected a usage as JSON"],
    [["list", "--path", "x", "--colour"], "Unknown option '--colour'"],
    [["list", "--path", "x", "more"], 'list: expected nothing more, received "more"'],
  ])("refuses %j", async (args, message) => {
    expect(await main(args)).toBe(2);
    expect(stderr).toContain(message);
  });

  it("creates no file, and says which one is missing", async () => {
    const path = temporaryFile();
    for (const args of [["list"], ["retry", "a"]]) expect(await main([...args, "--path", path])).toBe(1);
    expect(stderr).toContain(`outbox ${path}: there is no such file`);
  });
});
