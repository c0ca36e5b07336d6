import type { Clock } from "@creditgate/core";
import type { SyncResponse, Terms } from "./shared-store.ts";
import type { SyncQueue } from "./sync-queue.ts";

/** What all accounts of one part of a leased ledger share. */
export interface LeaseContext {
  readonly syncs: SyncQueue;
  /** Of this part, in this life of the process: to the store it is a process. */
  readonly id: string;
  readonly clock: Clock;
  readonly random: () => number;
  /** Goes on while the machine sleeps, which a monotonic clock may not; milliseconds. */
  readonly wallClock: () => number;
  /** Whether a process gets more than it needs at once. */
  readonly leases: boolean;
  /** `null`: the outbox outlasts the process. */
  readonly abandonMs: number | null;
  readonly terms: Terms;
  /** How long a hold waits for the store. */
  readonly timeoutMs: number;
  /** Words are numbered across accounts: an account that was forgotten must not begin again at 1. */
  nextSeq(): number;
  /** Whether this is a part of this process, in this life of it. */
  isAlive(id: string): boolean;
  /** Resolves when a crash cannot forget that this process may have a reservation of the account. */
  note(account: string): Promise<void>;
  /** Called with what keeps requests from being decided. */
  report(trouble: unknown): void;
  /** It has none any more, nor have these earlier processes. */
  ended(account: string, ids: readonly string[]): void;
}

/** Between two syncs while something is free. */
export const renewMs = 200;

/** Between two syncs of a process that waits for another one. */
export const pollMs = 20;

/** How much faster than the store's a clock of a process may be. */
const drift = 0.02;

/** How long a process may admit by a reservation, from when it asked for it. */
export function leasedMs({ leaseMs }: Terms): number {
  return (1 - drift) * leaseMs;
}

/** An answer of the store, when its sync was sent and when it came. */
export interface Received {
  readonly response: SyncResponse;
  readonly receivedAt: number;
  readonly sentAt: number;
  readonly sentWall: number;
}

/** A time of the store that is certain not to be after now. */
export function storeTimeBy({ clock }: LeaseContext, { response, receivedAt }: Received): number {
  return Math.floor(response.now + (1 - drift) * (clock.now() - receivedAt));
}

/** A time of the store that is certain not to be before the instant `agoMs` ago. */
export function storeTimeOf(agoMs: number, { clock, wallClock }: LeaseContext, received: Received): number {
  // The machine may have slept since, with a clock that stood still.
  const sinceMs = Math.max(0, clock.now() - received.sentAt, wallClock() - received.sentWall);
  return Math.ceil(received.response.now + (1 + drift) * sinceMs - agoMs);
}
