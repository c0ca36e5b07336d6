import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readArguments } from "../src/demo/arguments.ts";
import { bounded } from "../src/demo/bounded.ts";
import { createScreen } from "../src/demo/screen.ts";
import { type Books, isClean, verdictLines, verdictOn } from "../src/demo/verdict.ts";

const paidFor: Books = {
  deniedWrongly: 0,
  funds: 3_000_000,
  worth: 2_350_000,
  unread: 0,
  billed: 2_350_000,
};

describe("verdictOn", () => {
  it("is clean when every wallet has paid what its customer received", () => {
    const verdict = verdictOn([paidFor, paidFor]);

    expect(verdict).toMatchObject({
      worth: 4_700_000,
      paid: 4_700_000,
      lost: 0,
      overbilled: 0,
      overspent: 0,
      deniedWrongly: 0,
    });
    expect(isClean(verdict)).toBe(true);
  });

  it("finds what was served and not billed, also when another was billed too much", () => {
    const verdict = verdictOn([
      { ...paidFor, billed: 2_000_000 },
      { ...paidFor, billed: 2_700_000 },
    ]);

    expect(verdict).toMatchObject({ lost: 350_000, overbilled: 350_000, overspent: 0 });
    expect(isClean(verdict)).toBe(false);
  });

  it.each([
    { ...paidFor, worth: 3_010_000, billed: 3_010_000 },
    { ...paidFor, worth: 3_010_000 },
    { ...paidFor, billed: 3_010_000 },
  ])("finds what went beyond a wallet, served or billed", (books) => {
    const verdict = verdictOn([paidFor, books]);

    expect(verdict.overspent).toBe(10_000);
    expect(isClean(verdict)).toBe(false);
  });

  it("allows for what was said after the customer had stopped listening, and for no more", () => {
    expect(isClean(verdictOn([{ ...paidFor, billed: 2_450_000, unread: 100_000 }]))).toBe(true);
    expect(verdictOn([{ ...paidFor, billed: 2_450_001, unread: 100_000 }]).overbilled).toBe(1);
  });

  it("hides no fraction of a credit", () => {
    const lines = verdictLines([{ name: "ours", verdict: verdictOn([{ ...paidFor, billed: 2_349_999 }]) }]);

    expect(lines.find((line) => line.includes("never billed"))).toContain("0.000001 ✗");
    expect(lines.find((line) => line.includes("paid for"))).toContain("99 % ✗");
  });

  it("marks each cell, so that no figure has to be judged by the reader", () => {
    const cells = (books: Books) => verdictLines([{ name: "ours", verdict: verdictOn([books]) }]).slice(1);

    for (const line of cells(paidFor)) expect(line).toMatch(/ ✓$/);
    const given = cells({ ...paidFor, worth: 5_000_000, billed: 3_500_000, deniedWrongly: 1 });
    for (const line of given) expect(line).toMatch(/ ✗$/);
    expect(given[0]).toMatch(/ 60 % ✗$/);
  });
});

describe("createScreen", () => {
  function described(isTTY: boolean): string {
    const output: string[] = [];
    const screen = createScreen({ isTTY, columns: 30, write: (text) => output.push(text) });
    screen.say("first");
    screen.show(["a picture", "with a line that is wider than the terminal"]);
    screen.show(["another", "picture"]);
    screen.say("second");
    screen.keep();
    screen.say("third");
    return output.join("");
  }

  it("prints what stays, and nothing else, where there is no terminal", () => {
    expect(described(false)).toBe("first\nsecond\nanother\npicture\nthird\n");
  });

  it("draws each picture over the last one on a terminal", () => {
    expect(described(true)).toBe(
      "first\n" +
        "a picture\nwith a line that is wider than\n" +
        "\u001b[2A\r\u001b[Janother\npicture\n" +
        "\u001b[2A\r\u001b[Jsecond\nanother\npicture\n" +
        "third\n",
    );
  });
});

describe("readArguments", () => {
  it("knows --once", () => {
    expect(readArguments([]).once).toBe(false);
    expect(readArguments(["--once"]).once).toBe(true);
  });

  it("knows how many processes there are", () => {
    expect(readArguments([]).processes).toBe(1);
    expect(readArguments(["--processes", "4"]).processes).toBe(4);
    for (const wrong of ["0", "17", "many", "1.5"])
      expect(() => readArguments(["--processes", wrong])).toThrow(
        "--processes: expected a number from 1 to 16",
      );
  });

  it.each(["--twice", "once", "--once=yes"])("refuses %s", (argument) => {
    expect(() => readArguments([argument])).toThrow(argument.replace("=yes", ""));
  });
});

describe("bounded", () => {
  it("passes on what comes in time", async () => {
    expect(await bounded(Promise.resolve(3), { what: "three", withinMs: 1_000 })).toBe(3);
  });

  it("throws, and says for what it waited, when the time is over or it is interrupted", async () => {
    const forever = new Promise(() => {});

    await expect(bounded(forever, { what: "the end", withinMs: 5 })).rejects.toThrow(
      "the end: expected within",
    );
    const signal = AbortSignal.abort(new Error("interrupted"));
    await expect(bounded(forever, { what: "the end", withinMs: 5, signal })).rejects.toThrow("interrupted");
  });
});

describe("main", () => {
  /** What a module loads before its first line runs, with what that loads. */
  function loadedBy(module: URL, seen = new Set<string>()): Set<string> {
    const source = readFileSync(module, "utf8");
    for (const [, name = ""] of source.matchAll(/^import (?!type )[^;]*?from "(.+?)";$/gm)) {
      const target = name.startsWith(".") ? new URL(name, module) : undefined;
      if (seen.has(target?.href ?? name)) continue;
      seen.add(target?.href ?? name);
      if (target !== undefined) loadedBy(target, seen);
    }
    return seen;
  }

  it("prints its first line before it loads a package, which takes seconds on a busy machine", () => {
    const loaded = [...loadedBy(new URL("../src/demo/main.ts", import.meta.url))];
    expect(loaded.length).toBeGreaterThan(2);
    expect(loaded.filter((name) => !/^(node|file):/.test(name))).toEqual([]);
    const all = [...loadedBy(new URL("../src/demo/setup.ts", import.meta.url))];
    expect(all).toContain("@creditgate/client");
  });
});
