import type { UsageSumsBy } from "@creditgate/client/admin";
import { groupRows } from "../database/group-rows.ts";
import { answer } from "../http/call.ts";
import { type KeyType, readCursor, writeCursor } from "../http/cursor.ts";
import type { JsonObject } from "../http/json.ts";
import type { Sum, SumSelection } from "../usage/sum-selection.ts";
import { readSums } from "../usage/sums.ts";
import type { AdminHandlers } from "./table.ts";
import { spanOf } from "./usage-span.ts";

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
  async usageSums({ orgId, at, query, read }) {
    const { by, limit = defaultLimit, cursor } = query;
    const { from, to } = spanOf(query, by === "hour" ? "hour" : "day", at);
    const selection: SumSelection = {
      orgId,
      by,
      from,
      to,
      customerId: query.customer_id,
      agentId: query.agent_id,
      indicator: query.indicator,
      currency: query.credit_currency_key,
      after: cursor === undefined ? undefined : readCursor(cursor, types[by]),
      // One more tells that there are more.
      limit: limit + 1,
    };
    const found = await read((lists) => readSums(lists, selection));
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
    credit_currency_key: currency === "" ? null : currency,
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
      return { customer_id: first };
  }
}
