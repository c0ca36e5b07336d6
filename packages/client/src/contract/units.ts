import { z } from "zod";
import { isDecimal } from "./decimal.ts";
import { isLine } from "./text.ts";

/** Counts of what a service has its own names for, as `{ pages: 3, "web searches": 1 }`. */
export type Units = Readonly<Record<string, number>>;

const most = 1_000_000_000_000;
/** Of what has been computed in floating point there are many, and none is lost. */
const maxDecimals = 30;
const mostUnits = 20;

/** Whether it is the name of a unit: 1 to 64 bytes without control characters. */
export function isUnitName(name: string): boolean {
  return isLine(name, 1, 64);
}

function isUnits(value: unknown): value is Units {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const counts = Object.entries(value);
  return (
    counts.length <= mostUnits &&
    counts.every(
      ([name, count]) => isUnitName(name) && typeof count === "number" && isDecimal(count, most, maxDecimals),
    )
  );
}

/** Parses counts of units. Each name is an ordinary one; those of an object schema drop some. */
export const units: z.ZodType<Units> = z
  .custom<Units>(
    isUnits,
    `Invalid input: expected at most ${mostUnits} numbers from 0 to ${most} with at most ${maxDecimals} decimals, by names of 1 to 64 bytes`,
  )
  .meta({ type: "object", maxProperties: mostUnits, additionalProperties: { type: "number", minimum: 0 } });
