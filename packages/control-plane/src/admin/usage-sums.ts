import type { SpanQuery, UsageSumsBy } from "@creditgate/admin";
import { groupRows } from "../database/group-rows.ts";
import { answer } from "../endpoint/call.ts";
import type { JsonObject } from "../http/json.ts";
import { invalid } from "../http/validation.ts";
import { type KeyType, readCursor, writeCursor } from "../lists/keyset.ts";
import { readSums, type Sum, type SumSelection } from "../usage/sums.ts";
import { dayMs, hourMs } from "../usage/tallies.ts";
import type { AdminHandlers } from "./table.ts";

const defaultLimit = 100;

const types: Readonly<Record<UsageSumsBy, readonly KeyType[]>> = {
  hour: ["timestamptz"],
  day: ["timestamptz"],
  agent: ["text"],
  indicator: ["text", "text"],
  customer: ["text"],
};

/** What was used, by hour, day, agent, indicator or customer, in each currency. */
export const usageSumsHandlers: Pick<AdminHandlers, "usageSums"> = {
  async usageSums({ orgId, at, query, database }) {
    const { by, limit = defaultLimit, cursor } = query;
    const { from, to } = spanOf(query, by === "hour" ? "hour" : "day", at);
    const selection: SumSelection = {
      orgId,
      by,
      from,
      to,
      customerId: query.customerId,
      agentId: query.agentId,
      indicator: query.indicator,
      currency: query.creditCurrencyKey,
      after: cursor === undefined ? undefined : readCursor(cursor, types[by]),
      // One more row shows that there are more.
      limit: limit + 1,
    };
    const found = await readSums(database, selection);
    const groups = [...groupRows(found, ({ key }) => JSON.stringify(key)).values()];
    const part = groups.slice(0, limit);
    const last = part.at(-1)?.[0]?.key;
    return answer(200, {
      by,
      from: from.toISOString(),
      to: to.toISOString(),
      sums: part.flat().map((sum) => record(by, sum)),
      next: groups.length > limit && last !== undefined ? writeCursor(last) : null,
    });
  },
};

function record(by: UsageSumsBy, { key, currency, events, credits }: Sum): JsonObject {
  return {
    ...named(by, key),
    creditCurrencyKey: currency === "" ? null : currency,
    events: Number(events),
    credits: BigInt(credits),
  };
}

function named(by: UsageSumsBy, [first = "", second = ""]: readonly string[]): JsonObject {
  switch (by) {
    case "hour":
      return { hour: first };
    case "day":
      return { day: first.slice(0, 10) };
    case "agent":
      return { agentId: first };
    case "indicator":
      return { agentId: first, indicator: second };
    case "customer":
      return { customerId: first };
  }
}

/** From whole days, or whole hours, to others. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

const units = {
  hour: { unitMs: hourMs, most: 744, usual: 24 },
  day: { unitMs: dayMs, most: 366, usual: 30 },
} as const;

/** Sums are of whole days, by hour of whole hours: a span that cuts one would not be what it says. */
export function spanOf({ from, to }: SpanQuery, unit: "hour" | "day", now: Date): Span {
  const { unitMs, most, usual } = units[unit];
  const running = Math.floor(now.getTime() / unitMs) * unitMs;
  const end = to === undefined ? running + unitMs : whole("to", to, unit, unitMs);
  const start = from === undefined ? end - usual * unitMs : whole("from", from, unit, unitMs);
  const length = (end - start) / unitMs;
  if (length >= 1 && length <= most) return { from: new Date(start), to: new Date(end) };
  const detail = `expected 1 to ${most} ${unit}s after from, received ${length}`;
  throw invalid([{ pointer: "to", detail }]);
}

function whole(pointer: "from" | "to", text: string, unit: "hour" | "day", unitMs: number): number {
  const time = new Date(text).getTime();
  // There is none from before, and what is asked for with it may begin a year earlier.
  if (time % unitMs === 0 && time >= 0) return time;
  const detail = `expected the beginning of ${unit === "hour" ? "an hour" : "a day"} in UTC from 1970 on, received ${JSON.stringify(text)}`;
  throw invalid([{ pointer, detail }]);
}
