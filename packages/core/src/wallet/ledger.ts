import type { Capacities, Capacity, WalletKind } from "./capacity.ts";

/** A value, or the promise of one: memory answers at once, a shared store does not. */
export type Awaitable<T> = T | Promise<T>;

/** A balance as of some instant at or after `stamp`, the time at which its request was sent. */
export interface Snapshot extends Capacities {
  readonly stamp: number;
}

/** A wish to hold credits for work that is about to begin. */
export interface HoldRequest {
  /** Unique; the same id again is the same hold. */
  readonly id: string;
  /** Micro-credits, at least 1. */
  readonly amount: number;
  readonly kind: WalletKind;
  /** A snapshot stamped before this admits nothing. */
  readonly notBefore: number;
}

/** What an account answers to a wish: whether the hold is in force, and the figures that it followed from. */
export interface Standing {
  readonly admitted: boolean;
  /** `undefined` while no balance has been read. */
  readonly capacity: Capacity | undefined;
  /** Micro-credits held for work in flight, this hold not counted. */
  readonly held: number;
  /** Micro-credits of work done that the capacity may not show yet; what it is known to show is not counted again. */
  readonly unconfirmed: number;
  /** When the balance was asked for; `undefined` while none has been read. */
  readonly stamp: number | undefined;
}

/** Work that has been done: unconfirmed until the service has acknowledged all its reports, and the lag has passed. */
export interface UnconfirmedEntry {
  readonly id: string;
  /** Micro-credits, 0 or more. */
  readonly amount: number;
  /** The reports that must be acknowledged, all of them, before the lag begins. */
  readonly reports: readonly string[];
}

/** The state of one wallet. Each method is one step: nothing comes between its reading and its writing. */
export interface Account {
  /** Admits the hold if the snapshot is young enough and what is outstanding leaves room for all of it. */
  hold(request: HoldRequest): Awaitable<Standing>;
  /** Ends the hold (if it is still open) and records the work it was for. Recording an id again replaces it. */
  settle(holdId: string | undefined, entries: readonly UnconfirmedEntry[]): Awaitable<void>;
  /** Ends the hold and records nothing. */
  release(holdId: string): Awaitable<void>;
  /** The service has taken the report. After `lagMs` from the last one, a newer snapshot shows the entry's debit. */
  acknowledge(entryId: string, reportId: string, lagMs: number): Awaitable<void>;
  /**
   * Takes the snapshot if it is newer than the present one. What the capacity has fallen by is usage that the snapshot
   * shows, and no longer counts as unconfirmed, if this one was asked for after the present one had come in; falls from
   * before the last `maxStaleMs` are forgotten, for they may have been others'. Then drops the entries that it is
   * certain to show.
   */
  install(snapshot: Snapshot, maxStaleMs: number): Awaitable<void>;
  /** The figures as they stand, without a wish. */
  standing(kind: WalletKind): Awaitable<Standing>;
  /** Whether nothing would be lost by forgetting this account now. */
  idle(now: number): boolean;
}

/** Where accounts live. In memory for one process, in a shared store for many. */
export interface Ledger {
  /** The clock that stamps snapshots and acknowledgements, in milliseconds. */
  now(): Awaitable<number>;
  /** A handle of the account of this customer and currency at the service with this fingerprint. */
  account(service: string, customerId: string, currency: string): Account;
}
