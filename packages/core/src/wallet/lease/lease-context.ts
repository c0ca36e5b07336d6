import type { Clock } from "../../values/clock.ts";
import type { Answer, Terms } from "./shared-store.ts";
import type { StoreWords } from "./store-words.ts";

/** What all accounts of one part of a leased ledger share. */
export interface LeaseContext {
  readonly words: StoreWords;
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
  /** Resolves when a crash cannot forget that this process may have a block of the account. */
  note(account: string): Promise<void>;
  /** Told what keeps requests from being decided. */
  tell(trouble: unknown): void;
  /** It has none any more, nor have these earlier processes. */
  ended(account: string, ids: readonly string[]): void;
}

/** Between two words while something is free. */
export const renewMs = 200;

/** Between two words of a process that waits for another one. */
export const pollMs = 20;

/** How much faster than the store's a clock of a process may be. */
const drift = 0.02;

/** How long a process may admit by a block, from when it asked for it. */
export function leasedMs({ leaseMs }: Terms): number {
  return (1 - drift) * leaseMs;
}

/** An answer of the store, when its word was sent and when it came. */
export interface Heard {
  readonly answer: Answer;
  readonly heardAt: number;
  readonly sentAt: number;
  readonly sentWall: number;
}

/** A time of the store that is certain not to be after now. */
export function storeTimeBy({ clock }: LeaseContext, { answer, heardAt }: Heard): number {
  return Math.floor(answer.now + (1 - drift) * (clock.now() - heardAt));
}

/** A time of the store that is certain not to be before the instant `agoMs` ago. */
export function storeTimeOf(agoMs: number, { clock, wallClock }: LeaseContext, heard: Heard): number {
  // The machine may have slept since, with a clock that stood still.
  const sinceMs = Math.max(0, clock.now() - heard.sentAt, wallClock() - heard.sentWall);
  return Math.ceil(heard.answer.now + (1 + drift) * sinceMs - agoMs);
}
