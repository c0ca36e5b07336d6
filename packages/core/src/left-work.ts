import type { Clock } from "./clock.ts";

/** How work ends whose client has left. */
export interface Departure {
  /** While it is pending the work is seen to go on, and has no limit. Nothing of the work is seen without it. */
  readonly seen?: Promise<unknown> | undefined;
  /** How long the gate waits for the end of work that is not seen any more. */
  readonly graceMs: number;
  /** Bills the work. Called when the grace is over, when the gate closes within it, and when the charge was settled. */
  end(): void;
}

/** The work of one gate whose clients have left and whose end is not seen. */
export class LeftWork {
  readonly #clock: Clock;
  readonly #quiet: boolean;
  readonly #ends = new Set<() => void>();
  readonly #told = new Set<string>();
  #closed = false;

  constructor(clock: Clock, options: { readonly quiet: boolean }) {
    this.#clock = clock;
    this.#quiet = options.quiet;
  }

  /** Ends the work after its grace. The returned function says that it has ended before. */
  wait(indicator: string, { graceMs, end }: Departure): () => void {
    const forget = () => {
      cancel();
      this.#ends.delete(stop);
    };
    const stop = () => {
      forget();
      end();
    };
    const cancel = this.#clock.schedule(graceMs, () => {
      this.#tell(indicator, graceMs);
      stop();
    });
    this.#ends.add(stop);
    if (this.#closed) stop();
    return forget;
  }

  /** Ends all work that is in its grace, and from here on each as soon as its grace begins. */
  close(): void {
    this.#closed = true;
    for (const stop of this.#ends) stop();
  }

  #tell(indicator: string, graceMs: number): void {
    if (this.#quiet || this.#told.has(indicator)) return;
    this.#told.add(indicator);
    console.warn(
      `creditgate: a client left, and nothing showed within abortGraceMs (${graceMs} ms) that its work for indicator ` +
        `${JSON.stringify(indicator)} had ended, so its hold is gone. Pass credits.signal to the model, and end with the ` +
        "handler's promise, res.end() or cancel(). This is said once.",
    );
  }
}
