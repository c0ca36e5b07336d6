import { Readable } from "node:stream";
import type { NodeWork } from "@creditgate/core/adapter";
import { HttpException, StreamableFile } from "@nestjs/common";
import { Observable, Subscription } from "rxjs";

type Work = Pick<NodeWork, "answers" | "streams" | "discard">;

/** A handler, from its call to its end. */
export class Handled {
  /** Resolves when it has ended. Rejects with what it throws. */
  readonly promise: Promise<void>;
  readonly #work: Work;
  readonly #isEvents: boolean;
  #resolve: () => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #state: "awaited" | "called" | "missed" = "awaited";

  /** With `isEvents` its values are the parts of a stream, which Nest sends as they come. */
  constructor(work: Work, isEvents: boolean) {
    this.#work = work;
    this.#isEvents = isEvents;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** The same values, whose end is that of the handler. */
  watched(values: Observable<unknown>): Observable<unknown> {
    return new Observable((subscriber) => {
      if (this.#state === "missed") return subscriber.error(goneException());
      this.#state = "called";
      const inner = new Subscription();
      let [isOver, hasEmitted] = [false, false];
      const stop = () => {
        inner.unsubscribe();
        this.#resolve();
      };
      if (this.#isEvents) this.#work.streams({ isOver: () => isOver, cancel: async () => stop() });
      inner.add(
        values.subscribe({
          next: (value) => {
            hasEmitted = true;
            subscriber.next(this.#sent(value));
            if (subscriber.closed) stop();
          },
          error: (error) => {
            isOver = true;
            this.#reject(error);
            subscriber.error(error);
          },
          complete: () => {
            isOver = true;
            this.#resolve();
            subscriber.complete();
          },
        }),
      );
      return () => {
        if (isOver) return;
        if (this.#isEvents) this.#work.discard();
        // Another interceptor waits no longer, as `timeout()` does. The end of a promise is seen only by who still waits for it.
        if (this.#isEvents || hasEmitted) stop();
      };
    });
  }

  #sent(value: unknown): unknown {
    if (!(value instanceof StreamableFile)) return this.#work.answers(value);
    const stream = value.getStream();
    // To HEAD: a stream that has ended, with the headers of the file.
    return this.#work.answers(stream) === stream
      ? value
      : new StreamableFile(Readable.from([]), value.options);
  }

  /** The response is over. Without its handler, if that has not been called: it must not be any more. */
  miss(): void {
    if (this.#state === "called") return;
    this.#state = "missed";
    this.#resolve();
  }
}

/** For a request that nobody waits for. */
export function goneException(): HttpException {
  return new HttpException("The client has disconnected", 499);
}
