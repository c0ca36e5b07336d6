import { HttpException } from "@nestjs/common";
import { defer, type Observable, tap } from "rxjs";
import { isStreamed } from "./streamed.ts";

/** As much of Node's `ServerResponse` as ends an answer that has failed. */
export interface HandledResponse {
  readonly headersSent: boolean;
  destroy(error: Error): unknown;
}

/** The end of a handler. */
export class Handled {
  /** Resolves when it has ended: to `false` where that is not the end of its work. Rejects with what it throws. */
  readonly promise: Promise<boolean>;
  /** Resolves when the stream that it has given is over. */
  readonly cancelled: Promise<void>;
  readonly #response: HandledResponse;
  #cancel = () => {};
  #resolve: (isOver: boolean) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #state: "awaited" | "called" | "missed" = "awaited";

  constructor(response: HandledResponse) {
    this.#response = response;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.cancelled = new Promise((resolve) => {
      this.#cancel = resolve;
    });
  }

  /** The same values, whose end is that of the handler. */
  watched(values: Observable<unknown>): Observable<unknown> {
    let isStreaming = false;
    const ending = tap<unknown>({
      next: (value) => {
        isStreaming = isStreamed(value, this.#streamed);
      },
      error: (error) => this.#reject(error),
      complete: () => this.#resolve(!isStreaming),
      // Nest waits no more, since the client has left.
      unsubscribe: () => this.#resolve(false),
    });
    return defer(() => {
      if (this.#state === "missed") throw goneException();
      this.#state = "called";
      return values.pipe(ending);
    });
  }

  readonly #streamed = (error?: unknown): void => {
    // Nest would break the answer off without a word of why, as if its client had left.
    if (error instanceof Error && this.#response.headersSent) this.#response.destroy(error);
    this.#cancel();
  };

  /** The response is over. Without its handler, if that has not been called: it must not be any more. */
  miss(): void {
    if (this.#state === "called") return;
    this.#state = "missed";
    this.#resolve(true);
  }
}

/** For a request that no one waits for. */
export function goneException(): HttpException {
  return new HttpException("The client has left", 499);
}
