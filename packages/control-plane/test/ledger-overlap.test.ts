import { describe, expect, it } from "vitest";
import { overlappingLedgers } from "../src/gates/ledger-overlap.ts";

const minute = 60_000;

/** Who spends from when to when, in minutes. */
type Spans = Readonly<Record<string, readonly [from: number, to: number]>>;

function found(spans: Spans, now: number): readonly string[] {
  const all = Object.entries(spans).map(([ledger, [from, to]]) => ({
    ledger,
    firstAt: from * minute,
    lastAt: to * minute,
  }));
  const inOrder = overlappingLedgers(all, now * minute).map(({ ledger }) => ledger);
  const reversed = overlappingLedgers(all.toReversed(), now * minute).map(({ ledger }) => ledger);
  expect(reversed.toReversed()).toEqual(inOrder);
  return inOrder;
}

describe("ledgers that spend one wallet beside each other", () => {
  it.each<[string, Spans, number, readonly string[]]>([
    ["two processes", { a: [0, 60], b: [2, 59] }, 60, ["a", "b"]],
    ["two that seldom spend", { a: [0, 50], b: [20, 45] }, 58, ["a", "b"]],
    ["as long as no deploy takes", { a: [0, 12], b: [2, 14] }, 14, ["a", "b"]],
    ["one of them beside a fleet", { a: [0, 30], shared: [0, 30] }, 30, ["a", "shared"]],
    ["one of them beside isolates", { a: [0, 30], guard: [0, 30] }, 30, ["a", "guard"]],
    [
      "instances that come and go, and live for six minutes",
      { a: [0, 6], b: [3, 9], c: [5, 12], d: [8, 15], e: [11, 16] },
      16,
      ["a", "b", "c", "d", "e"],
    ],
    ["a while ago", { a: [0, 30], b: [0, 25], shared: [40, 41] }, 40, ["a", "b"]],
  ])("are found: %s", (_, spans, now, ledgers) => {
    expect(found(spans, now)).toEqual(ledgers);
  });

  it.each<[string, Spans, number]>([
    ["none", {}, 0],
    ["one process", { a: [0, 60] }, 60],
    ["a restart", { a: [0, 30], b: [30, 60] }, 60],
    ["a rolling deploy", { a: [0, 30], b: [24, 60] }, 60],
    ["a deploy in each quarter of an hour", { a: [0, 16], b: [15, 31], c: [30, 46], d: [45, 60] }, 60],
    ["a deploy whose old process drains for nine minutes", { a: [0, 39], b: [30, 60] }, 60],
    ["a fleet that shares its ledger, beside isolates", { shared: [0, 60], guard: [0, 60] }, 60],
    ["a deploy that mends it", { a: [0, 31], shared: [30, 60] }, 60],
    ["what has ended sixteen minutes ago", { a: [0, 44], b: [0, 60] }, 60],
  ])("are not: %s", (_, spans, now) => {
    expect(found(spans, now)).toEqual([]);
  });
});
