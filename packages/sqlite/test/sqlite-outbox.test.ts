import {
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type StatsFs,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import fileSystem from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { OutboxReport } from "@creditgate/core";
import {
  createSqliteOutbox,
  type OpenDatabase,
  OutboxError,
  type SqliteDatabase,
  type SqliteOutbox,
  type SqliteOutboxOptions,
} from "@creditgate/sqlite";
import Libsql from "libsql";
import { afterEach, describe, expect, it, vi } from "vitest";
import { sqliteOperator } from "../src/outbox-file.ts";
import { temporaryFile } from "./temporary-file.ts";

function report(id: string, model = "m"): OutboxReport {
  const entry = { id, amount: 1_000_000 };
  return {
    id,
    customerId: "ada",
    agentId: "chat",
    indicator: "message",
    rawUsage: { model },
    currency: "credits",
    entry,
  };
}

function misuse(options: unknown): unknown {
  try {
    return createSqliteOutbox(options as SqliteOutboxOptions);
  } catch (error) {
    return error;
  }
}

async function file(outbox: SqliteOutbox, ...reports: readonly OutboxReport[]): Promise<void> {
  await outbox.append(reports);
  outbox.release(reports);
}

/** A disk that takes no write while it is full: no page of a file has room for one that a test could rely on. */
const onDisk =
  (isFull: () => boolean): OpenDatabase =>
  (path) => {
    const database = new Libsql(path);
    const take = <T>(text: string, write: () => T): T => {
      if (isFull() && /^\s*(INSERT|UPDATE|DELETE)/.test(text)) {
        throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
      }
      return write();
    };
    return {
      exec: (text) => take(text, () => database.exec(text)),
      prepare(text) {
        const statement = database.prepare(text);
        return {
          run: (...values) => take(text, () => statement.run(...values)),
          get: (...values) => statement.get(...values),
          all: (...values) => statement.all(...values),
        };
      },
      close: () => database.close(),
    };
  };

/** Lets the system report this number of free bytes. */
function reportFreeBytes(bytes: number): void {
  vi.spyOn(fileSystem, "statfs").mockResolvedValue({ bavail: bytes, bsize: 1 } as StatsFs);
  syncBuiltinESMExports();
}

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

describe("createSqliteOutbox", () => {
  it("refuses an option that it does not know, and tells the nearest", () => {
    const options = { path: temporaryFile(), maxbyte: 1_000 };
    expect(() => createSqliteOutbox(options)).toThrow(
      expect.objectContaining({
        name: "OutboxError",
        code: "invalid_option",
        message: 'maxbyte: unknown option; did you mean "maxBytes"?',
      }),
    );
  });

  it.each([
    ["options", undefined, "an object", "undefined"],
    ["path", { path: "" }, "the path of a file", '""'],
    ["path", { path: ":memory:" }, "the path of a file", '":memory:"'],
    ["maxReports", { path: "x", maxReports: 0 }, "a whole number, from 1 to 10000000", "0"],
    ["maxBytes", { path: "x", maxBytes: 1.5 }, "a whole number, 1 or more", "1.5"],
    ["synchronous", { path: "x", synchronous: "off" }, '"full" or "normal"', '"off"'],
    ["open", { path: "x", open: {} }, "a function", "an object"],
  ])("refuses a bad %s", (option, options, expected, received) => {
    const error = misuse(options);
    expect(error).toBeInstanceOf(OutboxError);
    expect(error).toMatchObject({
      code: "invalid_option",
      message: `${option}: expected ${expected}, received ${received}`,
    });
  });

  it("says which file cannot be opened", () => {
    const path = join(temporaryFile(), "no", "such", "folder.db");
    expect(misuse({ path })).toMatchObject({ code: "unavailable", message: expect.stringContaining(path) });
  });

  it("writes files that only their owner can read: the database, its log, its lock", async () => {
    const path = temporaryFile();
    const outbox = createSqliteOutbox({ path });
    await outbox.append([report("a")]);
    const files = readdirSync(dirname(path));
    expect(files).toEqual(
      expect.arrayContaining(["", "-wal", "-shm", "-lock"].map((part) => basename(path) + part)),
    );
    for (const file of files) expect(statSync(join(dirname(path), file)).mode & 0o777, file).toBe(0o600);
    await outbox.close();
  });

  it("takes rights away from a file that others could read", async () => {
    const path = temporaryFile();
    writeFileSync(path, "", { mode: 0o644 });
    const outbox = createSqliteOutbox({ path });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await outbox.close();
  });

  it("syncs at every commit unless told otherwise", async () => {
    for (const [synchronous, level] of [
      ["full", 2],
      ["normal", 1],
    ] as const) {
      const opened: SqliteDatabase[] = [];
      const open = (path: string) => {
        const database = new Libsql(path);
        opened.push(database);
        return database;
      };
      const outbox = createSqliteOutbox({
        path: temporaryFile(),
        open,
        ...(synchronous === "full" ? {} : { synchronous }),
      });
      await outbox.append([report("a")]);
      expect(opened.at(-1)?.prepare("PRAGMA synchronous").get()).toMatchObject({ synchronous: level });
      expect(opened.at(-1)?.prepare("PRAGMA journal_mode").get()).toMatchObject({ journal_mode: "wal" });
      await outbox.close();
    }
  });

  it("commits what comes together together", async () => {
    let commits = 0;
    const open = (path: string): SqliteDatabase => {
      const database = new Libsql(path);
      const exec = (sql: string) => {
        if (sql.startsWith("INSERT INTO step")) commits++;
        return database.exec(sql);
      };
      return { exec, prepare: (sql) => database.prepare(sql), close: () => database.close() };
    };
    const outbox = createSqliteOutbox({ path: temporaryFile(), open });
    await Promise.all(Array.from({ length: 500 }, (_, at) => outbox.append([report(`r${at}`)])));
    expect(commits).toBe(1);
    expect(await outbox.status()).toMatchObject({ queued: 500 });
    await outbox.close();
  });

  it("lets the log go that has been delivered, also where reports stay that came before it", async () => {
    const path = temporaryFile();
    const outbox = createSqliteOutbox({ path });
    const aside = Array.from({ length: 41 }, (_, at) => report(`aside ${at}`));
    await outbox.append(aside);
    await outbox.sendings.begin(aside.map(({ id }) => id));
    for (let turn = 0; turn < 40; turn++) {
      await file(outbox, ...Array.from({ length: 500 }, (_, at) => report(`${turn} ${at}`)));
      const delivered = outbox.delivered(await outbox.next(1_000), 0, []);
      // In one step, which may be the one that writes them anew.
      await Promise.all([delivered, outbox.bury(report(`aside ${turn}`), "422")]);
    }
    await outbox.close();
    const database = new Libsql(path);
    expect(database.prepare("SELECT count(*) AS steps FROM step").get()).toMatchObject({
      steps: expect.toSatisfy((steps: number) => steps < 40),
    });
    database.close();
    const next = createSqliteOutbox({ path });
    expect(await next.status()).toEqual({ queued: 1, parked: 0, dead: 40 });
    expect((await next.recover(0)).sent).toEqual([report("aside 40")]);
    await next.close();
  });

  it("is full at its bound of bytes, and takes on what comes", async () => {
    const outbox = createSqliteOutbox({ path: temporaryFile(), maxBytes: 1_000 });
    await outbox.append([report("a", "x".repeat(200))]);
    expect(outbox.full).toBe(false);
    await outbox.append([report("b", "x".repeat(900))]);
    expect(outbox.full).toBe(true);
    await outbox.append([report("c")]);
    expect(await outbox.status()).toMatchObject({ queued: 3 });
    await outbox.delivered([report("a"), report("b")], 0, []);
    expect(outbox.full).toBe(false);
    await outbox.close();
  });

  it("counts bytes, of which a character may have several", async () => {
    const outbox = createSqliteOutbox({ path: temporaryFile(), maxBytes: 1_000 });
    await outbox.append([report("a", "é".repeat(220) + "\u4e2d".repeat(90) + "\u{1f600}".repeat(45))]);
    expect(outbox.full).toBe(true);
    await outbox.close();
  });

  it("bounds the log by its bytes where reports are large", async () => {
    const path = temporaryFile();
    const outbox = createSqliteOutbox({ path });
    const aside = report("aside");
    await outbox.append([aside]);
    await outbox.bury(aside, "422");
    for (let turn = 0; turn < 100; turn++) {
      await file(outbox, report(`${turn}`, "x".repeat(200_000)));
      await outbox.delivered(await outbox.next(10), 0, []);
    }
    await outbox.close();
    const database = new Libsql(path);
    expect(database.prepare("SELECT sum(length(body)) AS bytes FROM step").get()).toMatchObject({
      bytes: expect.toSatisfy((bytes: number) => bytes < 8_000_000),
    });
    database.close();
  });

  it("refuses a file that another outbox owns, and names the owner, until that is closed", async () => {
    const path = temporaryFile();
    const first = createSqliteOutbox({ path });
    expect(misuse({ path })).toMatchObject({
      code: "locked",
      message: expect.stringContaining(`received one that process ${process.pid} on`),
    });
    await first.append([report("a")]);
    expect(misuse({ path })).toMatchObject({ code: "locked" });
    await first.close();
    await expect(first.append([report("b")])).rejects.toThrow("it has been closed");
    const second = createSqliteOutbox({ path });
    expect(await second.next(10)).toMatchObject([{ id: "a" }]);
    await second.close();
  });

  it("names a directory that is missing, and makes none", () => {
    const folder = temporaryFile("missing");
    expect(misuse({ path: join(folder, "usage.db") })).toMatchObject({
      code: "unavailable",
      message: expect.stringContaining(`received ${folder}, which does not: mount its volume, or create it`),
    });
    expect(existsSync(folder)).toBe(false);
  });

  it("owns the file by whatever path or symbolic link it is named", async () => {
    const path = temporaryFile();
    const [link, folder] = [temporaryFile("link.db"), temporaryFile("folder")];
    const first = createSqliteOutbox({ path });
    symlinkSync(path, link);
    symlinkSync(dirname(path), folder);
    const names = [
      link,
      join(folder, basename(path)),
      relative(process.cwd(), path),
      `${dirname(path)}/./usage.db`,
    ];
    for (const name of names) {
      expect(misuse({ path: name }), name).toMatchObject({
        code: "locked",
        message: expect.stringContaining(`received one that process ${process.pid} on`),
      });
    }
    await first.close();
    const second = createSqliteOutbox({ path: link });
    expect(misuse({ path })).toMatchObject({ code: "locked" });
    await second.close();
  });

  it.each([
    ["it has been removed", (path: string) => rmSync(path)],
    ["usage.db-lock has been removed", (path: string) => rmSync(`${path}-lock`)],
    ["usage.db-wal has been removed", (path: string) => rmSync(`${path}-wal`)],
    ["usage.db-shm has been removed", (path: string) => rmSync(`${path}-shm`)],
    [
      "it has been replaced by another file",
      (path: string) => {
        writeFileSync(`${path}-new`, "");
        renameSync(`${path}-new`, path);
      },
    ],
  ])("takes nothing more when its file is gone from beneath it: %s", async (found, takeAway) => {
    const path = temporaryFile();
    const outbox = createSqliteOutbox({ path });
    await file(outbox, report("before"));
    takeAway(path);
    const gone = expect.objectContaining({ code: "unavailable", message: expect.stringContaining(found) });
    await expect(outbox.append([report("after")])).rejects.toEqual(gone);
    await expect(outbox.works.begin({ ...report("work"), hold: 1 })).rejects.toEqual(gone);
    const reservation = { account: "a", process: "p", service: "s", customerId: "ada", currency: "credits" };
    await expect(outbox.reservations.begin(reservation)).rejects.toEqual(gone);
    await expect(outbox.fleet.heartbeat(0)).rejects.toEqual(gone);
    expect([outbox.failing, outbox.full]).toEqual([true, false]);
    // What it took before it still hands out: this process can deliver it.
    const sent = await outbox.next(10);
    expect(sent.map(({ id }) => id)).toEqual(["before"]);
    await outbox.delivered(sent, 0, []);
    expect(await outbox.status()).toEqual({ queued: 0, parked: 0, dead: 0 });
    await outbox.close();
  });

  it("accepts nothing more when its file is truncated beneath it", async () => {
    const path = temporaryFile();
    const before = createSqliteOutbox({ path });
    await file(before, ...Array.from({ length: 50 }, (_, at) => report(`r${at}`)));
    await before.close();
    const { size } = statSync(path);
    const outbox = createSqliteOutbox({ path });
    await file(outbox, report("before"));
    truncateSync(path, size - 4_096);
    await expect(outbox.append([report("after")])).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining(`it has been truncated from ${size} to ${size - 4_096} bytes`),
    });
    expect(outbox.failing).toBe(true);
    await outbox.close();
  });

  it("accepts nothing more when its log is truncated beneath it", async () => {
    const path = temporaryFile();
    const outbox = createSqliteOutbox({ path });
    await outbox.append([report("before")]);
    await outbox.append([report("next")]);
    const { size } = statSync(`${path}-wal`);
    truncateSync(`${path}-wal`, size - 4_096);
    await expect(outbox.append([report("after")])).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining(
        `${path}-wal has been truncated from ${size} to ${size - 4_096} bytes`,
      ),
    });
    await outbox.close();
  });

  it("delivers the others where a report is damaged, and names it", async () => {
    const path = temporaryFile();
    const before = createSqliteOutbox({ path });
    await file(before, ...["a", "b", "c"].map((id) => report(id)));
    await before.park(report("c"), "reset");
    await before.close();
    const database = new Libsql(path);
    for (const text of ['{"report":{"id":"b"', '{"state":"parked"']) {
      const flipped = text.replace('"', "'");
      database.prepare("UPDATE step SET body = replace(body, ?, ?)").run(text, flipped);
    }
    database.close();
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const outbox = createSqliteOutbox({ path });
    expect((await outbox.recover(0)).reports.map(({ id }) => id)).toEqual(["a"]);
    await outbox.append([report("d")]);
    expect((await outbox.next(10)).map(({ id }) => id)).toEqual(["a"]);
    expect(warned.mock.calls.map(([error]) => error)).toEqual(
      ["1.1", "1.2"].map((place) =>
        expect.objectContaining({
          name: "OutboxError",
          code: "corrupt",
          message: expect.stringContaining(`outbox ${path}: the row ${place} is damaged`),
        }),
      ),
    );
    const damaged = (await sqliteOperator(path).list()).filter(({ state }) => state === "damaged");
    expect(damaged).toMatchObject([
      { id: "1.1", reason: expect.stringContaining('"id":"b"') },
      { id: "1.2", reason: expect.stringContaining('"id":"c"') },
    ]);
    await outbox.close();
  });

  it("rejects after it is closed with its own error", async () => {
    const path = temporaryFile();
    const outbox = createSqliteOutbox({ path });
    await outbox.close();
    await expect(outbox.append([report("a")])).rejects.toMatchObject({
      name: "OutboxError",
      code: "unavailable",
      message: `outbox ${path}: it has been closed`,
    });
  });

  it("loses nothing with a log that is removed beneath it, also if the process dies then", async () => {
    const path = temporaryFile();
    const outbox = createSqliteOutbox({ path });
    await outbox.append([report("before")]);
    rmSync(`${path}-wal`);
    await expect(outbox.append([report("after")])).rejects.toMatchObject({ code: "unavailable" });
    // It waits its turn, after the checkpoint.
    await outbox.recover(0);
    const found = temporaryFile();
    copyFileSync(path, found);
    const next = createSqliteOutbox({ path: found });
    expect(await next.next(10)).toMatchObject([{ id: "before" }]);
    await next.close();
    await outbox.close();
  });

  it("refuses a file that has a second name, whose log would be another", async () => {
    const path = temporaryFile();
    const first = createSqliteOutbox({ path });
    linkSync(path, join(dirname(path), "second.db"));
    const error = {
      code: "unavailable",
      message: expect.stringContaining("received one with 2 (hard links)"),
    };
    expect(misuse({ path: join(dirname(path), "second.db") })).toMatchObject(error);
    await first.close();
    expect(misuse({ path })).toMatchObject(error);
  });

  it("counts the bytes of dead letters apart", async () => {
    const path = temporaryFile();
    const options = { path, maxBytes: 1_000 };
    const outbox = createSqliteOutbox(options);
    await file(outbox, report("a", "x".repeat(1_000)), report("b"));
    await outbox.next(1);
    await outbox.bury(report("a"), "422");
    expect([outbox.full, outbox.fullOfDead]).toEqual([false, true]);
    await outbox.close();
    const later = createSqliteOutbox(options);
    await later.status();
    expect([later.full, later.fullOfDead]).toEqual([false, true]);
    await later.retry(["a"]);
    expect([later.full, later.fullOfDead]).toEqual([true, false]);
    await later.close();
  });

  it.each([5, 7])("refuses the file of version %d, and leaves it as it is", async (version) => {
    const path = temporaryFile();
    await createSqliteOutbox({ path }).close();
    const database = new Libsql(path);
    database.exec(`PRAGMA user_version = ${version}`);
    database.close();
    const file = readFileSync(path);
    expect(misuse({ path })).toMatchObject({
      code: "other_version",
      message: `outbox ${path}: expected version 6, received version ${version}: let the @creditgate/sqlite that wrote it deliver what is in it, or name another file`,
    });
    expect(readFileSync(path).equals(file)).toBe(true);
  });

  it("refuses a database of something else, and leaves it as it is", () => {
    const path = temporaryFile();
    const database = new Libsql(path);
    database.exec("CREATE TABLE precious (value)");
    expect(misuse({ path })).toMatchObject({ code: "not_an_outbox", message: expect.stringContaining(path) });
    expect(database.prepare("SELECT name FROM sqlite_schema").all()).toMatchObject([{ name: "precious" }]);
    database.close();
  });

  it("refuses a file that is no database, and leaves it as it is", () => {
    const path = temporaryFile();
    const text = "these are my holiday notes\n".repeat(100);
    writeFileSync(path, text);
    expect(misuse({ path })).toMatchObject({ code: "corrupt", message: expect.stringContaining(path) });
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  it("refuses a damaged file", async () => {
    const path = temporaryFile();
    const outbox = createSqliteOutbox({ path });
    await outbox.append(Array.from({ length: 1_000 }, (_, at) => report(`r${at}`)));
    await outbox.close();
    const database = new Libsql(path);
    database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
    database.close();
    truncateSync(path, statSync(path).size - 8 * 4_096);
    expect(misuse({ path })).toMatchObject({ code: "corrupt", message: expect.stringContaining(path) });
  });

  it("loses nothing to a full disk: refuses, stops admission, and takes the same reports when there is room", async () => {
    const opened: SqliteDatabase[] = [];
    const open = (path: string) => {
      const database = new Libsql(path);
      opened.push(database);
      return database;
    };
    const outbox = createSqliteOutbox({ path: temporaryFile(), open });
    await file(outbox, report("a"));
    const working = opened.at(-1);
    working?.exec("PRAGMA max_page_count = 1");
    const large = Array.from({ length: 100 }, (_, at) => report(`r${at}`, "x".repeat(250)));
    await expect(outbox.append(large)).rejects.toMatchObject({
      code: "disk_full",
      message: expect.stringContaining("the disk is full"),
    });
    expect([outbox.failing, outbox.full]).toEqual([true, false]);
    expect(await outbox.next(1_000)).toMatchObject([{ id: "a" }]);
    expect(await outbox.status()).toEqual({ queued: 1, parked: 0, dead: 0 });
    working?.exec("PRAGMA max_page_count = 1000000");
    await outbox.append(large);
    expect(outbox.failing).toBe(false);
    expect(await outbox.status()).toMatchObject({ queued: 101 });
    await outbox.close();
  });

  it("reads on while a full disk takes no writes, also together with one", async () => {
    const opened: SqliteDatabase[] = [];
    const path = temporaryFile();
    const before = createSqliteOutbox({ path });
    await before.append([report("a")]);
    await before.close();
    const open = (at: string) => {
      const database = new Libsql(at);
      opened.push(database);
      return database;
    };
    const outbox = createSqliteOutbox({ path, open });
    await outbox.status();
    opened.at(-1)?.exec("PRAGMA max_page_count = 1");
    const large = Array.from({ length: 100 }, (_, at) => report(`r${at}`, "x".repeat(250)));
    const [refused, read] = await Promise.allSettled([outbox.append(large), outbox.next(10)]);
    expect(refused).toMatchObject({ status: "rejected", reason: { code: "disk_full" } });
    expect(read).toMatchObject({ status: "fulfilled", value: [{ id: "a" }] });
    await outbox.close();
  });

  it("opens on a full disk, gives what it has, and forgets nothing early when there is room", async () => {
    const path = temporaryFile();
    let time = 1_000_000;
    const before = createSqliteOutbox({ path, clock: { now: () => time } });
    await before.append([report("a"), report("b"), report("c")]);
    await before.delivered([report("a")], 60_000, []);
    await before.close();

    let isFull = true;
    const open = onDisk(() => isFull);
    // The clock of another process: by it, all that was delivered before is long past.
    time = 2_000_000;
    const outbox = createSqliteOutbox({ path, open, clock: { now: () => time } });
    expect((await outbox.recover(60_000)).reports.map(({ entry }) => entry.id)).toEqual(["a", "b", "c"]);
    expect(await outbox.next(10)).toMatchObject([{ id: "b" }, { id: "c" }]);
    await expect(outbox.delivered([report("b")], 60_000, [])).rejects.toMatchObject({
      code: "disk_full",
      message: expect.stringContaining("make room on its volume"),
    });
    isFull = false;
    await outbox.delivered([report("b")], 60_000, []);
    await outbox.close();
    const after = createSqliteOutbox({ path, clock: { now: () => time } });
    expect((await after.recover(60_000)).reports.map(({ entry }) => entry.id)).toEqual(["a", "b", "c"]);
    expect(await after.status()).toEqual({ queued: 1, parked: 0, dead: 0 });
    await after.close();
  });

  it("marks what is delivered on a full disk in space that it has kept, and admits nothing until it has some again", async () => {
    const path = temporaryFile();
    const reserve = `${path}-reserve`;
    let isFull = false;
    // What the reserve gives up is all the room that there is.
    const outbox = createSqliteOutbox({ path, open: onDisk(() => isFull && existsSync(reserve)) });
    await file(outbox, report("a"), report("b"));
    await expect.poll(() => statSync(reserve, { throwIfNoEntry: false })?.size).toBe(8 * 2 ** 20);
    expect(statSync(reserve).mode & 0o777).toBe(0o600);
    isFull = true;
    reportFreeBytes(0);
    await outbox.delivered([report("a")], 0, []);
    expect(await outbox.status()).toEqual({ queued: 1, parked: 0, dead: 0 });
    expect(outbox.failing).toBe(true);
    // Work that has been admitted is taken all the same.
    await outbox.append([report("c")]);
    expect(outbox.failing).toBe(true);
    expect(existsSync(reserve)).toBe(false);

    isFull = false;
    reportFreeBytes(16 * 2 ** 20);
    await expect.poll(() => outbox.failing).toBe(false);
    expect(statSync(reserve).size).toBe(8 * 2 ** 20);
    await outbox.close();
  });

  it("opens in the space that it has kept where a full disk has no room for SQLite's own files", async () => {
    const path = temporaryFile();
    const reserve = `${path}-reserve`;
    const before = createSqliteOutbox({ path });
    await before.append([report("a")]);
    await before.close();
    expect(existsSync(reserve)).toBe(true);
    reportFreeBytes(0);
    const open: OpenDatabase = (at) => {
      const database = new Libsql(at);
      const prepare = database.prepare.bind(database);
      database.prepare = (text: string) => {
        if (at === path && existsSync(reserve))
          throw Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR_SHMSIZE" });
        return prepare(text);
      };
      return database;
    };
    const outbox = createSqliteOutbox({ path, open });
    expect((await outbox.recover(0)).reports).toMatchObject([{ id: "a" }]);
    expect(outbox.failing).toBe(true);
    await outbox.close();
  });

  it("lets no statement be collected, which would wait on the event loop for the commit that is under way", async () => {
    setFlagsFromString("--expose-gc");
    const collect: () => void = runInNewContext("gc");
    const statements: WeakRef<object>[] = [];
    const open: OpenDatabase = (path) => {
      const database = new Libsql(path);
      const prepare = database.prepare.bind(database);
      database.prepare = ((text: string) => {
        const statement = prepare(text);
        statements.push(new WeakRef(statement));
        return statement;
      }) as typeof database.prepare;
      return database;
    };
    const outbox = createSqliteOutbox({ path: temporaryFile(), open });
    const before = statements.length;
    await outbox.recover(0);
    await outbox.append([report("a")]);
    collect();
    const working = statements.slice(before);
    expect(working.length).toBeGreaterThan(0);
    expect(working.map((statement) => statement.deref() === undefined)).not.toContain(true);
    await outbox.close();
  });

  it("keeps no space on a disk that has little, and works there", async () => {
    const path = temporaryFile();
    reportFreeBytes(16 * 2 ** 20 - 1);
    const outbox = createSqliteOutbox({ path });
    await outbox.append([report("a")]);
    expect(outbox.failing).toBe(false);
    await outbox.close();
    expect(existsSync(`${path}-reserve`)).toBe(false);
  });

  it("finishes what is on its way when it is closed", async () => {
    const path = temporaryFile();
    const outbox = createSqliteOutbox({ path });
    const appended = Promise.all(["a", "b", "c"].map((id) => outbox.append([report(id)])));
    await Promise.all([outbox.close(), outbox.close()]);
    await outbox.close();
    await appended;
    const next = createSqliteOutbox({ path });
    expect(await next.status()).toMatchObject({ queued: 3 });
    await next.close();
  });
});
