import type { WalletKind } from "@creditgate/core";
import type { WalletProblem } from "@creditgate/core/adapter";

/**
 * A store that several processes share. It holds one reservation of credits for each process and account, and
 * acknowledged usage. It has one step, {@link exchange}, which runs `exchange()` atomically for the account. It
 * receives no holds.
 */
export interface SharedStore {
  /**
   * Does the step for this account, and resolves with what it comes to, once that is as durable as the store makes it.
   * Rejects where it is not known whether the step was done: the caller repeats the same sync until it is answered.
   */
  exchange(account: string, request: SyncRequest): Promise<SyncResponse>;
  /** An exchange that has neither resolved nor rejected for so long has failed, in milliseconds: the sync is said again. @default 5_000 */
  readonly timeoutMs?: number;
  close?(): Promise<void>;
}

/**
 * What a process says of its part of an account. All amounts are micro-credits, whole numbers from 0 to 2^53 - 1; all times
 * are whole milliseconds, and instants are the store's. A sync is plain data, and survives JSON.
 */
export interface SyncRequest {
  /** The process, in this life of it: unique for ever. */
  readonly id: string;
  /** Numbers the syncs of this process on this account, from 1. Repeated, a sync keeps its number, and has no second effect. */
  readonly seq: number;
  /** From the last answer; `null` before the first. */
  readonly epoch: string | null;
  /**
   * When it was said, by the store's clock, or earlier; `null` before the first answer. A sync that may bring a reservation into being is taken
   * for a late copy where it is older than a lease.
   */
  readonly at: number | null;
  /** Whether the process answers a `register`, and sends what it has: the store takes that as it is. */
  readonly register: boolean;
  /** The kind of wallet that `need` and `want` are for. */
  readonly kind: WalletKind;
  /** Holds and unacknowledged usage: what the process cannot do without. */
  readonly base: number;
  /** From `base` to the reservation less `acked`: what the process may use while the sync is on its way. The reservation becomes no smaller. */
  readonly keep: number;
  /** From `keep` to the reservation less `acked`: what it says it still has when it registers. Counts only in the quarantine of a new epoch. */
  readonly claim: number;
  /**
   * Usage that was acknowledged since the previous sync: it leaves the reservation and counts by the store's clock
   * from now on.
   */
  readonly acked: number;
  /** The part of `acked` that only a queue has accepted: an extended service may not count it yet. */
  readonly queued: number;
  /** What the hold that waits longest needs beside `base`; 0 where none waits. */
  readonly first: number;
  /** What all holds that wait need, `first` included. Granted as far as there is room if `first` fits, else denied. */
  readonly need: number;
  /** Beyond `base` and `need`, for what may come: granted as far as half of an equal part of what is left. */
  readonly want: number;
  /** After this long without a sync the reservation becomes usage; `null` for a process whose outbox outlasts it: never. */
  readonly abandonMs: number | null;
  /** Whether a denial asks the others for what they do not use. */
  readonly recall: boolean;
  /** The process has given back what it does not use, by the recall of this number. */
  readonly recalled?: number;
  /** Needs a balance that was requested at this instant or later; `"now"`: at or after this step. */
  readonly refresh?: number | "now";
  /** The response to a balance request that a {@link SyncResponse} has permitted. */
  readonly snapshot?: Snapshot;
  /** The stamp of a balance request that has failed. */
  readonly failed?: number;
  /** Earlier lives of this process, whose usage is in `base`: what the store holds for them goes. */
  readonly retire?: readonly string[];
  readonly terms: Terms;
}

/** What the step reckons with: the same in all processes, or nearly. Whole milliseconds. */
export interface Terms {
  /** A process without a sync for this long admits nothing. The quarantine of a new epoch. */
  readonly leaseMs: number;
  /** Within this time of its acknowledgement the service has debited usage: L. */
  readonly lagMs: number;
  /** A snapshot older than this grants nothing. */
  readonly maxStaleMs: number;
  /** At least this long between two balance requests. */
  readonly minRefreshMs: number;
  /** A balance request without an answer for this long keeps no other from leaving. */
  readonly requestMs: number;
  /** Usage that is acknowledged within one such window is kept as one sum, with the end of the window. At least 1. */
  readonly windowMs: number;
}

/** A balance, as one process has read it. */
export interface Snapshot {
  /** From the answer that permitted the request: the balance shows some instant at or after it. g0 of the proof. */
  readonly stamp: number;
  /** The epoch of that answer. */
  readonly epoch: string;
  /** What the wallet can pay, read as either kind, less what the service says is not settled: S of the proof. */
  readonly prepaid: StoredCapacity;
  readonly postpaid: StoredCapacity;
  /** Whether the balance includes unsettled usage. */
  readonly extended: boolean;
}

/** Micro-credits from -(2^53 - 1) to 2^53 - 1, which is also a wallet without a limit; or why there is no number. */
export type StoredCapacity = number | WalletProblem;

/** What a step comes to. Figures are those after the step. */
export interface SyncResponse {
  /**
   * `ok`: the step was done. `repeated`: it had been done before, and nothing has changed. `register`: nothing has changed, for
   * the store does not know what the process has, or when the sync was said, or is of another epoch: the next sync must have `register`.
   */
  readonly status: "ok" | "repeated" | "register";
  /** The store's time that the step was done at: whole milliseconds, never less than in an earlier answer of this account. */
  readonly now: number;
  /** Changes whenever the store may have forgotten something. */
  readonly epoch: string;
  /** When the epoch began. */
  readonly born: number;
  /** The reservation of this process. */
  readonly reservation: number;
  /** Whether the store is out of its quarantine and has a balance that is young enough: else it grants and denies nothing. */
  readonly calm: boolean;
  /** Whether `first` did not fit. */
  readonly denied: boolean;
  /** After a denial: how many processes have something left and have not answered the recall. */
  readonly waiting: number;
  /** The number of the latest recall. */
  readonly recalls: number;
  /** Answers `refresh`: the store has that balance (`here`), another process reads it or read it a moment ago (`wait`), or this process reads it (`go`). */
  readonly refresh: "here" | "wait" | "go" | null;
  /** When the balance was asked for that decides now; `null` while there is none. With `go` the request's stamp is `now`. */
  readonly stamp: number | null;
  /** The snapshot; `null` while there is none. */
  readonly prepaid: StoredCapacity | null;
  readonly postpaid: StoredCapacity | null;
  readonly extended: boolean;
  /** All reservations: H of the proof. */
  readonly out: number;
  /** Acknowledged usage that the snapshot is not certain to show: U of the proof. */
  readonly used: number;
  /** The part of `used` that the snapshot shows, by the wallet's kind: V of the proof. */
  readonly shownPrepaid: number;
  readonly shownPostpaid: number;
  /** The part of `used` that a newer balance of an extended service shows at once. */
  readonly recent: number;
}

/** What a sync says that says nothing: of a process that has no credits and asks for none. */
export const emptyRequest: Omit<SyncRequest, "id" | "seq" | "terms"> = {
  epoch: null,
  at: null,
  register: false,
  kind: "prepaid",
  base: 0,
  keep: 0,
  claim: 0,
  acked: 0,
  queued: 0,
  first: 0,
  need: 0,
  want: 0,
  abandonMs: null,
  recall: false,
};
