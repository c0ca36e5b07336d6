import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { Database } from "../database/connection.ts";
import type { Clock } from "../time/clock.ts";

/** The days of which the customers are asked for, in one currency. */
interface TopSelection {
  readonly orgId: bigint;
  readonly currency: string;
  /** `YYYY-MM-DD`; the second is not among them. */
  readonly fromDay: string;
  readonly toDay: string;
}

/** Resolves the IDs of the customers that used most, the most first. */
export type TopCustomers = (selection: TopSelection) => Promise<readonly string[]>;

interface Found {
  readonly ids: readonly string[];
  /** In milliseconds of the clock. */
  readonly freshUntil: number;
}

/** As many as an answer shows at most. */
const most = 20;

/** Found anew after this many times as long as it took: who looks on all day takes a fiftieth of a connection. */
const restFactor = 50;
const restMs = 1_000;

/**
 * Who used most is found by adding up the days of all customers who used anything, which for many takes a while. It is
 * remembered for a time that goes by that, and what is remembered is answered while it is found anew.
 */
export function createTopCustomers(database: Database, clock: Clock): TopCustomers {
  const known = new LRUCache<string, Found>({ max: 1_000 });
  const underWay = new Map<string, Promise<readonly string[]>>();

  async function find(
    { orgId, currency, fromDay, toDay }: TopSelection,
    key: string,
  ): Promise<readonly string[]> {
    const start = performance.now();
    try {
      const { rows } = await sql<{ id: string }>`
        select customer_id as id from customer_usage_days
         where org_id = ${orgId} and day >= ${fromDay}::date and day < ${toDay}::date and currency = ${currency}
         group by 1 order by sum(credits) desc, 1 limit ${most}`.execute(database);
      const ids = rows.map(({ id }) => id);
      const rest = Math.max(restMs, (performance.now() - start) * restFactor);
      known.set(key, { ids, freshUntil: clock.now() + rest });
      return ids;
    } finally {
      underWay.delete(key);
    }
  }

  return async (selection) => {
    const { orgId, currency, fromDay, toDay } = selection;
    const key = JSON.stringify([String(orgId), currency, fromDay, toDay]);
    const found = known.get(key);
    if (found !== undefined && clock.now() < found.freshUntil) return found.ids;
    const finding = underWay.get(key) ?? find(selection, key);
    underWay.set(key, finding);
    if (found === undefined) return finding;
    // Avoids an unhandled rejection; the next request tries again.
    finding.catch(() => undefined);
    return found.ids;
  };
}
