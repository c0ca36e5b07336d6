import { verbose } from "#verbosity";
import { microtasks } from "../values/awaitable.ts";
import type { AnswerBody } from "./work-end.ts";

/** What happens to a body that somebody else reads. */
export interface BodyEvents {
  failed(error: Error): void;
  /** Who reads it has cancelled it. Its cancellation waits no longer than for what this returns. */
  dropped(): Promise<void> | undefined | void;
  /** Somebody reads it. */
  begun?(): void;
  /** The first chunk is given. `readOn` reads the next before it is asked for. */
  given?(readOn: () => void): void;
  /** It has been read to its end. */
  ended?(): void;
  /** Why the source is cancelled, unless its reader gives a reason. */
  reason?(): unknown;
}

/** The same bytes, each read when it is asked for and no sooner. */
export function watchStream(
  source: ReadableStream,
  { failed, dropped, begun, given, ended, reason = unreceived }: BodyEvents,
): { readonly body: AnswerBody; readonly sent: ReadableStream } {
  const reader = source.getReader();
  let isOver = false;
  let cancelling: Promise<void> | undefined;
  let watched: ReadableStreamDefaultController | undefined;
  const cancel = (why: unknown = reason()) => {
    watched?.error(why);
    cancelling ??= reader.cancel(why);
    return cancelling;
  };
  const readOn = async () => {
    try {
      const { done, value } = await reader.read();
      if (!done) {
        watched?.enqueue(value);
        given?.(readOn);
        given = undefined;
        return;
      }
      // So ends what has been cancelled, or has been read before it was asked for.
      if (cancelling !== undefined || isOver) return;
      watched?.close();
      isOver = true;
      ended?.();
    } catch (error) {
      if (cancelling !== undefined) return;
      watched?.error(error);
      isOver = true;
      failed(error instanceof Error ? error : new Error("the stream failed", { cause: error }));
    }
  };
  const sent = new ReadableStream(
    {
      start(controller) {
        watched = controller;
      },
      pull() {
        begun?.();
        return readOn();
      },
      /** A branch of a tee, such as a clone, is cancelled only once the other one is, and that may be never. */
      cancel(why) {
        reason = () => why;
        const billed = dropped();
        return billed ? Promise.race([billed, cancel()]) : cancel();
      },
    },
    { highWaterMark: 0 },
  );
  return { sent, body: { isOver: () => isOver, cancel: () => cancel(), look: () => readAtOnce(sent) } };
}

/** More than a body has that was complete when it was made. */
const mostChunks = 16;

/** More promises than one after the other bring what is there. */
const mostTurns = 64;

/** Reads until it would have to wait. */
async function readAtOnce(stream: ReadableStream): Promise<void> {
  const reader = stream.getReader();
  const wait = microtasks(mostTurns);
  try {
    for (let chunk = 0; chunk < mostChunks; chunk++) {
      const read = await Promise.race([reader.read(), wait]);
      if (read?.done !== false) return;
    }
  } catch {
    // The stream's own events report its failure.
  }
}

const unreceived = () => new Error(verbose ? "Nobody receives this answer any more" : "");
