import type { Admitted, Ending } from "./admission.ts";
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
export interface NodeResponse extends Emitter {
  readonly statusCode: number;
  readonly writableEnded: boolean;
  readonly socket: unknown;
  /** What it was destroyed with. */
  readonly errored?: Error | null;
  end(...answer: never): unknown;
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
 * has ended or has called `response.end()`, which is watched for from then on. Resolves when that has happened.
 */
export async function endWork({ admission, response, over, handling }: NodeWork): Promise<void> {
  let working = handling !== undefined;
  let failed = false;
  const handled = handling
    ?.then(
      (value) => value !== false,
      () => {
        failed = true;
        return true;
      },
    )
    .finally(() => {
      working = false;
    });
  const ending = await over;
  if (ending !== "aborted") await handled;
  // Frameworks break off the answer of a handler that has thrown amid it: no client has left.
  else if (failed) return admission.end("failed");
  else await endLeft(admission, response, working ? handled : undefined);
  await admission.end(ending);
}

/** A handler that has returned without an answer may have left it to a stream: then its promise tells nothing. */
async function endLeft(admission: Admitted, response: NodeResponse, seen?: Promise<boolean>): Promise<void> {
  const answered = responseEnded(response);
  // How it is billed is told by `end()`, which both come to.
  admission.left(seen).catch(() => {});
  await Promise.race([answered, seen?.then((isOver) => (isOver ? undefined : answered)) ?? answered]);
}

/** Whether nobody waits any more: the client has left, or someone else has answered. */
export function isOver(request: NodeRequest, response: NodeResponse): boolean {
  return response.writableEnded || request.socket.destroyed;
}

/** Resolves when someone has called `end()`, which Node says by no event once the connection is closed. */
function responseEnded(response: NodeResponse): Promise<void> {
  if (response.writableEnded) return Promise.resolve();
  return new Promise((resolve) => {
    const before = Object.getOwnPropertyDescriptor(response, "end");
    const { end } = response;
    const watched = function (this: unknown, ...answer: readonly unknown[]): unknown {
      // Others may have wrapped it since; theirs stays, and calls this one.
      if (response.end === watched) {
        if (before === undefined) Reflect.deleteProperty(response, "end");
        else Object.defineProperty(response, "end", before);
      }
      resolve();
      return Reflect.apply(end, this, answer);
    };
    Object.defineProperty(response, "end", {
      value: watched,
      configurable: true,
      writable: true,
      enumerable: true,
    });
  });
}
