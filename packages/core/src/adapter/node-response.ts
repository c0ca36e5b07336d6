import { type Awaitable, isThenable } from "../values/awaitable.ts";
import type { Admitted, Ending } from "./admission.ts";
import { keepCallbacks, type LeftResponse, leftResponse } from "./left-response.ts";
import { whenClosed } from "./socket-close.ts";

/** As much of Node's `IncomingMessage` as tells whether its client still waits. */
export interface NodeRequest {
  readonly socket: {
    readonly destroyed: boolean;
    /** What it was destroyed with. */
    readonly errored?: Error | null;
    once(event: "close", listener: () => void): unknown;
    off(event: "close", listener: () => void): unknown;
  };
}

/** As much of Node's `ServerResponse` as tells how it ended. */
export interface NodeResponse extends LeftResponse {
  readonly statusCode: number;
  /** Its handler has destroyed it, or its connection has closed. */
  readonly destroyed: boolean;
  /** What it was destroyed with. */
  readonly errored?: Error | null;
  on(event: "finish" | "close", listener: () => void): unknown;
}

/** Work that answers through Node's response. */
export interface NodeWork {
  readonly admission: Admitted;
  readonly response: NodeResponse;
  /** What {@link responseOver} gave for it. */
  readonly over: ResponseOver;
  /**
   * The handler's promise: the work has not ended while it is pending. `undefined` where the adapter does not see it. One
   * that resolves to `false` tells no more: the handler has passed the request on. What is no promise is what the handler
   * has returned already.
   */
  readonly handling?: Awaitable<unknown>;
  /** What {@link pipeClosed} gave for the response, where the framework sends the stream that its handler returns. */
  readonly cancelled?: Promise<unknown>;
}

/** How a response ended. */
export interface ResponseOver extends Promise<Ending> {
  /** Called at once when the client leaves: others that hear of it stop a stream, which may report then. */
  left?: () => void;
}

/** As much of Node's `ServerResponse` as tells what is piped into it. */
export interface PipedResponse {
  on(event: "pipe", listener: (source: PipedStream) => void): unknown;
}

/** As much of Node's `Readable` as tells that it is over. */
export interface PipedStream {
  once(event: "close", listener: () => void): unknown;
}

/** How the response ended, as soon as it is out of our hands: `close` alone would also come, but only after `finish`. */
export function responseOver(request: NodeRequest, response: NodeResponse): ResponseOver {
  const over: ResponseOver = new Promise<Ending>((resolve) => {
    let isFinished = false;
    const finish = () => {
      isFinished = true;
      resolve(response.statusCode < 400 ? "completed" : "failed");
    };
    const close = () => {
      if (isFinished) return;
      // A handler that destroys its response with an error, as `pipeline` does, has failed: no client has left.
      const isFailed = response.errored && response.errored === request.socket.errored;
      resolve(isFailed ? "failed" : "aborted");
      if (!isFailed) over.left?.();
    };
    // Not once(), which costs more than to listen on: each comes once, and the first decides.
    response.on("finish", finish);
    response.on("close", close);
    // A pipelined response has no socket until its turn comes, and is not told when the connection closes before.
    if (response.socket === null) {
      const forget = whenClosed(request.socket, close);
      response.on("finish", forget);
      response.on("close", forget);
    }
  });
  return over;
}

/** Settles when a stream that was piped into the response has closed: read to its end, or destroyed since its client left. */
export function pipeClosed(response: PipedResponse): Promise<void> {
  return new Promise((resolve) => {
    response.on("pipe", (source) => source.once("close", resolve));
  });
}

/**
 * Ends the work when the response is over, and its handler where that is seen. When the client has left: when the handler
 * has ended, or, where its promise does not tell, when `response.end()` has been called; a handler that waits until it can
 * write waits no longer. Resolves when that has happened.
 */
export function endWork(work: NodeWork): Promise<void> {
  const { admission, response, over, handling, cancelled } = work;
  // What is complete is not written to any more.
  const restore = handling === undefined || response.writableEnded ? undefined : keepCallbacks(response);
  const handler = isThenable(handling) ? new Handler(handling, response) : undefined;
  let aborted: Promise<void> | undefined;
  const abort = () => {
    aborted ??= endAborted(work, handler, restore);
    return aborted;
  };
  if (cancelled !== undefined) over.left = abort;
  return over.then((ending) => {
    if (ending === "aborted") return abort();
    if (!handler?.working) return admission.end(ending);
    return handler.handled.then(() => admission.end(ending));
  });
}

/** A handler whose promise is seen. */
class Handler {
  working = true;
  /** How the work ended with which the handler threw. */
  thrown: Ending | undefined;
  /** Resolves when it has ended: to `false` where that tells nothing of the work. */
  readonly handled: Promise<boolean>;

  constructor(handling: PromiseLike<unknown>, response: NodeResponse) {
    const handled = (value: unknown) => {
      this.working = false;
      return value !== false;
    };
    const failed = () => {
      this.working = false;
      // A reset fails the handler's writes before it closes the response: that is no failure of the handler.
      this.thrown = response.socket?.destroyed && !response.destroyed ? "aborted" : "failed";
      return true;
    };
    this.handled = Promise.resolve(handling.then(handled, failed));
  }
}

async function endAborted(
  work: NodeWork,
  handler: Handler | undefined,
  restore: (() => void) | undefined,
): Promise<void> {
  const { admission } = work;
  // Frameworks break off the answer of a handler that has thrown amid it: no client has left.
  if (handler?.thrown === "failed") return admission.end("failed");
  await endLeft(work, handler?.working || handler?.thrown ? handler.handled : undefined);
  restore?.();
  await admission.end("aborted");
}

/** A handler that has returned without an answer may have left it to a stream: then its promise tells nothing. */
async function endLeft({ admission, response, cancelled }: NodeWork, seen?: Promise<boolean>): Promise<void> {
  const { ended, restore } = leftResponse(response);
  // How it is billed is told by `end()`, which both come to.
  const billed = admission.left(seen, cancelled).catch(() => {});
  if (!(await seen)) await Promise.race([ended, billed]);
  restore();
}

/** Whether no answer is awaited any more: the client has left, or another handler has answered. */
export function isOver(request: NodeRequest, response: NodeResponse): boolean {
  return response.writableEnded || request.socket.destroyed;
}
