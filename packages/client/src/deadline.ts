import type { Timing } from "./timing.ts";

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
