import { parseArgs } from "node:util";
import type { World } from "./worlds.ts";

/** One seed, to see what happens; or many, to see whether anything goes wrong. */
export type SimulateOptions =
  | { readonly world: World; readonly seed: number }
  | { readonly world: World; readonly seeds: number; readonly from: number };

const usage =
  "npm run simulate -- [--budgets] [--fleet] [--seeds N] [--from N], or --seed N to replay one with its trace; --budgets: with budgets, pauses and credits that expire; --fleet: processes on a shared store";

/** The options of the command line, or what is wrong with them. */
export function readOptions(args: readonly string[]): SimulateOptions | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        budgets: { type: "boolean" },
        fleet: { type: "boolean" },
        seed: { type: "string" },
        seeds: { type: "string" },
        from: { type: "string" },
      },
    });
    const { budgets = false, fleet = false, seed, seeds, from } = values;
    const world = worldOf(budgets, fleet);
    if (seed === undefined) {
      const count = wholeNumber("seeds", seeds ?? "100000", 1);
      return { world, seeds: count, from: wholeNumber("from", from ?? "1", 0) };
    }
    if (seeds === undefined && from === undefined) return { world, seed: wholeNumber("seed", seed, 0) };
    return `--seed replays one schedule: expected no --seeds and no --from beside it\n${usage}`;
  } catch (error) {
    return `${error instanceof Error ? error.message : error}\n${usage}`;
  }
}

function worldOf(budgets: boolean, fleet: boolean): World {
  if (budgets) return fleet ? "budgets of a fleet" : "budgets";
  return fleet ? "fleet" : "gate";
}

function wholeNumber(option: string, text: string, least: number): number {
  const value = Number(text);
  // No sum of two such numbers leaves the safe range.
  if (/^\d+$/.test(text) && value >= least && value <= 2 ** 52) return value;
  throw new RangeError(
    `--${option}: expected a whole number from ${least} to 2^52, received ${JSON.stringify(text)}`,
  );
}
