import { type BodyEvents, watchStream } from "./watched-stream.ts";
import type { AnswerBody } from "./work-end.ts";

/** A body on its way, and the value to send in place of the one that has it. */
interface WatchedBody {
  readonly body: AnswerBody;
  readonly sent: unknown;
}

/** The part of Node's `Readable` that shows its end. */
interface NodeStream {
  readonly readableEnded?: boolean;
  readonly closed?: boolean;
  once(event: "end" | "close", listener: () => void): unknown;
  once(event: "error", listener: (error: Error) => void): unknown;
  destroy?(error?: unknown): unknown;
}

type EndableIterator = AsyncIterator<unknown> & Required<Pick<AsyncIterator<unknown>, "return">>;

/** The body of an answer, if it is a stream of Node or of the web, a `Response` with one, or an iterator; else `undefined`. */
export function watchBody(value: unknown, events: BodyEvents): WatchedBody | undefined {
  if (value instanceof Response) {
    const watched = watchBody(value.body, events);
    return watched && { body: watched.body, sent: new Response(watched.sent as ReadableStream, value) };
  }
  if (value instanceof ReadableStream) return value.locked ? undefined : watchStream(value, events);
  if (isNodeStream(value)) return { body: watchNodeStream(value, events), sent: value };
  if (isIterator(value)) return { body: watchIterator(value, events), sent: value };
  return undefined;
}

/** The same answer with a stream that has ended. */
export function emptied(value: unknown): Response | ReadableStream {
  const nothing = new ReadableStream({ start: (controller) => controller.close() });
  return value instanceof Response ? new Response(nothing, value) : nothing;
}

/** Those of a package are no instances of Node's class. */
function isNodeStream(value: unknown): value is NodeStream {
  return typeof Object(value).pipe === "function";
}

function watchNodeStream(stream: NodeStream, { failed, dropped }: BodyEvents): AnswerBody {
  let isOver = stream.readableEnded === true;
  let isCancelled = false;
  const { destroy } = stream;
  if (destroy !== undefined) {
    stream.destroy = (error) => {
      // Dropping the stream cancels its work. The signal fires first.
      if (error == null && !isOver && !isCancelled) dropped();
      return Reflect.apply(destroy, stream, [error]);
    };
  }
  stream.once("end", () => {
    isOver = true;
  });
  stream.once("error", (error) => {
    // A cancelled stream emits no error.
    if (isCancelled || isOver) return;
    isOver = true;
    failed(error);
  });
  const closed = new Promise<void>((resolve) => {
    const close = () => {
      resolve();
      if (!isOver && !isCancelled) dropped();
    };
    if (stream.closed === true) close();
    else stream.once("close", close);
  });
  return {
    isOver: () => isOver,
    cancel() {
      const isFirst = !isCancelled;
      isCancelled = true;
      if (isFirst) stream.destroy?.();
      return closed;
    },
  };
}

/** A generator, or what iterates as one. */
function isIterator(value: unknown): value is EndableIterator {
  const { next, return: end } = Object(value);
  return Symbol.asyncIterator in Object(value) && typeof next === "function" && typeof end === "function";
}

/** The framework reads it to its end, or returns it. */
function watchIterator(source: EndableIterator, { failed, dropped }: BodyEvents): AnswerBody {
  const { next, return: end } = source;
  let isOver = false;
  let cancelling: Promise<unknown> | undefined;
  const cancel = () => {
    cancelling ??= Reflect.apply(end, source, []);
    return cancelling;
  };
  source.next = async (...sent) => {
    try {
      const result = await Reflect.apply(next, source, sent);
      if (result.done === true && cancelling === undefined) isOver = true;
      return result;
    } catch (error) {
      if (cancelling === undefined) {
        isOver = true;
        failed(error instanceof Error ? error : new Error("the iterator failed", { cause: error }));
      }
      throw error;
    }
  };
  source.return = async (value) => {
    if (!isOver) dropped();
    await cancel();
    return { done: true, value };
  };
  return { isOver: () => isOver, cancel };
}
