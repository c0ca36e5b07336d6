import type { UsageFeedEvent } from "@creditgate/admin";

/** Reads a feed event by event. */
export interface FeedReader {
  /** The next one; rejects where the feed has ended. */
  next(): Promise<UsageFeedEvent>;
  /** So many, each as its type and the key under which it was reported. */
  take(count: number): Promise<readonly string[]>;
  leave(): Promise<void>;
}

export function readFeed(
  feed: AsyncGenerator<UsageFeedEvent, void, undefined>,
  end: () => void = () => undefined,
): FeedReader {
  const reader: FeedReader = {
    async next() {
      const { value, done } = await feed.next();
      if (done === true || value === undefined) throw new Error("the feed has ended");
      return value;
    },
    async take(count) {
      const told: string[] = [];
      while (told.length < count) told.push(wordOf(await reader.next()));
      return told;
    },
    async leave() {
      end();
      await feed.return();
    },
  };
  return reader;
}

export function wordOf(event: UsageFeedEvent): string {
  return event.type === "start" ? "start" : `${event.type} ${event.usage.idempotencyKey}`;
}
