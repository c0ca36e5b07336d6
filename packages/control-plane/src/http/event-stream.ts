import { once } from "node:events";
import type { ServerResponse } from "node:http";

/** Whether the client takes what was written within this number of milliseconds, or has left. */
export async function isTaken(
  response: ServerResponse,
  gone: AbortSignal,
  stallMs: number,
): Promise<boolean> {
  const stalled = AbortSignal.timeout(stallMs);
  await once(response, "drain", { signal: AbortSignal.any([gone, stalled]) }).catch(() => undefined);
  return gone.aborted || !stalled.aborted;
}

/** Events that are sent as they happen (`text/event-stream`), until the client leaves or the server stops. */
export interface EventStreamAnswer {
  readonly status: 200;
  /** Begins at the first reading: what fails until then is an answer as any other. The signal ends its waits; then it ends. */
  events(signal: AbortSignal): AsyncGenerator<string, void, undefined>;
}

interface EventStreamOptions {
  /** Fires when the server stops. */
  readonly stopping: AbortSignal;
  /** How long a client may take what has been written, in milliseconds, until its connection is cut: it can resume. @default 30000 */
  readonly stallMs?: number;
}

/** Sends events as fast as the client takes them: the next ones are not read before. */
export async function sendEvents(
  response: ServerResponse,
  answer: EventStreamAnswer,
  { stopping, stallMs = 30_000 }: EventStreamOptions,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const events = answer.events(AbortSignal.any([gone.signal, stopping]));
  try {
    let part = await events.next();
    response.setHeader("content-type", "text/event-stream; charset=utf-8");
    // Proxies that keep answers back until they are whole would keep this one for ever.
    response.writeHead(answer.status, { "cache-control": "no-store", "x-accel-buffering": "no" });
    // Its answer has no body, and ends.
    const isHead = response.req.method === "HEAD";
    while (part.done !== true && !response.destroyed && !isHead) {
      if (!response.write(part.value) && !(await isTaken(response, gone.signal, stallMs))) response.destroy();
      part = await events.next();
    }
    response.end();
  } catch (error) {
    if (response.headersSent) response.destroy();
    throw error;
  } finally {
    await events.return();
  }
}
