import type { Clock } from "../values/clock.ts";

/** The part of Node's HTTP server that is used here. */
export interface ClosableServer {
  /** Takes no more connections; calls back when the last one has ended. */
  close(closed: () => void): unknown;
  /** Ends what is idle. */
  closeIdleConnections(): void;
  /** Breaks off what goes on. */
  closeAllConnections(): void;
  /** If present, responses carry `Connection: close`, so that no client sends another request on the connection. */
  prependListener?(event: "request", listener: RequestListener): unknown;
  off?(event: "request", listener: RequestListener): unknown;
}

/** The part of Node's `ServerResponse` that is used here. */
interface Response {
  readonly headersSent: boolean;
  shouldKeepAlive: boolean;
  once(event: "close", listener: () => void): unknown;
}

type RequestListener = (request: unknown, response: Response) => void;

/** For so long a connection that is kept alive may bring one more request, whose answer ends it. */
const lingerMs = 500;

/** Ends a server's connections without cutting a request on one that is kept alive. */
export class ServerDrain {
  readonly #server: ClosableServer;
  readonly #clock: Clock;
  readonly #underWay = new Set<Response>();
  #isDraining = false;
  /** Until then a connection may be idle between two requests of a busy client. */
  #busyUntil = Number.NEGATIVE_INFINITY;
  readonly #listener: RequestListener = (_, response) => this.#begin(response);

  constructor(server: ClosableServer, clock: Clock) {
    this.#server = server;
    this.#clock = clock;
    // Before the application's listener, which may send the headers at once.
    server.prependListener?.("request", this.#listener);
  }

  /** Ends the listening. */
  stop(): void {
    this.#server.off?.("request", this.#listener);
  }

  /** Resolves when the last connection has ended. New ones are taken for half a second more, at most for the grace. */
  async close(graceMs: number): Promise<true> {
    this.#isDraining = true;
    for (const response of this.#underWay) this.#endWith(response);
    if (this.#server.prependListener !== undefined) await this.#pause(Math.min(lingerMs, graceMs));
    return new Promise((resolve) => {
      this.#server.close(() => resolve(true));
      this.#server.closeIdleConnections();
    });
  }

  #begin(response: Response): void {
    if (this.#isDraining) {
      this.#endWith(response);
      return;
    }
    this.#underWay.add(response);
    response.once("close", () => this.#underWay.delete(response));
  }

  #endWith(response: Response): void {
    if (!response.headersSent) response.shouldKeepAlive = false;
    else if (response.shouldKeepAlive) response.once("close", () => void this.#closeWhenIdle());
  }

  /** Its headers have promised more: the client may be sending the next request. */
  async #closeWhenIdle(): Promise<void> {
    this.#busyUntil = this.#clock.now() + lingerMs;
    await this.#pause(lingerMs);
    if (this.#clock.now() >= this.#busyUntil) this.#server.closeIdleConnections();
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#clock.schedule(ms, resolve));
  }
}
