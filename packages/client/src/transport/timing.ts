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

/** The end of one attempt: by the caller's signal or by time, whichever comes first. */
export interface Deadline {
  /** Which of the two it was, or `undefined` while neither has happened. */
  passed(): "aborted" | "timeout" | undefined;
  /** Takes back the timer and the listener; must be called when the attempt is over. */
  clear(): void;
}

/** Not AbortSignal.any with AbortSignal.timeout: their timers and listeners outlive the attempt. */
export function startDeadline(
  timing: Timing,
  timeoutMs: number,
  caller: AbortSignal | undefined,
  stop: (reason: unknown) => void,
): Deadline {
  let passed: "aborted" | "timeout" | undefined;
  const end = (why: "aborted" | "timeout", reason: unknown): void => {
    passed ??= why;
    stop(reason);
  };
  const abort = (): void => end("aborted", caller?.reason);
  const cancel = timing.after(timeoutMs, () =>
    end("timeout", new DOMException(`No answer within ${timeoutMs} ms`, "TimeoutError")),
  );
  if (caller?.aborted) abort();
  else caller?.addEventListener("abort", abort, { once: true });
  return {
    passed: () => passed,
    clear() {
      cancel();
      caller?.removeEventListener("abort", abort);
    },
  };
}
