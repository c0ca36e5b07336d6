/** Time as a parameter: a monotonic clock in milliseconds and its timer. */
export interface Clock {
  /** Milliseconds since some fixed instant; never steps backwards or forwards. */
  now(): number;
  /** Calls `run` once, `delayMs` from now; the returned function cancels it. */
  schedule(delayMs: number, run: () => void): () => void;
}

/** The clock of the machine. Its instants are `performance.now()`, which no one can step. */
export const systemClock: Clock = {
  now: () => performance.now(),
  schedule(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Resolves `delayMs` from now. */
export function sleep(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.schedule(delayMs, resolve));
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
