import { backOffMs } from "@creditgate/client";
import type { Clock } from "../values/clock.ts";

const longestRestMs = 60_000;
/** While the service is away it is probed at least so often, and delivery resumes so soon after its return. */
const longestProbePauseMs = 2_000;

/** How long delivery waits after this many failures in a row. */
export function deliveryPauseMs(
  failures: number,
  random: () => number,
  longestMs: number = longestRestMs,
): number {
  return backOffMs(failures, { firstMs: 500, longestMs, random });
}

interface BackOffOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** A pause is over, or another probe may be sent. */
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
  /** Since the last success: pauses; failures. */
  #pauses = 0;
  #inARow = 0;
  #probing = false;
  /** Requests sent ever, those of them that are in flight, and of these the ones that are not waited for. */
  #sent = 0;
  #inFlight = 0;
  #late = 0;
  /** The number of the last request that is not waited for. */
  #lastLate = 0;
  /** When the service last answered, or when the first pending request was sent. */
  #heardAt = 0;
  #cancelWatch: (() => void) | undefined;

  constructor(options: BackOffOptions) {
    this.#options = options;
  }

  get paused(): boolean {
    return this.#pause !== undefined;
  }

  /** After a pause one report probes the service; the others wait for its answer. */
  get probing(): boolean {
    return this.#probing;
  }

  /** How many more requests may go now, of `most` at once. One that hangs keeps its place for no longer than a pause. */
  room(most: number): number {
    return (this.#probing ? 1 : most) + this.#late - this.#inFlight;
  }

  /** A request is sent. Returns its number, for `answered()`. */
  sent(): number {
    if (this.#inFlight++ === this.#late) this.#heardAt = this.#options.clock.now();
    this.#cancelWatch ??= this.#watch(longestProbePauseMs);
    return ++this.#sent;
  }

  answered(number: number): void {
    if (number <= this.#lastLate) this.#late--;
    else this.#heardAt = this.#options.clock.now();
    // The watch goes on: under load the next request would begin it again at once.
    this.#inFlight--;
  }

  /** While requests are pending and the service does not answer, one more is sent after each longest pause. */
  #watch(delayMs: number): () => void {
    const { clock, resume } = this.#options;
    const look = () => {
      this.#cancelWatch = undefined;
      if (this.#inFlight === this.#late) return;
      const restMs = this.#heardAt + longestProbePauseMs - clock.now();
      if (restMs > 0) this.#cancelWatch = this.#watch(restMs);
      else {
        this.#leave();
        this.#probing = true;
        resume();
      }
    };
    return clock.schedule(delayMs, look, { idle: true });
  }

  /** What is in flight is not waited for any more. */
  #leave(): void {
    this.#late = this.#inFlight;
    this.#lastLate = this.#sent;
  }

  succeeded(): void {
    this.#pauses = 0;
    this.#inARow = 0;
    this.#probing = false;
  }

  /**
   * Another request has failed. Returns whether all requests pause; if not, only this one does. `goesOn`: they
   * continue one at a time instead.
   */
  failed(goesOn: boolean): boolean {
    const isOfAll = ++this.#inARow >= failuresOfService || this.#probing;
    if (isOfAll && goesOn) this.#probing = true;
    return isOfAll;
  }

  /** Nothing is sent for a while, for `leastMs` at least. */
  pause(leastMs = 0): void {
    const { clock, random, resume } = this.#options;
    this.#probing = true;
    this.#leave();
    // Requests that were on their way together fail together: that is one failure, and the longest pause counts.
    if (this.#pause === undefined) this.#pauses++;
    const delayMs = Math.max(leastMs, deliveryPauseMs(this.#pauses, random, longestProbePauseMs));
    const until = clock.now() + delayMs;
    if (this.#pause !== undefined && this.#pause.until >= until) return;
    this.#pause?.cancel();
    const wake = () => {
      this.#pause = undefined;
      resume();
    };
    this.#pause = { until, cancel: clock.schedule(delayMs, wake) };
  }

  /** One request waits, for so many failures of its own, and the others go on: another server of the service may be well. */
  rest(failures: number, back: () => void): void {
    const { clock, random } = this.#options;
    const wake = () => {
      cancel();
      this.#resting.delete(wake);
      back();
    };
    const cancel = clock.schedule(deliveryPauseMs(failures, random), wake);
    this.#resting.add(wake);
  }

  /** Nothing is sent any more. */
  stop(): void {
    this.end();
    this.#cancelWatch?.();
  }

  /** Ends the pause and every rest. */
  end(): void {
    this.#pause?.cancel();
    this.#pause = undefined;
    for (const wake of [...this.#resting]) wake();
  }
}
