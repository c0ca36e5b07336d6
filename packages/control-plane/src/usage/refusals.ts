import { Problem } from "../http/problem.ts";

/** Refuses usage in a unit that the indicator has no rate for. */
export function unitUnknown(indicator: string, unit: string | undefined): Problem {
  return new Problem(
    422,
    "unit_unknown",
    `rawUsage.units: expected units that indicator ${JSON.stringify(indicator)} has a rate for (perUnit), received ${JSON.stringify(unit)}`,
  );
}

/** Refuses usage that costs more than an event may. */
export function amountOutOfRange(): Problem {
  return new Problem(
    422,
    "amount_out_of_range",
    "rawUsage: expected usage that costs at most one billion credits, received more",
  );
}
