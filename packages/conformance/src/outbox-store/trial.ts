import type { Awaitable } from "@creditgate/core";
import type { OutboxStore } from "@creditgate/fleet";
/** An outbox store on trial, and power over its time. */
export interface OutboxStoreOnTrial {
  /** Empty. */
  readonly store: OutboxStore;
  /**
   * Lets the time of the store go on by this many milliseconds, or a little more, or step back by them where they are negative: by an
   * offset that only tests can set.
   */
  advance(ms: number): Awaitable<void>;
  /** Ends what was opened. */
  close?(): Awaitable<void>;
}
