import { setTimeout } from "node:timers/promises";
import type { UsageFeedQuery } from "@creditgate/admin";
import type { Database } from "../database/connection.ts";
import type { FairShare } from "../database/fair-share.ts";
import { stringify } from "../http/json.ts";
import type { Clock } from "../time/clock.ts";
import { type ChangePosition, readChangePosition, writeChangePosition } from "../usage/change-position.ts";
import { readUsageChanges, type UsageChange } from "../usage/changes.ts";
import type { Streams } from "./streams.ts";
import type { AdminHandlers } from "./table.ts";
import { usageRecord } from "./usage.ts";

/** How often a feed does what, in milliseconds. */
interface FeedTimes {
  /** It rests so long where there was nothing more to tell. */
  readonly pollMs: number;
  /** Says at least so often that it is there: what lies between ends connections that are silent. */
  readonly heartbeatMs: number;
  /** Looks so often whether its reader may still read. */
  readonly admissionMs: number;
}

const usualFeedTimes: FeedTimes = { pollMs: 500, heartbeatMs: 15_000, admissionMs: 2_000 };

export interface UsageFeedOptions {
  /** The primary: a replica has no snapshots of its own. */
  readonly database: Database;
  readonly clock: Clock;
  readonly share: FairShare;
  readonly streams: Streams;
  readonly times?: FeedTimes;
}

/** Usage as it is taken and settled. Each look is a short query in a turn of the organisation; nothing is kept between two. */
export function usageFeedHandlers(options: UsageFeedOptions) {
  return {
    async usageFeed({ orgId, query, lastEventId, visitor }) {
      const position = lastEventId === undefined ? undefined : readChangePosition(lastEventId);
      const feed = { orgId, query, position, isAdmitted: visitor.isStillAdmitted };
      return { status: 200, events: (signal) => usageFeed(options, feed, signal) };
    },
  } satisfies Partial<AdminHandlers>;
}

interface UsageFeedOf {
  readonly orgId: bigint;
  readonly query: UsageFeedQuery;
  /** `undefined`: from now on. */
  readonly position: ChangePosition | undefined;
  isAdmitted(): Promise<boolean>;
}

/** The text of the events. Ends when its reader may no longer read, or the signal fires. */
async function* usageFeed(
  { database, clock, share, streams, times = usualFeedTimes }: UsageFeedOptions,
  { orgId, query, isAdmitted, ...start }: UsageFeedOf,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const leave = streams.open(orgId);
  try {
    let position = start.position;
    let admittedAt = performance.now();
    let sentAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      const before = performance.now();
      if (before - admittedAt >= times.admissionMs) {
        if (!(await isAdmitted())) return;
        admittedAt = before;
      }
      const at = new Date(clock.now());
      const found = await share.run(orgId, () => readUsageChanges(database, orgId, query, position, at));
      const isFirst = position === undefined || found.isAnew;
      position = found.position;
      const after = performance.now();
      const text = textOf(found.changes, position, { isFirst, isDue: after - sentAt >= times.heartbeatMs });
      if (text !== "") {
        yield text;
        sentAt = after;
      }
      // A look that takes long is not taken more often than the database can bear.
      if (!found.hasMore) await rest(Math.max(times.pollMs, 4 * (after - before)), signal);
    }
  } finally {
    leave();
  }
}

function textOf(
  changes: readonly UsageChange[],
  position: ChangePosition,
  { isFirst, isDue }: { readonly isFirst: boolean; readonly isDue: boolean },
): string {
  const id = `id: ${writeChangePosition(position)}\n`;
  if (isFirst) return `retry: 2000\n${id}event: start\ndata: {}\n\n`;
  if (changes.length > 0) return changes.map(eventOf).join("");
  // Without data it is no event, and the client keeps the ID all the same.
  return isDue ? `: heartbeat\n${id}\n` : "";
}

function eventOf({ usage, position }: UsageChange): string {
  const type = usage.settledAt === null ? "taken" : "settled";
  return `id: ${writeChangePosition(position)}\nevent: ${type}\ndata: ${stringify(usageRecord(usage))}\n\n`;
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
