import { backOffMs, CreditgateError } from "@creditgate/client";
import {
  callName,
  checkAnswer,
  checkInput,
  openStream,
  parseJson,
  pause,
  type Settings,
} from "@creditgate/client/parts";
import { adminUsage } from "./contract/usage.ts";
import {
  usageFeed as endpoint,
  type UsageFeedEvent,
  type UsageFeedQuery,
  usageFeedQuery,
} from "./contract/usage-feed.ts";

export interface UsageFeedOptions {
  /** Ends the feed. */
  readonly signal?: AbortSignal | undefined;
  /** The `id` of an event: the feed continues after it. @default from now on */
  readonly lastEventId?: string | undefined;
  /** Called when the connection opens, and when it is lost and retried. */
  readonly onState?: ((state: "open" | "waiting") => void) | undefined;
}

/** Usage as it is taken and settled, in the order in which it was written, until the caller leaves or its signal fires. */
export type UsageFeed = (
  query?: UsageFeedQuery,
  options?: UsageFeedOptions,
) => AsyncGenerator<UsageFeedEvent, void, undefined>;

/** The service says something at least so often. */
const silenceMs = 45_000;
/** Also after an end without an error: a server that restarts ends the feeds of all pages at once. */
const pauses = { firstMs: 1_000, longestMs: 30_000 };

/**
 * Resumes by itself where the connection ends, without loss or doubles. Throws the `CreditgateError` of an answer that will not
 * change by itself: without a credential, or the right to read.
 */
export function createUsageFeed(settings: () => Settings, organizationId: string): UsageFeed {
  async function* connection(
    query: UsageFeedQuery,
    lastEventId: string | undefined,
    { signal, onState }: UsageFeedOptions,
  ): AsyncGenerator<UsageFeedEvent, void, undefined> {
    const { timing } = settings();
    const controller = new AbortController();
    const end = (): void => controller.abort(signal?.reason);
    signal?.addEventListener("abort", end, { once: true });
    let isSilent = (): void => undefined;
    const restartTimer = (): void => {
      isSilent();
      isSilent = timing.after(silenceMs, () => controller.abort());
    };
    try {
      restartTimer();
      const body = await openStream(settings(), endpoint, {
        params: { organizationId },
        query: Object.fromEntries(Object.entries(query)),
        headers: lastEventId === undefined ? {} : { "last-event-id": lastEventId },
        signal: controller.signal,
      });
      onState?.("open");
      for await (const event of readServerSentEvents(body, restartTimer)) {
        const parsed = eventOf(event);
        if (parsed !== undefined) yield parsed;
      }
    } finally {
      isSilent();
      signal?.removeEventListener("abort", end);
      controller.abort();
    }
  }

  return async function* feed(query = {}, options = {}) {
    checkInput(endpoint, usageFeedQuery, query);
    const { signal, onState } = options;
    let { lastEventId } = options;
    let failures = 0;
    while (signal?.aborted !== true) {
      let leastMs = 0;
      try {
        for await (const event of connection(query, lastEventId, options)) {
          failures = 0;
          lastEventId = event.id;
          yield event;
        }
      } catch (error) {
        if (signal?.aborted) return;
        leastMs = leastPauseMs(error);
        failures += 1;
      }
      onState?.("waiting");
      const { timing, baseUrl } = settings();
      const pauseMs = Math.max(
        leastMs,
        backOffMs(Math.max(1, failures), { ...pauses, random: () => timing.random() }),
      );
      await pause(timing, pauseMs, callName(baseUrl, endpoint), signal).catch(() => undefined);
    }
  };

  /** An event of a later version is left out. */
  function eventOf({ id, type, data }: ServerSentEvent): UsageFeedEvent | undefined {
    if (type === "start") return { type, id };
    if (type !== "taken" && type !== "settled") return undefined;
    const answer = { status: 200, body: parseJson(data), idempotencyKey: undefined };
    return { type, id, usage: checkAnswer(endpoint, adminUsage, answer) };
  }
}

/** Throws an error that a retry does not mend. */
function leastPauseMs(error: unknown): number {
  // A connection that breaks while it is read breaks with an error of the platform's.
  if (!(error instanceof CreditgateError)) return 0;
  if (!error.retryable && error.code !== "aborted") throw error;
  return error.retryAfterMs ?? 0;
} /** An event of a `text/event-stream`. */
interface ServerSentEvent {
  /** Of this one, or of the last one before that had one. */
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

/** No event of ours comes near: what is longer is none. */
const mostCharacters = 1_048_576;

/**
 * Reads the events of a body, each as soon as it is complete; an incomplete one is dropped. Calls `onChunk` with each
 * arrival.
 */
async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
  onChunk: () => void,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let id = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onChunk();
      rest += decoder.decode(value, { stream: true });
      const parts = rest.split("\n\n");
      rest = parts.pop() ?? "";
      if (rest.length > mostCharacters) throw new TypeError("The event is too long.");
      for (const part of parts) {
        const fields = fieldsOf(part);
        id = fields.get("id") ?? id;
        const data = fields.get("data");
        if (data !== undefined) yield { id, type: fields.get("event") ?? "message", data };
      }
    }
  } finally {
    // Ends the connection where the reader leaves; it may have ended.
    reader.cancel().catch(() => undefined);
  }
}

/** Lines that begin with a colon are comments. The service writes `\n` only, and one line of data. */
function fieldsOf(part: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const line of part.split("\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ""));
  }
  return fields;
}
