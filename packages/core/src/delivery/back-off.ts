import { backOffMs } from "@creditgate/client";
import type { Clock } from "../values/clock.ts";

/** How long delivery waits after this many failures in a row. */
export function deliveryPauseMs(failures: number, random: () => number): number {
  return backOffMs(failures, { firstMs: 500, longestMs: 60_000, random });
}

interface BackOffOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** The pause is over. */
  resume(): void;
}

/** Without a delivery between, this many failures in a row are the service's, and not one report's or one server's. */
const failuresOfService = 3;

/** When to send again what has failed: one request alone, or all of them. */
export class BackOff {
  readonly #options: BackOffOptions;
  /** What cancels the rest of each request that failed alone, and brings it back. */
  readonly #resting = new Set<() => void>();
  #pause: { readonly until: number; cancel(): void } | undefined;
  /** Since the last success: pauses and rests; failures. */
  #failures = 0;
  #inARow = 0;
  #probing = false;

  constructor(options: BackOffOptions) {
    this.#options = options;
  }

  get paused(): boolean {
    return this.#pause !== undefined;
  }

  /** After a pause one report tries the service; the others wait for its answer. */
  get probing(): boolean {
    return this.#probing;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#inARow = 0;
    this.#probing = false;
  }

  /** One more request has failed. Whether that says something about all: then they pause, else it rests alone. */
  failed(): boolean {
    return ++this.#inARow >= failuresOfService || this.#probing;
  }

  /** Nothing is sent for a while, for `leastMs` at least. */
  pause(leastMs = 0): void {
    const { clock, random, resume } = this.#options;
    this.#probing = true;
    // Requests that were on their way together fail together: that is one failure, and the longest pause counts.
    if (this.#pause === undefined && this.#resting.size === 0) this.#failures++;
    const delayMs = Math.max(leastMs, deliveryPauseMs(Math.max(1, this.#failures), random));
    const until = clock.now() + delayMs;
    if (this.#pause !== undefined && this.#pause.until >= until) return;
    this.#pause?.cancel();
    this.#pause = { until, cancel: clock.schedule(delayMs, resume) };
  }

  /** One request waits, and the others go on: another server of the service may be well. */
  rest(back: () => void): void {
    const { clock, random } = this.#options;
    if (this.#resting.size === 0) this.#failures++;
    const wake = () => {
      cancel();
      this.#resting.delete(wake);
      back();
    };
    const cancel = clock.schedule(deliveryPauseMs(this.#failures, random), wake);
    this.#resting.add(wake);
  }

  /** Ends the pause and every rest. */
  end(): void {
    this.#pause?.cancel();
    this.#pause = undefined;
    for (const wake of [...this.#resting]) wake();
  }
}
