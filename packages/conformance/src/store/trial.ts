import type { Awaitable } from "@creditgate/core";
import type { SharedStore } from "@creditgate/fleet";
/** What a store may lose of one account: its figures, its reservations, its windows, or all of it. */
export type AccountPart = "figures" | "reservations" | "windows" | "account";

/** A store on trial, and power over its time. */
export interface SharedStoreOnTrial {
  readonly store: SharedStore;
  /**
   * Lets the time of the store go on by this many milliseconds, or a little more: by a wait, or by an offset to the store's clock
   * that only tests can set. What the store says in `now` is what counts.
   */
  advance(ms: number): Awaitable<void>;
  /** The clock of the store steps back by this many milliseconds. */
  stepBack?(ms: number): Awaitable<void>;
  /** The store loses its memory of what it is, as by a restart, and keeps its accounts: a new epoch. */
  restart?(): Awaitable<void>;
  /** A part of the account is gone, as by a key or a row that is deleted by hand: a new epoch of that account. */
  lose?(account: string, part: AccountPart): Awaitable<void>;
  /** Ends what was opened for the store, once that is closed. */
  close?(): Awaitable<void>;
}
