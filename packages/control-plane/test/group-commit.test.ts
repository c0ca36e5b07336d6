import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { BusyError } from "../src/database/fair-share.ts";
import { createGroupCommit } from "../src/database/group-commit.ts";
import type { Clock } from "../src/time/clock.ts";

interface Insert {
  readonly rows: readonly string[];
  end(error?: Error): void;
}

/** A group commit of texts, whose inserts wait for the test. */
function open(options: {
  readonly minRows?: number;
  readonly elapsed?: Clock;
  readonly maxRows?: number;
  readonly maxBytes?: number;
  readonly maxWaitingBytes?: number;
  readonly ownerOf?: (row: string) => unknown;
  readonly rest?: (tookMs: number) => Promise<unknown> | undefined;
}) {
  const inserts: Insert[] = [];
  const group = createGroupCommit<string, string>({
    minRows: 1,
    ...options,
    sizeOf: (row) => row.length,
    insert: (rows) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve(rows.map((row) => `${row}!`)));
        inserts.push({ rows, end });
      }),
  });
  return {
    inserts,
    write: (row: string) => group.write(row),
    nth: (index: number) => expect.poll(() => inserts[index]),
  };
}

const locked = () => Object.assign(new Error("lock timeout"), { code: "55P03" });

describe("createGroupCommit", () => {
  it("puts rows together up to a number and a size, and a larger row alone", async () => {
    const { inserts, write, nth } = open({ maxRows: 3, maxBytes: 10 });
    const results = ["a", "b", "c", "d", "eeeeeeee", "f".repeat(20), "g"].map(write);
    for (const index of [0, 1, 2, 3]) {
      await nth(index).toBeDefined();
      inserts[index]?.end();
    }
    expect(inserts.map(({ rows }) => rows)).toEqual([
      ["a", "b", "c"],
      ["d", "eeeeeeee"],
      ["f".repeat(20)],
      ["g"],
    ]);
    expect(await results[3]).toBe("d!");
    expect(await results[6]).toBe("g!");
  });

  it("begins a second statement beside the first only where enough rows wait, or the first takes long", async () => {
    const elapsed = { time: 0, now: () => elapsed.time };
    const { inserts, write, nth } = open({ minRows: 3, elapsed });
    void write("a");
    await nth(0).toBeDefined();
    for (const row of ["b", "c"]) void write(row);
    await nextTurn();
    expect(inserts).toHaveLength(1);
    void write("d");
    await nth(1).toBeDefined();
    inserts[1]?.end();
    elapsed.time = 51;
    void write("e");
    await nth(2).toBeDefined();
    expect(inserts.map(({ rows }) => rows)).toEqual([["a"], ["b", "c", "d"], ["e"]]);
    for (const insert of inserts) insert.end();
  });

  it("divides what comes at once, so that the database writes a part while the other is answered", async () => {
    const { inserts, write, nth } = open({ minRows: 2 });
    for (const row of ["a", "b", "c", "d", "e"]) void write(row);
    await nth(1).toBeDefined();
    for (const row of ["f", "g", "h"]) void write(row);
    inserts[0]?.end();
    await nth(2).toBeDefined();
    expect(inserts.map(({ rows }) => rows)).toEqual([
      ["a", "b", "c"],
      ["d", "e"],
      ["f", "g", "h"],
    ]);
    for (const insert of inserts) insert.end();
  });

  it("fails what waits behind a batch that the database cannot take now, instead of waiting again", async () => {
    const { inserts, write, nth } = open({ maxRows: 1 });
    const results = ["a", "b", "c", "d"].map((row) => write(row).catch((error: Error) => error.message));
    await nth(0).toBeDefined();
    inserts[0]?.end(locked());
    expect(await Promise.all(results.slice(2))).toEqual(["lock timeout", "lock timeout"]);
    inserts[1]?.end();
    expect(await Promise.all(results)).toEqual(["lock timeout", "b!", "lock timeout", "lock timeout"]);
    const later = write("e");
    await nth(2).toBeDefined();
    inserts[2]?.end();
    expect(await later).toBe("e!");
  });

  it("fails the rest of a batch that it writes row by row once the database cannot take one", async () => {
    const { inserts, write, nth } = open({ minRows: 4 });
    const results = ["a", "b", "c", "d"].map((row) => write(row).catch((error: Error) => error.message));
    await nth(0).toBeDefined();
    inserts[0]?.end(new Error("one row is bad"));
    await nth(1).toBeDefined();
    inserts[1]?.end();
    await nth(2).toBeDefined();
    inserts[2]?.end(locked());
    expect(await Promise.all(results)).toEqual(["a!", "lock timeout", "lock timeout", "lock timeout"]);
    expect(inserts.map(({ rows }) => rows)).toEqual([["a", "b", "c", "d"], ["a"], ["b"]]);
  });

  it("refuses rows when too many bytes wait, and takes them again when they are written", async () => {
    const { inserts, write, nth } = open({ maxWaitingBytes: 4 });
    const first = write("aaaa");
    await expect(write("b")).rejects.toThrow(BusyError);
    await nth(0).toBeDefined();
    const second = write("bbbb");
    await nth(1).toBeDefined();
    for (const insert of inserts) insert.end();
    expect(await Promise.all([first, second])).toEqual(["aaaa!", "bbbb!"]);
  });

  it("takes rows of each owner in turn, and gives none more room than stays free for the others", async () => {
    const ownerOf = (row: string) => row.at(0);
    const { inserts, write, nth } = open({ maxRows: 3, maxWaitingBytes: 20, ownerOf });
    const many = ["a1", "a2", "a3", "a4", "a5"].map(write);
    const more = write("a6");
    const others = ["b1", "c1", "b2"].map(write);
    await expect(more).rejects.toThrow(BusyError);
    for (const index of [0, 1, 2]) {
      await nth(index).toBeDefined();
      inserts[index]?.end();
    }
    await Promise.all([...many, ...others]);
    expect(inserts.map(({ rows }) => rows)).toEqual([
      ["a1", "b1", "c1"],
      ["a2", "a3", "b2"],
      ["a4", "a5"],
    ]);
  });

  it("begins no other statement while a writer rests, and says how long the last one took", async () => {
    const elapsed = { time: 0, now: () => elapsed.time };
    const rests: { readonly tookMs: number; end(): void }[] = [];
    const rest = (tookMs: number) => new Promise<void>((end) => rests.push({ tookMs, end }));
    const { inserts, write, nth } = open({ minRows: 5, elapsed, rest });
    const first = write("a");
    await nth(0).toBeDefined();
    elapsed.time = 40;
    inserts[0]?.end();
    expect(await first).toBe("a!");
    await expect.poll(() => rests).toMatchObject([{ tookMs: 40 }]);
    const second = write("b");
    for (let turn = 0; turn < 3; turn++) await nextTurn();
    expect(inserts).toHaveLength(1);
    rests[0]?.end();
    await nth(1).toBeDefined();
    inserts[1]?.end();
    expect(await second).toBe("b!");
  });
});
