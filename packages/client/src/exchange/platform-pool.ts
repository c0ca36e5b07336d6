import { type AnswerHeaders, type Controller, type Handler, Pool, type PoolRequest } from "undici";
import { type Exchange, type Incoming, type Outgoing, type StartExchange, unanswered } from "./exchange.ts";

/** More than a service should have to answer one process at once; what comes beyond waits for a connection. */
const mostConnections = 256;

/** By connections of undici that are kept, without what `fetch` spends on streams and signals. */
export const platformExchange: StartExchange = (outgoing) => {
  const exchange = new PoolExchange(queueOf(outgoing.origin), outgoing);
  exchange.queue.add(exchange);
  return exchange;
};

/** What `fetch` would say: that no cache may answer, and who asks, without which some firewalls refuse. */
const ownHeaders = [
  // Left out, any encoding would do, and what comes is not decoded here.
  ...["accept-encoding", "identity"],
  ...["cache-control", "no-cache"],
  ...["user-agent", "creditgate"],
];

/** One for each service that this process calls, so that many clients of one service share its connections. */
const queues = new Map<string, Queue>();

function queueOf(origin: string): Queue {
  let queue = queues.get(origin);
  if (queue === undefined) {
    queue = new Queue(origin);
    queues.set(origin, queue);
  }
  return queue;
}

/**
 * The pool would queue by itself, but cannot take back what has been given up: while a service cannot be reached, its
 * queue would grow with each request.
 */
class Queue {
  readonly #pool: Pool;
  readonly #waiting = new Set<PoolExchange>();
  #running = 0;

  constructor(origin: string) {
    // A time limit of ours is on the whole exchange, so that theirs would only cost.
    this.#pool = new Pool(origin, {
      connections: mostConnections,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  add(exchange: PoolExchange): void {
    if (this.#running < mostConnections) this.#run(exchange);
    else this.#waiting.add(exchange);
  }

  remove(exchange: PoolExchange): void {
    this.#waiting.delete(exchange);
  }

  /** One that ran has ended. */
  next(): void {
    this.#running--;
    const [exchange] = this.#waiting;
    if (exchange === undefined) return;
    this.#waiting.delete(exchange);
    this.#run(exchange);
  }

  #run(exchange: PoolExchange): void {
    this.#running++;
    this.#pool.dispatch(exchange.request(), exchange);
  }
}

const givenUp = new Error("given up");

/** Passed to undici as the handler of its request. */
class PoolExchange implements Exchange, Handler {
  readonly queue: Queue;
  readonly #outgoing: Outgoing;
  readonly incoming: Promise<Incoming>;
  #resolve: (incoming: Incoming) => void = () => {};
  #isStopped = false;
  /** Set just before the request is written: without it, not a byte has been sent. */
  #controller: Controller | undefined;
  #status: number | undefined;
  #headers: AnswerHeaders = {};
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(queue: Queue, outgoing: Outgoing) {
    this.queue = queue;
    this.#outgoing = outgoing;
    this.incoming = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** As undici takes it: to copy one object for each request into another costs more than this. */
  request(): PoolRequest {
    const { method, path, body } = this.#outgoing;
    const headers = ownHeaders.slice();
    for (const name in this.#outgoing.headers) headers.push(name, this.#outgoing.headers[name] ?? "");
    return { method, path, body, headers };
  }

  stop(reason: unknown): void {
    this.#isStopped = true;
    this.queue.remove(this);
    this.#fail(reason);
    this.#controller?.abort(givenUp);
  }

  onRequestStart(controller: Controller): void {
    // Thrown, not aborted, so that the connection stays for the next one. And nothing is ever written twice.
    if (this.#isStopped || this.#controller !== undefined) throw givenUp;
    this.#controller = controller;
  }

  onResponseStart(controller: Controller, status: number, headers: AnswerHeaders): void {
    // Before the answer others may come, such as 103.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (status < 300 || status >= 400) return;
    this.#end("whole", "");
    controller.abort(givenUp);
  }

  onResponseData(controller: Controller, chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength;
    this.#chunks.push(chunk);
    if (this.#bytes <= this.#outgoing.maxAnswerBytes) return;
    this.#end("too_large", "");
    controller.abort(givenUp);
  }

  onResponseEnd(): void {
    this.#end("whole", textOf(this.#chunks, this.#bytes));
    this.queue.next();
  }

  onResponseError(_: Controller, error: Error): void {
    this.#fail(error);
    this.queue.next();
  }

  #fail(cause: unknown): void {
    if (this.#status !== undefined) this.#end("lost", "", cause);
    else this.#resolve(unanswered(this.#controller === undefined ? "never_sent" : "lost", cause));
  }

  #end(end: "whole" | "too_large" | "lost", text: string, cause?: unknown): void {
    const headers = this.#headers;
    this.#resolve({
      end,
      status: this.#status,
      text,
      cause,
      header(name) {
        const value = headers[name];
        return typeof value === "string" ? value : value?.join(", ");
      },
    });
  }
}

const decoder = new TextDecoder();

function textOf(chunks: readonly Uint8Array[], length: number): string {
  const [first] = chunks;
  if (first === undefined) return "";
  if (chunks.length === 1) return decoder.decode(first);
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return decoder.decode(whole);
}
