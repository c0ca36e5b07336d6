import { organizationQuery } from "../api/query.ts";

/** How far back decisions are counted, by the word in the address. */
export const gatePeriods = {
  "15m": { label: "15 min", minutes: 15 },
  "1h": { label: "1 h", minutes: 60 },
  "24h": { label: "24 h", minutes: 1_440 },
} as const;

/** Looked at again as often as gates speak. */
export const gatesQuery = organizationQuery(
  "gates",
  ({ gates }, options, minutes: number) => gates.list({ minutes }, options),
  { keepsLast: true, refetchInterval: 5_000 },
);
