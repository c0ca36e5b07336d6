import { type Awaitable, isThenable } from "../values/awaitable.ts";
import type { Admitted } from "./admission.ts";
import type { Ending } from "./ending.ts";
import { keepCallbacks, leftResponse } from "./left-response.ts";
import type { NodeRequest, NodeResponse, ResponseOver } from "./response-over.ts";

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
}

/**
 * Ends the work when the response is over, and its handler where that is seen. When the client has left: when the handler
 * has ended, or, where its promise does not tell, when `response.end()` has been called; a handler that waits until it can
 * write waits no longer. Resolves when that has happened.
 */
export function endWork(work: NodeWork): Promise<void> {
  const { admission, response, over, handling } = work;
  // What is complete is not written to any more.
  const restore = handling === undefined || response.writableEnded ? undefined : keepCallbacks(response);
  const handler = isThenable(handling) ? new Handler(handling, response) : undefined;
  let aborted: Promise<void> | undefined;
  const abort = () => {
    aborted ??= endAborted(work, handler, restore);
    return aborted;
  };
  over.left = abort;
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
async function endLeft({ admission, response, over }: NodeWork, seen?: Promise<boolean>): Promise<void> {
  const { ended, restore } = leftResponse(response);
  // How it is billed is told by `end()`, which both come to.
  const billed = admission.left(seen, over.cancelled).catch(() => {});
  if (!(await seen)) await Promise.race([ended, billed]);
  restore();
}

/** Whether no answer is awaited any more: the client has left, or another handler has answered. */
export function isOver(request: NodeRequest, response: NodeResponse): boolean {
  return response.writableEnded || request.socket.destroyed;
}
