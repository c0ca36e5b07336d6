import type { LeaseContext } from "./lease-context.ts";

/**
 * The sync that is said a lease after a reservation has gone back: a store that came back older may have the reservation still, and learns by
 * this sync that it has not.
 */
export class FinalSync {
  readonly #context: Pick<LeaseContext, "clock" | "terms">;
  readonly #isNeeded: () => boolean;
  readonly #sync: () => void;
  #cancel: (() => void) | undefined;
  #isDue = false;

  /** `isNeeded` is asked when the lease is over: not if the process has a part of the account again. */
  constructor(context: Pick<LeaseContext, "clock" | "terms">, isNeeded: () => boolean, sync: () => void) {
    this.#context = context;
    this.#isNeeded = isNeeded;
    this.#sync = sync;
  }

  /** Whether the next sync is the last one. */
  get isDue(): boolean {
    return this.#isDue;
  }

  /** A sync has been answered: returns whether it was the last one. */
  receive(): boolean {
    const wasDue = this.#isDue;
    this.#isDue = false;
    return wasDue;
  }

  /** The reservation has gone back. */
  schedule(): void {
    this.cancel();
    const { clock, terms } = this.#context;
    this.#cancel = clock.schedule(
      terms.leaseMs,
      () => {
        this.#cancel = undefined;
        if (!this.#isNeeded()) return;
        this.#isDue = true;
        this.#sync();
      },
      { idle: true },
    );
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
