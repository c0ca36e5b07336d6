/** Time as a parameter: a monotonic clock in milliseconds and its timer. */
export interface Clock {
  /** Milliseconds since some fixed instant; never steps backwards or forwards. */
  now(): number;
  /** Calls `run` once, `delayMs` from now; the returned function cancels it. */
  schedule(delayMs: number, run: () => void, options?: ScheduleOptions): () => void;
  /**
   * The resolution of `now()`: it may lag by this much. Usage counts for that much longer than the settlement lag.
   * @default 16, the coarsest that machines have
   */
  readonly resolutionMs?: number | undefined;
  /**
   * Milliseconds that go on while the machine sleeps, when `now` may stand still; it may be set at any time. A shared ledger trusts
   * the one that has gone further. @default now
   */
  wall?(): number;
}

/** How much a timer matters. */
export interface ScheduleOptions {
  /**
   * Nothing is lost if the process exits before it fires, so the timer does not keep the process alive if the runtime
   * allows that. @default false
   */
  readonly idle?: boolean;
}

/** The resolution of a clock that states none. */
const coarsestResolutionMs = 16;

/** The resolution of the clock, in milliseconds. */
export function resolutionOf({ resolutionMs = coarsestResolutionMs }: Clock): number {
  return resolutionMs;
}

/** The clock of the machine. Its instants are `performance.now()`, which no one can step. */
export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  schedule(delayMs, run, { idle = false } = {}) {
    const timer = setTimeout(run, delayMs);
    if (idle) unref(timer);
    return () => clearTimeout(timer);
  },
};

/** Node, Bun and most others have it; where a timer is a number there is nothing to do. */
function unref(timer: unknown): void {
  if (typeof timer !== "object" || timer === null || !("unref" in timer)) return;
  if (typeof timer.unref === "function") timer.unref();
}

/** Resolves `delayMs` from now. */
export function sleep(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.schedule(delayMs, resolve));
}

/** The promise's outcome; rejects with `late()` when `timeoutMs` pass before it, which a client that hangs would keep open for ever. */
export function inTime<T>(promise: Promise<T>, timeoutMs: number, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = systemClock.schedule(timeoutMs, () => reject(late()));
    promise.then(resolve, reject).finally(cancel);
  });
}

/** Resolves to the promise's value, or to `undefined` when `timeoutMs` pass before it settles. */
export function within<T>(promise: Promise<T>, timeoutMs: number, clock: Clock): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = clock.schedule(timeoutMs, () => resolve(undefined));
    promise.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (error: unknown) => {
        cancel();
        reject(error);
      },
    );
  });
}
