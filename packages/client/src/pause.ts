import { abortedError } from "./aborted-error.ts";
import type { Timing } from "./timing.ts";

/** Waits between two attempts; the caller's signal ends it with the error `aborted`. */
export function pause(timing: Timing, ms: number, call: string, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      cancel();
      reject(abortedError(call, signal?.reason));
    };
    const cancel = timing.after(ms, () => {
      signal?.removeEventListener("abort", end);
      resolve();
    });
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
}
