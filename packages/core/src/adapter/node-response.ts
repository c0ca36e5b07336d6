import { isThenable } from "../values/awaitable.ts";
import type { Admission, Admitted } from "./admission.ts";
import { type DisconnectedResponse, resumeWriters, watchWrites, whenEnded } from "./disconnected-response.ts";
import { emptied, watchBody } from "./node-body.ts";
import type { Ending } from "./request-work.ts";
import { type AnswerBody, WorkEnd } from "./work-end.ts";

/** The part of `Http2Stream` that shows a reset, of which the response of HTTP/2 emits `finish` too. */
interface Http2Stream {
  readonly aborted: boolean;
  readonly closed: boolean;
  readonly rstCode: number;
  readonly errored?: Error | null;
  prependListener(event: "aborted", listener: () => void): unknown;
  on(event: "close", listener: () => void): unknown;
}

/** The part of Node's `IncomingMessage`, or of HTTP/2's request, that shows whether its client still waits. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly stream?: Http2Stream;
  readonly socket: {
    readonly destroyed: boolean;
    /** What it was destroyed with. */
    readonly errored?: Error | null;
    prependListener(event: "error" | "close", listener: () => void): unknown;
    off(event: "error" | "close", listener: () => void): unknown;
  };
}

/** The part of Node's `ServerResponse`, or of HTTP/2's response, that shows how it ended. */
export interface NodeResponse extends DisconnectedResponse {
  readonly statusCode: number;
  readonly headersSent: boolean;
  readonly socket: { readonly destroyed: boolean } | null;
  /** Its handler has destroyed it, or its connection has closed. */
  readonly destroyed: boolean;
  /** What it was destroyed with. */
  readonly errored?: Error | null;
  on(event: "finish" | "close", listener: () => void): unknown;
  destroy(error?: Error): unknown;
}

const nothing = () => {};

/** A request that Node's handlers answer: observes its response from before the gate decides, for {@link WorkEnd} to judge. */
export class NodeWork {
  readonly #request: NodeRequest;
  readonly #response: NodeResponse;
  // Read once: a property that a request of Express does not have is slow to look for.
  readonly #stream: Http2Stream | undefined;
  readonly #onOver: () => void;
  readonly #close = (): void => this.#over(false);
  #ending: Ending | undefined;
  #end: WorkEnd | undefined;
  /** A handler has returned a promise. */
  #isSeen = false;
  /** Nobody receives what is written. */
  #isLost = false;
  /** Stops listening to the connection. */
  #forget = nothing;

  /** `onOver` is called when the response has ended. */
  constructor(request: NodeRequest, response: NodeResponse, onOver: () => void = nothing) {
    this.#request = request;
    this.#response = response;
    this.#onOver = onOver;
    const { stream } = request;
    this.#stream = stream;
    const close = this.#close;
    // Not once(), which costs more than to listen on: each comes once, and the first decides.
    // That of HTTP/2 has finished with headers after which no body comes, though its handler goes on.
    response.on("finish", () => this.#over(!this.#isReset));
    response.on("close", close);
    if (stream !== undefined) {
      stream.prependListener("aborted", close);
      // The response to a HEAD emits neither `finish` nor `close` over HTTP/2, and its stream no `aborted`.
      stream.on("close", close);
    } else if (response.socket === null) {
      // A pipelined response has no socket until its turn comes, and emits nothing if the connection closes before.
      this.#whenClosed();
    }
  }

  /**
   * Whether nobody waits for an answer any more: the client disconnected, or another handler has answered. If so,
   * releases the hold.
   */
  isOver(admission: Admission): boolean {
    const { writableEnded } = this.#response;
    const isOver = writableEnded || this.#ending !== undefined || this.#isGone;
    if (isOver && admission.admitted) admission.credits.release();
    return isOver;
  }

  /**
   * Calls the handler of admitted work, and returns what it returns. Its promise is seen: `false` shows nothing, since the handler
   * has passed the request on. Without a handler nothing of the work is seen but the response, until `end()` is called.
   */
  run(admission: Admitted): void;
  run<T>(admission: Admitted, handle: () => T): T;
  run<T>(admission: Admitted, handle?: () => T): T | undefined {
    const end = new WorkEnd(admission);
    this.#end = end;
    // Whether a handler that has returned has sent headers alone, or a part of a body, HEAD does not show.
    const isHead = this.#request.method === "HEAD";
    if (isHead) this.#watchWrites(end);
    const handling = handle?.();
    if (handle !== undefined) this.follow(handling);
    // What is complete is not written to any more.
    if (!isHead && !this.#response.writableEnded) this.#watchWrites(end);
    return handling;
  }

  #watchWrites(end: WorkEnd): void {
    const response = this.#response;
    watchWrites(response, {
      isGone: () => this.#isLost || response.socket?.destroyed === true,
      isBodiless: () => this.#isBodiless,
      onStream: () => end.discard(),
    });
  }

  /** A handler that is called behind the one that `run()` calls: its promise is seen too. */
  follow(handling: unknown): void {
    this.#isSeen ||= isThenable(handling);
    this.#end?.handles(handling, () => this.#isGone && !this.#response.destroyed);
  }

  /**
   * What the handler answers, for the framework to send: the value as it is, whose stream, if it has one, is watched. Nobody
   * reads the stream of an answer that has no body: the framework gets one that has ended.
   */
  answers(value: unknown): unknown {
    if (value instanceof Error) this.fail();
    const watched = watchBody(value, {
      failed: (error) => {
        this.#end?.over("failed");
        // Frameworks would break the response off without a reason, as after a disconnect, or leave it open.
        if (this.#response.headersSent && !this.#response.writableEnded) this.#response.destroy(error);
      },
      dropped: () => this.discard(),
    });
    if (watched === undefined) return value;
    if (!this.#isBodiless) {
      this.streams(watched.body);
      return watched.sent;
    }
    void this.#end?.answersHead(watched.body);
    return emptied(value);
  }

  /** The handler answers with a body that the framework reads. */
  streams(body: AnswerBody): void {
    // Frameworks react to the error of the connection, and destroy the stream, before the response is closed.
    if (this.#ending === undefined && this.#stream === undefined) this.#whenClosed();
    this.#end?.answers(body);
  }

  /** The handler has failed, whatever an error handler answers. */
  fail(): void {
    this.#end?.fail();
  }

  /** What the handler has yet to answer reaches nobody. */
  discard(): void {
    this.#end?.discard();
  }

  #over(isFinished: boolean): void {
    if (this.#ending !== undefined) return;
    this.#ending = isFinished ? this.#statusEnding : this.#brokenEnding;
    this.#forget();
    this.#judge(this.#ending, isFinished && this.#response.writableEnded);
    this.#onOver();
  }

  #judge(ending: Ending, isAnswered: boolean): void {
    const end = this.#end;
    if (end === undefined) return;
    end.over(ending, isAnswered, this.#isSeen);
    if (isAnswered) return;
    this.#isLost = true;
    whenEnded(this.#response, () => end.answered());
    resumeWriters(this.#response);
  }

  get #statusEnding(): Ending {
    return this.#response.statusCode < 400 ? "completed" : "failed";
  }

  /** The response has closed before all of it was written. */
  get #brokenEnding(): Ending {
    const { errored, headersSent } = this.#response;
    const { socket } = this.#request;
    const stream = this.#stream;
    // The headers are all of the answer.
    if (this.#isBodiless && headersSent) return this.#statusEnding;
    // A handler that destroys its response with an error, as `pipeline` does, has failed. That is no disconnect.
    const isOwn = stream === undefined ? errored && errored === socket.errored : isOwnError(stream.errored);
    return isOwn ? "failed" : "aborted";
  }

  /** The client receives headers alone, whatever is written. */
  get #isBodiless(): boolean {
    const { statusCode } = this.#response;
    return this.#request.method === "HEAD" || statusCode === 204 || statusCode === 304;
  }

  get #isReset(): boolean {
    const stream = this.#stream;
    return stream !== undefined && (stream.aborted || stream.rstCode !== 0);
  }

  get #isGone(): boolean {
    const stream = this.#stream;
    return stream === undefined ? this.#request.socket.destroyed : stream.closed;
  }

  #whenClosed(): void {
    this.#forget();
    this.#forget = whenClosed(this.#request.socket, this.#close);
  }
}

/** An HTTP/2 stream is destroyed with the reason of a reset too. */
function isOwnError(error: (Error & { readonly code?: unknown }) | null | undefined): boolean {
  return error != null && !/^(ERR_HTTP2_|ECONN|EPIPE)/.test(String(error.code));
}

type Socket = Pick<NodeRequest["socket"], "prependListener" | "off">;

/** One listener on a connection serves all of its pipelined responses: Node warns of more than ten. */
const listeners = new WeakMap<Socket, { readonly callbacks: Set<() => void>; readonly close: () => void }>();

/** Runs `callback` when the connection fails or closes, before other listeners. Returns the function that removes it. */
function whenClosed(socket: Socket, callback: () => void): () => void {
  const { callbacks, close } = listeners.get(socket) ?? listenOn(socket);
  callbacks.add(callback);
  return () => {
    if (!callbacks.delete(callback) || callbacks.size > 0) return;
    socket.off("error", close);
    socket.off("close", close);
    listeners.delete(socket);
  };
}

function listenOn(socket: Socket) {
  const callbacks = new Set<() => void>();
  const close = () => {
    for (const callback of callbacks) callback();
  };
  const listener = { callbacks, close };
  listeners.set(socket, listener);
  socket.prependListener("error", close);
  socket.prependListener("close", close);
  return listener;
}
