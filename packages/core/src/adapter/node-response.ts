import type { Admitted, Ending } from "./admission.ts";
import { keepCallbacks, type LeftResponse, leftResponse } from "./left-response.ts";
import { whenClosed } from "./socket-close.ts";

/** As much of Node's `IncomingMessage` as tells whether anyone waits. */
export interface NodeRequest {
  readonly socket: {
    readonly destroyed: boolean;
    /** What it was destroyed with. */
    readonly errored?: Error | null;
  } & Emitter;
}

/** As much of Node's `ServerResponse` as tells how it ended. */
export interface NodeResponse extends Emitter, LeftResponse {
  readonly statusCode: number;
  /** Its handler has destroyed it, or its connection has closed. */
  readonly destroyed: boolean;
  /** What it was destroyed with. */
  readonly errored?: Error | null;
}

interface Emitter {
  once(event: "finish" | "close", listener: () => void): unknown;
  off(event: "finish" | "close", listener: () => void): unknown;
}

/** Work that answers through Node's response. */
export interface NodeWork {
  readonly admission: Admitted;
  readonly response: NodeResponse;
  /** What {@link responseOver} gave for it. */
  readonly over: Promise<Ending>;
  /**
   * The handler's promise: the work has not ended while it is pending. `undefined` where the adapter does not see it. One
   * that resolves to `false` tells no more: the handler has passed the request on.
   */
  readonly handling?: Promise<unknown> | undefined;
}

/** How the response ended, as soon as it is out of our hands: `close` alone would also come, but only after `finish`. */
export function responseOver(request: NodeRequest, response: NodeResponse): Promise<Ending> {
  return new Promise((resolve) => {
    let forget = () => {};
    const end = (ending: Ending) => {
      forget();
      resolve(ending);
    };
    // A handler that destroys its response with an error, as `pipeline` does, has failed: no client has left.
    const abort = () =>
      end(response.errored && response.errored === request.socket.errored ? "failed" : "aborted");
    response.once("finish", () => end(response.statusCode < 400 ? "completed" : "failed"));
    response.once("close", abort);
    // A pipelined response has no socket until its turn comes, and is not told when the connection closes before.
    if (response.socket === null) forget = whenClosed(request.socket, abort);
  });
}

/**
 * Ends the work when the response is over, and its handler where that is seen. When the client has left: when the handler
 * has ended, or, where its promise does not tell, when `response.end()` has been called; whoever waits until they can
 * write waits no longer. Resolves when that has happened.
 */
export async function endWork({ admission, response, over, handling }: NodeWork): Promise<void> {
  const restore = handling && keepCallbacks(response);
  let working = handling !== undefined;
  let thrown: Ending | undefined;
  const handled = handling
    ?.then(
      (value) => value !== false,
      () => {
        // A reset fails the handler's writes before it closes the response: that is no failure of the handler.
        thrown = response.socket?.destroyed && !response.destroyed ? "aborted" : "failed";
        return true;
      },
    )
    .finally(() => {
      working = false;
    });
  const ending = await over;
  if (ending !== "aborted") await handled;
  // Frameworks break off the answer of a handler that has thrown amid it: no client has left.
  else if (thrown === "failed") return admission.end("failed");
  else await endLeft(admission, response, working || thrown ? handled : undefined);
  if (ending === "aborted") restore?.();
  await admission.end(ending);
}

/** A handler that has returned without an answer may have left it to a stream: then its promise tells nothing. */
async function endLeft(admission: Admitted, response: NodeResponse, seen?: Promise<boolean>): Promise<void> {
  const { ended, restore } = leftResponse(response);
  // How it is billed is told by `end()`, which both come to.
  const billed = admission.left(seen).catch(() => {});
  if (!(await seen)) await Promise.race([ended, billed]);
  restore();
}

/** Whether nobody waits any more: the client has left, or someone else has answered. */
export function isOver(request: NodeRequest, response: NodeResponse): boolean {
  return response.writableEnded || request.socket.destroyed;
}
