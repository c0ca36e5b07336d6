import type { Ending } from "@creditgate/core";

type Stop = (value?: unknown) => Promise<IteratorResult<unknown>>;

/** Stops what is dropped unread, as by tRPC where its client has not asked for a stream. Not every edge has a registry. */
const unread =
  globalThis.FinalizationRegistry && new FinalizationRegistry<Stop>((drop) => void quietly(drop));

/**
 * What a procedure gives after its result: async iterables and promises, alone or in an object, as `httpBatchStreamLink`
 * sends them.
 */
export class LaterParts {
  /** How each ends. A part that comes with another is added before that has ended. */
  readonly #all: Promise<Ending>[];
  /** Those that end with their work: a stream that is no generator may be filled though it has been cancelled. */
  readonly #seen: Promise<Ending>[];
  readonly #stops = new Set<Stop>();
  readonly #disconnect: () => void;
  #isStopped = false;

  /** The procedure is the first. `disconnect` is called when the last iterable is not read to its end. */
  constructor(procedure: Promise<Ending>, disconnect: () => void) {
    this.#all = [procedure];
    this.#seen = [procedure];
    this.#disconnect = disconnect;
  }

  /** Whether no work goes on when all have ended. */
  get isCertain(): boolean {
    return this.#all.length === this.#seen.length;
  }

  /** Resolves when nothing of the work is seen any more. */
  seen(): Promise<Ending> {
    return endOf(this.#seen);
  }

  /** Resolves when all have ended: to how the first did that has not completed. */
  ended(): Promise<Ending> {
    return endOf(this.#all);
  }

  /** Ends the iterables, also those that come yet. */
  stop(): void {
    this.#isStopped = true;
    for (const stop of this.#stops) void quietly(stop);
  }

  /** The same value, whose parts are seen to end. */
  watched(value: unknown): unknown {
    if (isAsyncIterable(value)) return this.#iterable(value);
    if (isPromise(value)) return this.#promise(value);
    if (!isPlain(value) || !Object.values(value).some(isLater)) return value;
    const parts = Object.entries(value).map(([name, part]) => [
      name,
      isLater(part) ? this.watched(part) : part,
    ]);
    return Object.fromEntries(parts);
  }

  #add(part: Promise<Ending>, isSeen = true): void {
    this.#all.push(part);
    if (isSeen) this.#seen.push(part);
  }

  #promise(promise: Promise<unknown>): Promise<unknown> {
    const watched = promise.then((value) => this.watched(value));
    this.#add(
      watched.then(
        () => "completed",
        () => "failed",
      ),
    );
    return watched;
  }

  #iterable(iterable: AsyncIterable<unknown>): AsyncIterable<unknown> {
    const iterator = iterable[Symbol.asyncIterator]();
    let end: (ending: Ending) => void = () => {};
    const ended = new Promise<Ending>((resolve) => {
      end = resolve;
    });
    this.#add(ended, Object.prototype.toString.call(iterator) === "[object AsyncGenerator]");
    const stop: Stop = async (value) => {
      try {
        return (await iterator.return?.(value)) ?? { done: true, value };
      } finally {
        this.#stops.delete(stop);
        end("aborted");
      }
    };
    const drop: Stop = (value) => {
      if (this.#stops.has(stop) && this.#stops.size === 1) this.#disconnect();
      return stop(value);
    };
    this.#stops.add(stop);
    if (this.#isStopped) void quietly(stop);
    const watched: AsyncIterableIterator<unknown> = {
      // No closure names `watched`: it would never be collected.
      [Symbol.asyncIterator]() {
        return this;
      },
      next: async (...sent) => {
        try {
          const result = await iterator.next(...sent);
          if (result.done !== true) return { done: false, value: this.watched(result.value) };
          this.#stops.delete(stop);
          end("completed");
          return result;
        } catch (error) {
          this.#stops.delete(stop);
          end("failed");
          throw error;
        }
      },
      return: drop,
    };
    unread?.register(watched, drop);
    return watched;
  }
}

/** Waits also for those that are added meanwhile. */
async function endOf(parts: readonly Promise<Ending>[]): Promise<Ending> {
  let end: Ending = "completed";
  for (const part of parts) {
    const ending = await part;
    if (end === "completed") end = ending;
  }
  return end;
}

/** What it throws is its reader's, and there is none. */
const quietly = (stop: Stop): Promise<unknown> => stop().catch(() => {});

// What tRPC takes for values that come later.

export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

export function isPromise(value: unknown): value is Promise<unknown> {
  const { then, catch: fail } = Object(value);
  return typeof then === "function" && typeof fail === "function";
}

export function isLater(value: unknown): boolean {
  return isAsyncIterable(value) || isPromise(value);
}

/** An object whose own values tRPC looks at. */
export function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
