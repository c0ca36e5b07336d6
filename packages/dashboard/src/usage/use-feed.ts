import type { AdminUsage, UsageFeedQuery } from "@creditgate/admin";
import { useEffect, useRef, useState } from "react";
import { accountKey, admin, isSignedOut, queryClient } from "../api/client.ts";
import { type FeedReports, noFeedReports, withFeedReports } from "./live-reports.ts";

/** What comes together is shown together: a table is not drawn for each of many events. */
const gatherMs = 250;

interface Feed {
  readonly fromFeed: FeedReports;
  /** `off` where it was not asked for, or it cannot be had. */
  readonly state: "open" | "waiting" | "off";
  readonly error: unknown;
}

/**
 * Reports as they are taken and settled, while it is on and somebody looks: a browser has few connections for all of its
 * tabs. Turned on again, it goes on where it was.
 */
export function useFeed({
  organizationId,
  query,
  isOn,
  onStart,
}: {
  readonly organizationId: string;
  readonly query: UsageFeedQuery;
  readonly isOn: boolean;
  /** The feed contains every change from here on; earlier ones must be loaded. */
  readonly onStart: () => void;
}): Feed {
  const isSeen = useIsSeen();
  const key = JSON.stringify([organizationId, query]);
  const [feed, setFeed] = useState<Feed & { readonly key: string }>({ ...ended, key });
  const last = useRef<{ readonly key: string; readonly id: string }>(undefined);
  const start = useRef(onStart);
  start.current = onStart;
  const isActive = isOn && isSeen;

  useEffect(() => {
    if (!isActive) return undefined;
    const [organization, filter] = JSON.parse(key) as [string, UsageFeedQuery];
    const leaving = new AbortController();
    let gathered: AdminUsage[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const change = (to: Partial<Feed>) =>
      setFeed((before) => ({ ...(before.key === key ? before : ended), ...to, key }));
    const show = () => {
      timer = undefined;
      const events = gathered;
      gathered = [];
      setFeed((before) => {
        const own = before.key === key ? before : { ...ended, key };
        return { ...own, fromFeed: withFeedReports(own.fromFeed, events) };
      });
    };
    const read = async () => {
      const events = admin.organization(organization).usage.feed(filter, {
        signal: leaving.signal,
        lastEventId: last.current?.key === key ? last.current.id : undefined,
        onState: (state) => leaving.signal.aborted || change({ state, error: undefined }),
      });
      for await (const event of events) {
        last.current = { key, id: event.id };
        if (event.type === "start") {
          gathered = [];
          change({ fromFeed: noFeedReports });
          start.current();
        } else {
          gathered.push(event.usage);
          timer ??= setTimeout(show, gatherMs);
        }
      }
    };
    read().catch((error: unknown) => {
      if (leaving.signal.aborted) return;
      if (isSignedOut(error)) void queryClient.invalidateQueries({ queryKey: accountKey });
      change({ state: "off", error });
    });
    return () => {
      leaving.abort();
      clearTimeout(timer);
      if (gathered.length > 0) show();
      change({ state: "off" });
    };
  }, [isActive, key]);
  return feed.key === key ? feed : ended;
}

const ended: Feed = { fromFeed: noFeedReports, state: "off", error: undefined };

function useIsSeen(): boolean {
  const [isSeen, setIsSeen] = useState(() => document.visibilityState === "visible");
  useEffect(() => {
    const look = () => setIsSeen(document.visibilityState === "visible");
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return isSeen;
}
