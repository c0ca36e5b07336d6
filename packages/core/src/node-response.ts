import type { Ending } from "./admission.ts";

/** As much of Node's `IncomingMessage` as tells whether anyone waits. */
export interface NodeRequest {
  readonly socket: { readonly destroyed: boolean } & Emitter;
}

/** As much of Node's `ServerResponse` as tells how it ended. */
export interface NodeResponse extends Emitter {
  readonly statusCode: number;
  readonly writableEnded: boolean;
  readonly socket: unknown;
}

interface Emitter {
  once(event: "finish" | "close", listener: () => void): unknown;
  off(event: "finish" | "close", listener: () => void): unknown;
}

/** How the response ended, as soon as it is out of our hands: `close` alone would also come, but only after `finish`. */
export function responseOver({ socket }: NodeRequest, response: NodeResponse): Promise<Ending> {
  return new Promise((resolve) => {
    const end = (ending: Ending) => {
      socket.off("close", abort);
      resolve(ending);
    };
    const abort = () => end("aborted");
    response.once("finish", () => end(response.statusCode < 400 ? "completed" : "failed"));
    response.once("close", abort);
    // A pipelined response has no socket until its turn comes, and is not told when the connection closes before.
    if (response.socket === null) socket.once("close", abort);
  });
}

/** Whether nobody waits any more: the client has left, or someone else has answered. */
export function isOver(request: NodeRequest, response: NodeResponse): boolean {
  return response.writableEnded || request.socket.destroyed;
}
