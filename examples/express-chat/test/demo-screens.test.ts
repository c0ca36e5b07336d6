import { describe, expect, it } from "vitest";
import type { Customers } from "../src/demo/customers.ts";
import { pictureOf } from "../src/demo/live-picture.ts";
import { createScreen, type Screen } from "../src/demo/screen.ts";
import { byHandSide, creditgateSide, sides } from "../src/demo/side.ts";
import { tableOf } from "../src/demo/table.ts";
import { farewellTo, lastPicture, openingOf, scenariosOf } from "../src/demo/text.ts";
import { tryIt } from "../src/demo/try-it.ts";
import { verdictLines, verdictOn } from "../src/demo/verdict.ts";
import { Visitor } from "../src/demo/visitor.ts";

const columns = 80;
const rows = 24;

/** The cursor goes up a number of lines and erases what is below, or a line is printed. */
const step = new RegExp(String.raw`${"\u001b"}\[(\d+)A\r${"\u001b"}\[J|([^\n]*)\n`, "g");

/** A terminal of 80x24, as far as the demo uses one. */
function terminal() {
  const lines: string[] = [];
  let highest = 0;
  const received: string[] = [];
  return {
    isTTY: true,
    columns,
    lines,
    received,
    write(text: string) {
      for (const [, up, line] of text.matchAll(step)) {
        if (up !== undefined) lines.length -= Number(up);
        else {
          received.push(line ?? "");
          // What is wider takes another row.
          for (let at = 0; at === 0 || at < (line ?? "").length; at += columns)
            lines.push((line ?? "").slice(at, at + columns));
        }
        highest = Math.max(highest, lines.length);
      }
    },
    /** The cursor stands below the last line, and needs a row too. */
    scrolled: () => Math.max(0, highest + 1 - rows),
  };
}

/** Customers with figures as large as any that the demo comes to. */
function groups(): readonly Customers[] {
  return sides.map((side) => {
    const visitor = (id: string) => {
      const kind = "prepaid";
      const client = {} as never;
      const { signal } = new AbortController();
      const one = new Visitor({ id, customerId: id, kind, chatUrls: [""], client, signal });
      one.served = 200;
      one.denied = 150;
      one.words = 20_000;
      one.funds = 50e6;
      one.incoming = "word ".repeat(40);
      const rest = { pending: 0, overage_used: 0, overage_limit: 0, postpaid_used: 0, postpaid_limit: 0 };
      one.balance = { available: -150.01, ...rest };
      return one;
    };
    const [alice, bob, team, erin, dora] = ["alice", "bob", "team", "erin", "dora"].map(visitor) as [
      Visitor,
      Visitor,
      Visitor,
      Visitor,
      Visitor,
    ];
    const visitors = [alice, bob, team, erin, dora];
    return { side, isOurs: side === creditgateSide, alice, bob, team, erin, dora, visitors };
  });
}

/** All that the demo prints, with its pictures. */
function tell(screen: Screen, isInteractive: boolean, processes: number): void {
  const both = groups();
  for (const line of openingOf(processes)) screen.say(line);
  for (const scenario of Object.values(scenariosOf(processes))) {
    screen.say(scenario);
    screen.show(pictureOf(both, { label: "waiting until everything is settled", done: 1, of: 2 }));
  }
  const verdict = verdictLines(
    both.map(({ side, visitors }) => ({ name: side.name, verdict: verdictOn(visitors) })),
  );
  const [ours] = both.filter(({ isOurs }) => isOurs);
  if (ours === undefined) throw new Error("expected our side, received none");
  const setup = {
    chats: new Map([
      [byHandSide, { urls: ["http://127.0.0.1:65535"] }],
      [creditgateSide, { urls: ["http://127.0.0.1:65535"] }],
    ]),
    controlPlaneUrl: "http://127.0.0.1:65535",
    apiKey: "cg_demo_0123456789ab",
  };
  screen.show(
    lastPicture(tableOf(both), verdict, isInteractive ? tryIt(setup, ours.alice, ours.team) : undefined),
  );
  screen.keep();
  if (isInteractive) screen.say(farewellTo("http://127.0.0.1:65535"));
}

describe.each([
  ["npm run demo", true, 1],
  ["npm run demo -- --once", false, 1],
  ["npm run demo -- --processes 16", true, 16],
])("%s", (_, isInteractive, processes) => {
  it("fits into a terminal of 80x24: nothing scrolls away, from the first line to the verdict", () => {
    const output = terminal();
    tell(createScreen(output), isInteractive, processes);
    expect(output.scrolled()).toBe(0);
    expect(output.lines[0]).toBe(openingOf(processes)[0]);
    expect(output.lines.join("\n")).toContain("never billed");
  });

  it("prints no line that is wider, also where there is no terminal that would cut it", () => {
    const printed: string[] = [];
    tell(createScreen({ write: (text) => printed.push(text) }), isInteractive, processes);
    const lines = printed.join("").split("\n");
    expect(lines.filter((line) => [...line].length > columns)).toEqual([]);
    expect(lines.length).toBeLessThanOrEqual(rows);
  });
});

describe("tryIt", () => {
  it("breaks its commands between words only, and they are whole", () => {
    const output = terminal();
    tell(createScreen(output), true, 1);
    const commands = output.lines.join("\n").match(/^curl (?:[^'\n\\]|\\\n|'[^']*')*$/gm) ?? [];
    expect(commands).toHaveLength(2);
    for (const command of commands) {
      const body = /-d '([^']*)'/.exec(command)?.[1] ?? "";
      expect(() => JSON.parse(body)).not.toThrow();
    }
  });
});
