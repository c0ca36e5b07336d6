import type { WalletKind } from "./capacity.ts";
import type { Clock } from "./clock.ts";
import type { Account, HoldRequest, Ledger, Snapshot, Standing, UnconfirmedEntry } from "./ledger.ts";

interface Unconfirmed {
  readonly amount: number;
  /** The reports that are not acknowledged yet. */
  awaiting: readonly string[];
  /** A snapshot stamped after this shows the debit; one of the same tick of a coarse clock may not. */
  provenAt: number;
}

/** The ledger of one process: every step is synchronous, so nothing comes between. `read` has the last word on news. */
export function createMemoryLedger(clock: Clock, read: ReadSnapshot = (snapshot) => snapshot): Ledger {
  return { now: () => clock.now(), account: () => new MemoryAccount(clock, read) };
}

type ReadSnapshot = (snapshot: Snapshot) => Snapshot;

class MemoryAccount implements Account {
  readonly #clock: Clock;
  readonly #read: ReadSnapshot;
  readonly #holds = new Map<string, number>();
  readonly #unconfirmed = new Map<string, Unconfirmed>();
  #snapshot: Snapshot | undefined;
  #held = 0;
  #used = 0;

  constructor(clock: Clock, read: ReadSnapshot) {
    this.#clock = clock;
    this.#read = read;
  }

  hold(request: HoldRequest): Standing {
    if (this.#holds.has(request.id)) return this.#standing(request.kind, true);
    const admitted = this.#admits(request);
    const standing = this.#standing(request.kind, admitted);
    if (admitted) {
      this.#holds.set(request.id, request.amount);
      this.#held += request.amount;
    }
    return standing;
  }

  settle(holdId: string | undefined, entries: readonly UnconfirmedEntry[]): void {
    if (holdId !== undefined) this.release(holdId);
    for (const { id, amount, reports } of entries) {
      this.#forget(id);
      this.#unconfirmed.set(id, { amount, awaiting: reports, provenAt: Number.POSITIVE_INFINITY });
      this.#used += amount;
    }
  }

  release(holdId: string): void {
    const amount = this.#holds.get(holdId);
    if (amount === undefined) return;
    this.#holds.delete(holdId);
    this.#held = exactly(this.#held, amount, () => this.#holds.values());
  }

  acknowledge(entryId: string, reportId: string, lagMs: number): void {
    const entry = this.#unconfirmed.get(entryId);
    if (!entry?.awaiting.includes(reportId)) return;
    entry.awaiting = entry.awaiting.filter((id) => id !== reportId);
    if (entry.awaiting.length === 0) entry.provenAt = this.#clock.now() + lagMs;
  }

  install(snapshot: Snapshot): void {
    if (this.#snapshot !== undefined && snapshot.stamp <= this.#snapshot.stamp) return;
    this.#snapshot = this.#read(snapshot);
    for (const [id, entry] of this.#unconfirmed) {
      if (entry.provenAt < snapshot.stamp) this.#forget(id);
    }
  }

  standing(kind: WalletKind): Standing {
    return this.#standing(kind, false);
  }

  idle(now: number): boolean {
    if (this.#holds.size > 0) return false;
    for (const entry of this.#unconfirmed.values()) if (entry.provenAt >= now) return false;
    return true;
  }

  #admits({ amount, kind, notBefore }: HoldRequest): boolean {
    if (this.#snapshot === undefined || this.#snapshot.stamp < notBefore) return false;
    const capacity = this.#snapshot[kind];
    if (typeof capacity !== "number") return false;
    // Past the safe range sums are no longer exact; no real wallet comes near it.
    return this.#held + this.#used + amount <= Math.min(capacity, Number.MAX_SAFE_INTEGER);
  }

  #standing(kind: WalletKind, admitted: boolean): Standing {
    return {
      admitted,
      capacity: this.#snapshot?.[kind],
      held: this.#held,
      unconfirmed: this.#used,
      stamp: this.#snapshot?.stamp,
    };
  }

  #forget(entryId: string): void {
    const entry = this.#unconfirmed.get(entryId);
    if (entry === undefined) return;
    this.#unconfirmed.delete(entryId);
    this.#used = exactly(this.#used, entry.amount, () => amounts(this.#unconfirmed.values()));
  }
}

/** `sum - gone`, or the sum of what is left when `sum` has outgrown the range in which subtraction is exact. */
function exactly(sum: number, gone: number, left: () => Iterable<number>): number {
  if (sum <= Number.MAX_SAFE_INTEGER) return sum - gone;
  let total = 0;
  for (const amount of left()) total += amount;
  return total;
}

function* amounts(entries: Iterable<Unconfirmed>): Generator<number> {
  for (const entry of entries) yield entry.amount;
}
