import type { Ending } from "./ending.ts";
import type { LeftResponse } from "./left-response.ts";
import { whenClosed } from "./socket-close.ts";

/** As much of Node's `IncomingMessage` as tells whether its client still waits. */
export interface NodeRequest {
  readonly socket: {
    readonly destroyed: boolean;
    /** What it was destroyed with. */
    readonly errored?: Error | null;
    prependListener(event: "error" | "close", listener: () => void): unknown;
    off(event: "error" | "close", listener: () => void): unknown;
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

/** How a response ended. */
export interface ResponseOver extends Promise<Ending> {
  /** Settles when a stream that was piped into the response has closed: read to its end, or destroyed since its client left. */
  readonly cancelled?: Promise<unknown>;
  /** Called as soon as the client has left, before the framework hears of it and destroys that stream, which may then report. */
  left?: () => void;
}

/** As much of Node's `ServerResponse` as tells what a framework sends as an answer. */
export interface PipedResponse extends NodeResponse {
  on(event: "finish" | "close", listener: () => void): unknown;
  on(event: "pipe", listener: (stream: PipedStream) => void): unknown;
}

/** As much of Node's `Readable` as tells that it is over. */
export interface PipedStream {
  once(event: "close", listener: () => void): unknown;
}

/** How the response ended, as soon as it is out of our hands: `close` alone would also come, but only after `finish`. */
export function responseOver(request: NodeRequest, response: NodeResponse): ResponseOver {
  return new Promise((resolve) => watch(request, response, resolve));
}

/** The same where the framework sends the stream that its handler returns. */
export function pipedResponseOver(request: NodeRequest, response: PipedResponse): ResponseOver {
  let cancel = () => {};
  const cancelled = new Promise<void>((resolve) => {
    cancel = resolve;
  });
  const ended = new Promise<Ending>((resolve) => {
    const close = watch(request, response, (ending) => {
      resolve(ending);
      if (ending === "aborted") over.left?.();
    });
    response.on("pipe", (stream) => {
      stream.once("close", cancel);
      // Of a reset the connection tells by its error, and frameworks heed it, before the response is closed.
      lookUntilOver(response, whenClosed(request.socket, close));
    });
  });
  const over: ResponseOver = Object.assign(ended, { cancelled });
  return over;
}

/** Tells how the response ended, once. Returns what is to be called when its connection has ended. */
function watch(request: NodeRequest, response: NodeResponse, tell: (ending: Ending) => void): () => void {
  let isOver = false;
  const end = (ending: Ending) => {
    if (isOver) return;
    isOver = true;
    tell(ending);
  };
  const finish = () => end(response.statusCode < 400 ? "completed" : "failed");
  // A handler that destroys its response with an error, as `pipeline` does, has failed: no client has left.
  const close = () =>
    end(response.errored && response.errored === request.socket.errored ? "failed" : "aborted");
  // Not once(), which costs more than to listen on: each comes once, and the first decides.
  response.on("finish", finish);
  response.on("close", close);
  // A pipelined response has no socket until its turn comes, and is not told when the connection closes before.
  if (response.socket === null) lookUntilOver(response, whenClosed(request.socket, close));
  return close;
}

function lookUntilOver(response: NodeResponse, forget: () => void): void {
  response.on("finish", forget);
  response.on("close", forget);
}
