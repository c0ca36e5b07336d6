import { type Clock, tickOf } from "../values/clock.ts";
import type { WalletKind } from "./capacity.ts";
import type { Account, HoldRequest, Ledger, Snapshot, Standing, UnconfirmedEntry } from "./ledger.ts";

const kinds = ["prepaid", "postpaid"] as const;

interface Unconfirmed {
  readonly amount: number;
  /** The reports that are not acknowledged yet. */
  awaiting: readonly string[];
  /** A snapshot stamped after this shows the debit; one that was asked for at this very instant may not. */
  provenAt: number;
}

/**
 * The ledger of one process: every step is synchronous, so nothing comes between. `guard` has the last word on news, for
 * an isolate that is not alone in spending a wallet.
 */
export function createMemoryLedger(clock: Clock, guard?: (snapshot: Snapshot) => Snapshot): Ledger {
  return { now: () => clock.now(), account: () => new MemoryAccount(clock, guard) };
}

class MemoryAccount implements Account {
  readonly #clock: Clock;
  readonly #guard: ((snapshot: Snapshot) => Snapshot) | undefined;
  readonly #holds = new Map<string, number>();
  readonly #unconfirmed = new Map<string, Unconfirmed>();
  /** How much of the unconfirmed usage the snapshot is known to show. */
  readonly #shown = { prepaid: 0, postpaid: 0 };
  #snapshot: Snapshot | undefined;
  /** When the snapshot came in. */
  #installedAt = 0;
  /** The snapshot from which on the falls have been counted that are shown now. */
  #countedFrom = 0;
  #held = 0;
  #used = 0;

  constructor(clock: Clock, guard: ((snapshot: Snapshot) => Snapshot) | undefined) {
    this.#clock = clock;
    this.#guard = guard;
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
    if (entry.awaiting.length > 0) return;
    // The clock may show what was a tick ago: the acknowledgement came that much later than it says.
    entry.provenAt = this.#clock.now() + tickOf(this.#clock) + lagMs;
  }

  install(snapshot: Snapshot, maxStaleMs: number): void {
    const before = this.#snapshot;
    if (before !== undefined && snapshot.stamp <= before.stamp) return;
    this.#snapshot = this.#guard?.(snapshot) ?? snapshot;
    const comparable =
      this.#guard === undefined &&
      snapshot.stamp > this.#installedAt &&
      snapshot.stamp - this.#countedFrom <= maxStaleMs;
    for (const kind of kinds) this.#shown[kind] = comparable ? this.#shows(kind, before, snapshot) : 0;
    this.#installedAt = this.#clock.now();
    for (const [id, entry] of this.#unconfirmed) {
      if (entry.provenAt < snapshot.stamp) this.#forget(id);
    }
    if (this.#shown.prepaid + this.#shown.postpaid === 0) this.#countedFrom = snapshot.stamp;
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
    return this.#held + this.#unshown(kind) + amount <= Math.min(capacity, Number.MAX_SAFE_INTEGER);
  }

  /** Nothing but debits makes funds fall, so what they fell by is usage that they show from now on. */
  #shows(kind: WalletKind, before: Snapshot | undefined, after: Snapshot): number {
    const fall = Number(before?.[kind]) - Number(after[kind]);
    // Without a number, or a limit, there is nothing to compare.
    if (!Number.isSafeInteger(fall)) return 0;
    return Math.min(this.#shown[kind] + Math.max(0, fall), this.#used);
  }

  #unshown(kind: WalletKind): number {
    return this.#used - this.#shown[kind];
  }

  #standing(kind: WalletKind, admitted: boolean): Standing {
    return {
      admitted,
      capacity: this.#snapshot?.[kind],
      held: this.#held,
      unconfirmed: this.#unshown(kind),
      stamp: this.#snapshot?.stamp,
    };
  }

  #forget(entryId: string): void {
    const entry = this.#unconfirmed.get(entryId);
    if (entry === undefined) return;
    this.#unconfirmed.delete(entryId);
    this.#used = exactly(this.#used, entry.amount, () => amounts(this.#unconfirmed.values()));
    for (const kind of kinds) this.#shown[kind] = Math.max(0, this.#shown[kind] - entry.amount);
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
