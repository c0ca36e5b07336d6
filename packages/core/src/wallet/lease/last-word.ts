import type { LeaseContext } from "./lease-context.ts";

/**
 * The word that is said a lease after a block has gone back: a store that came back older may have the block still, and learns by
 * this word that it has not.
 */
export class LastWord {
  readonly #context: Pick<LeaseContext, "clock" | "terms">;
  readonly #isNeeded: () => boolean;
  readonly #speak: () => void;
  #cancel: (() => void) | undefined;
  #isDue = false;

  /** `isNeeded` is asked when the lease is over: not if the process has a part of the account again. */
  constructor(context: Pick<LeaseContext, "clock" | "terms">, isNeeded: () => boolean, speak: () => void) {
    this.#context = context;
    this.#isNeeded = isNeeded;
    this.#speak = speak;
  }

  /** Whether the next word is the last one. */
  get isDue(): boolean {
    return this.#isDue;
  }

  /** A word has been answered: returns whether it was the last one. */
  hear(): boolean {
    const wasDue = this.#isDue;
    this.#isDue = false;
    return wasDue;
  }

  /** The block has gone back. */
  schedule(): void {
    this.cancel();
    const { clock, terms } = this.#context;
    this.#cancel = clock.schedule(
      terms.leaseMs,
      () => {
        this.#cancel = undefined;
        if (!this.#isNeeded()) return;
        this.#isDue = true;
        this.#speak();
      },
      { idle: true },
    );
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
