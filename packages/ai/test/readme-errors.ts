import { readFileSync } from "node:fs";

/** By how many percent estimates are off, as the table of docs/models/estimates.md states: the least and the most, by script. */
export function loggedErrors(): ReadonlyMap<string, readonly [least: number, most: number]> {
  const text = readFileSync(new URL("../../../docs/models/estimates.md", import.meta.url), "utf8");
  const rows = text.matchAll(/^\| (\w+) \| ([+-]?\d+) to ([+-]?\d+) % \|/gm);
  return new Map(Array.from(rows, ([, script = "", least, most]) => [script, [Number(least), Number(most)]]));
}
