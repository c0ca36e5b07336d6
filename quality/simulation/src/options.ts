import { parseArgs } from "node:util";

/** One process, or a fleet of four on a shared store. */
export type World = "gate" | "fleet";

/** One seed, to see what happens; or many, to see whether anything goes wrong. */
export type SimulateOptions =
  | { readonly world: World; readonly seed: number }
  | { readonly world: World; readonly seeds: number; readonly from: number };

const usage =
  "npm run simulate -- [--fleet] [--seeds N] [--from N], or --seed N to replay one with its trace; --fleet: four processes on a shared store";

/** The options of the command line, or what is wrong with them. */
export function readOptions(args: readonly string[]): SimulateOptions | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        fleet: { type: "boolean" },
        seed: { type: "string" },
        seeds: { type: "string" },
        from: { type: "string" },
      },
    });
    const { fleet = false, seed, seeds, from } = values;
    const world = fleet ? "fleet" : "gate";
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

function wholeNumber(option: string, text: string, least: number): number {
  const value = Number(text);
  // No sum of two such numbers leaves the safe range.
  if (/^\d+$/.test(text) && value >= least && value <= 2 ** 52) return value;
  throw new RangeError(
    `--${option}: expected a whole number from ${least} to 2^52, received ${JSON.stringify(text)}`,
  );
}
