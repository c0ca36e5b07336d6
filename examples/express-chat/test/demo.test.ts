import { describe, expect, it } from "vitest";
import { readArguments } from "../src/demo/arguments.ts";
import { bounded } from "../src/demo/bounded.ts";
import { createScreen } from "../src/demo/screen.ts";
import { type Books, isClean, verdictLines, verdictOn } from "../src/demo/verdict.ts";

const paidFor: Books = {
  served: 3,
  stopped: 0,
  deniedWrongly: 0,
  funds: 3_000_000,
  worth: 2_350_000,
  unheard: 0,
  billed: 2_350_000,
};

describe("verdictOn", () => {
  it("is clean when every wallet has paid what its customer received", () => {
    const verdict = verdictOn([paidFor, { ...paidFor, stopped: 1 }]);

    expect(verdict).toMatchObject({ served: 7, lost: 0, overbilled: 0, overspent: 0, deniedWrongly: 0 });
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
    expect(isClean(verdictOn([{ ...paidFor, billed: 2_450_000, unheard: 100_000 }]))).toBe(true);
    expect(verdictOn([{ ...paidFor, billed: 2_450_001, unheard: 100_000 }]).overbilled).toBe(1);
  });

  it("hides no fraction of a credit", () => {
    const lines = verdictLines([{ name: "ours", verdict: verdictOn([{ ...paidFor, billed: 2_349_999 }]) }]);

    expect(lines.find((line) => line.includes("lost"))).toContain("0.000001");
  });
});

describe("createScreen", () => {
  function told(isTTY: boolean): string {
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
    expect(told(false)).toBe("first\nsecond\nanother\npicture\nthird\n");
  });

  it("draws each picture over the last one on a terminal", () => {
    expect(told(true)).toBe(
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
