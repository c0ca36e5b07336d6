import { expect } from "vitest";
import type { Account } from "../../src/index.ts";
import type { ManualClock } from "../../src/testing/index.ts";

/** A debit is made at most so long after its acknowledgement. */
export const lagMs = 100;

/** Falls of the funds show usage for at most so long. */
export const maxStaleMs = 1_000;

interface Report {
  readonly id: string;
  readonly cost: number;
  acknowledgedAt: number | undefined;
  debited: boolean;
}

/** Work that was done: what it was recorded for, and what of it is unconfirmed by the rules. */
export interface Entry {
  readonly id: string;
  readonly amount: number;
  readonly reports: readonly Report[];
  unconfirmed: boolean;
}

/** A balance request on its way: stamped when it was sent, and showing what it read whenever that was. */
export interface BalanceRequest {
  readonly stamp: number;
  capacity: number | undefined;
}

/** Rules 1 to 6 and 9 of ARCHITECTURE.md as arithmetic, and beside them the truth that they are about. */
export class LedgerModel {
  readonly real: { readonly clock: ManualClock; readonly account: Account };
  readonly holds = new Map<string, number>();
  readonly entries: Entry[] = [];
  readonly requests: BalanceRequest[] = [];
  /** What the wallet could pay if nothing had been debited: F in the proof. */
  funds = 100;
  snapshot: { readonly stamp: number; readonly capacity: number; readonly installedAt: number } | undefined;
  /** What of the unconfirmed usage the snapshot is known to show. */
  shown = 0;
  /** From which snapshot on the falls have been counted. */
  countedFrom = 0;
  #ids = 0;

  constructor(real: LedgerModel["real"]) {
    this.real = real;
  }

  get now(): number {
    return this.real.clock.now();
  }

  /** What the service would answer now: F less the cost of D. */
  get capacity(): number {
    const debited = this.entries.flatMap(({ reports }) => reports.filter((report) => report.debited));
    return debited.reduce((left, { cost }) => left - cost, this.funds);
  }

  get held(): number {
    return sum(this.holds.values());
  }

  get recorded(): number {
    return sum(this.entries.filter((entry) => entry.unconfirmed).map(({ amount }) => amount));
  }

  get unconfirmed(): number {
    return this.recorded - this.shown;
  }

  newId(): string {
    return `${this.#ids++}`;
  }

  /** Whether the rules admit it. */
  admits(amount: number, notBefore: number): boolean {
    if (this.snapshot === undefined || this.snapshot.stamp < notBefore) return false;
    return this.held + this.unconfirmed + amount <= this.snapshot.capacity;
  }

  /** The rules install it, and drop what it is certain to show. */
  install(stamp: number, capacity: number): void {
    if (this.snapshot !== undefined && stamp <= this.snapshot.stamp) return;
    const { capacity: before = capacity, installedAt = stamp } = this.snapshot ?? {};
    const comparable = stamp > installedAt && stamp - this.countedFrom <= maxStaleMs;
    const shown = comparable ? this.shown + Math.max(0, before - capacity) : 0;
    const recorded = this.recorded;
    this.snapshot = { stamp, capacity, installedAt: this.now };
    for (const entry of this.entries) {
      const provenAt = entry.reports.map(
        ({ acknowledgedAt = Number.POSITIVE_INFINITY }) => acknowledgedAt + lagMs,
      );
      if (Math.max(...provenAt) < stamp) entry.unconfirmed = false;
    }
    this.shown = Math.max(0, shown - (recorded - this.recorded));
    if (this.shown === 0) this.countedFrom = stamp;
  }

  /** Time has passed: the service keeps its word. */
  debitWhatIsDue(): void {
    for (const { reports } of this.entries) {
      for (const report of reports) {
        if (report.acknowledgedAt !== undefined && report.acknowledgedAt + lagMs <= this.now)
          report.debited = true;
      }
    }
  }

  /** All admitted work is in D, in H or in U, what is shown is in D, and the ledger has counted as the rules do. */
  async check(): Promise<void> {
    expect(this.shown).toBeLessThanOrEqual(this.#debitedOfUnconfirmed());
    for (const { reports, unconfirmed } of this.entries) {
      expect(unconfirmed || reports.every(({ debited }) => debited)).toBe(true);
    }
    const { held, unconfirmed, capacity, stamp } = await this.real.account.standing("prepaid");
    expect({ held, unconfirmed, capacity, stamp }).toEqual({
      held: this.held,
      unconfirmed: this.unconfirmed,
      capacity: this.snapshot?.capacity,
      stamp: this.snapshot?.stamp,
    });
    const pinned = this.entries.some(({ reports }) =>
      reports.some(({ acknowledgedAt = Number.POSITIVE_INFINITY }) => acknowledgedAt + lagMs >= this.now),
    );
    expect(this.real.account.idle(this.now)).toBe(this.holds.size === 0 && !pinned);
  }

  #debitedOfUnconfirmed(): number {
    return sum(
      this.entries
        .filter((entry) => entry.unconfirmed)
        .flatMap(({ reports }) => reports.filter(({ debited }) => debited).map(({ cost }) => cost)),
    );
  }

  /** Work has just been let in: everything that was let in, at its most, is within what the wallet can pay. */
  checkReserve(): void {
    const owed = this.entries.flatMap(({ amount, reports }) =>
      reports.every(({ debited }) => debited)
        ? []
        : [amount - sum(reports.filter(({ debited }) => debited).map(({ cost }) => cost))],
    );
    expect(this.capacity - this.held - sum(owed)).toBeGreaterThanOrEqual(0);
  }
}

function sum(amounts: Iterable<number>): number {
  let total = 0;
  for (const amount of amounts) total += amount;
  return total;
}
