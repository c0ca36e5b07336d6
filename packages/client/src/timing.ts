/** Time and chance, as a parameter: tests hand in their own. */
export interface Timing {
  /** Milliseconds since 1970, to read a `Retry-After` that is a date. */
  now(): number;
  /** From 0 up to but without 1, for the jitter. */
  random(): number;
  /** Runs once after this many milliseconds, unless the returned function is called before. */
  after(ms: number, run: () => void): () => void;
}

export const systemTiming: Timing = {
  now: () => Date.now(),
  random: () => Math.random(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
