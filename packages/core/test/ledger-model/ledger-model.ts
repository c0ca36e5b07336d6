import { expect } from "vitest";
import type { Account, BalanceRequest, Hold } from "../../src/adapter/index.ts";
import type { Clock } from "../../src/index.ts";
import type { ManualClock } from "../../src/testing/index.ts";
import type { Capacity } from "../../src/wallet/capacity.ts";
import type { ModelEntry, ModelReport, Snapshot } from "./model-entry.ts";

/** A debit is made at most this long after its acknowledgement. */
export const lagMs = 100;

/** Falls of the funds show usage for at most this long. */
export const maxStaleMs = 1_000;

/** A balance request on its way: what it reads is the truth of some instant after it has left. */
interface ModelRequest {
  readonly real: BalanceRequest;
  readonly number: number;
  /** Whether the replica that answers it tells what is unsettled. */
  readonly extended: boolean;
  seen: Snapshot["seen"] | undefined;
}

/** What the model drives. */
export interface Real {
  /** What the ledger is shown of the time. */
  readonly clock: Clock;
  readonly account: Account;
}

/** Rules 1 to 6 and 9 of docs/design/proof.md as arithmetic, and beside them the truth that they are about. */
export class LedgerModel {
  readonly real: Real;
  readonly holds: Hold[] = [];
  readonly entries: ModelEntry[] = [];
  readonly requests: ModelRequest[] = [];
  /** What the wallet could pay if nothing had been debited: F in the proof. */
  funds = 100;
  snapshot: Snapshot | undefined;
  /** What of the unconfirmed usage the snapshot is known to show by its fall: V, where nothing tells. */
  fallen = 0;
  /** From which snapshot on the falls have been counted. */
  countedFrom = 0;
  /** Balance requests that have left. */
  permitted = 0;
  /** Holds that are settled or released. */
  readonly ended: Hold[] = [];
  readonly #time: ManualClock;
  readonly #service: "new" | "old" | "both";
  #ids = 0;

  constructor(real: Real, time: ManualClock, service: "new" | "old" | "both") {
    this.real = real;
    this.#time = time;
    this.#service = service;
  }

  /** The time of the world, of which the ledger's clock may show an earlier instant. */
  get time(): number {
    return this.#time.now();
  }

  newId(): string {
    return `${this.#ids++}`;
  }

  get reports(): readonly ModelReport[] {
    return this.entries.flatMap(({ reports }) => reports);
  }

  /** What the service would answer now: F less the cost of D, and the cost of what it has accepted and not debited. */
  read(): Snapshot["seen"] {
    const accepted = this.reports.filter((report) => report.accepted);
    const debited = accepted.filter((report) => report.debited);
    const capacity = this.funds - sum(debited.map(({ cost }) => cost));
    return {
      capacity,
      unsettled: sum(accepted.map(({ cost }) => cost)) - sum(debited.map(({ cost }) => cost)),
      accepted,
      debited,
    };
  }

  get held(): number {
    return sum(this.holds.map(({ amount }) => amount));
  }

  get #unforgotten(): readonly ModelEntry[] {
    return this.entries.filter((entry) => !entry.forgotten);
  }

  get #recorded(): number {
    return sum(this.#unforgotten.map(({ amount }) => amount));
  }

  /** What a telling snapshot counts: acknowledged, by the service itself, before the request left. */
  get #included(): readonly ModelEntry[] {
    const { snapshot } = this;
    if (snapshot === undefined || !snapshot.extended) return [];
    return this.#unforgotten.filter(({ ended }) => ended && !ended.byQueue && ended.after < snapshot.number);
  }

  /** V. */
  get shown(): number {
    return this.fallen + sum(this.#included.map(({ amount }) => amount));
  }

  get unconfirmed(): number {
    return this.#recorded - this.shown;
  }

  /** S. */
  get capacity(): Capacity | undefined {
    if (this.snapshot === undefined) return undefined;
    const { extended, seen } = this.snapshot;
    return extended ? seen.capacity - seen.unsettled : seen.capacity;
  }

  /** What may be held yet. */
  get room(): number {
    return Number(this.capacity) - this.held - this.unconfirmed;
  }

  admits(amount: number, notBefore: number): boolean {
    if (this.snapshot === undefined || this.snapshot.stamp < notBefore) return false;
    return amount <= this.room;
  }

  install(request: ModelRequest, seen: Snapshot["seen"]): void {
    const { number, extended, real } = request;
    const { stamp } = real;
    const before = this.snapshot;
    if (before !== undefined && number < before.number) return;
    const comparable =
      before !== undefined &&
      !before.extended &&
      !extended &&
      number > before.permitted &&
      stamp - this.countedFrom <= maxStaleMs;
    const fall = before === undefined ? 0 : Math.max(0, before.seen.capacity - seen.capacity);
    const recorded = this.#recorded;
    const fallen = comparable ? Math.min(this.fallen + fall, recorded) : 0;
    this.snapshot = { stamp, number, extended, seen, permitted: this.permitted };
    for (const entry of this.#unforgotten) if (this.#provenAt(entry) < stamp) entry.willBeForgotten = true;
    for (const entry of this.#unforgotten) if (entry.willBeForgotten) entry.forgotten = true;
    this.fallen = Math.max(0, fallen - (recorded - this.#recorded));
    if (!extended && this.fallen === 0) this.countedFrom = stamp;
  }

  /** What was acknowledged between two balance requests is one sum, and the last of it proves it. */
  #provenAt(entry: ModelEntry): number {
    const { ended } = entry;
    if (ended === undefined) return Number.POSITIVE_INFINITY;
    const together = this.#unforgotten.flatMap((other) =>
      other.ended?.after === ended.after ? [other.ended.at] : [],
    );
    return Math.max(...together) + (this.real.clock.resolutionMs ?? 0) + lagMs;
  }

  beginRefresh(real: BalanceRequest, ofNewReplica: boolean): void {
    const extended = this.#service === "both" ? ofNewReplica : this.#service === "new";
    this.requests.push({ real, number: ++this.permitted, extended, seen: undefined });
  }

  /** Time passes, and the service keeps its word. What is due at this very instant may still come later in it. */
  async pass(ms: number): Promise<void> {
    await this.#time.advance(ms);
    for (const report of this.reports) {
      if (report.acknowledgedAt !== undefined && report.acknowledgedAt + lagMs < this.time) {
        report.accepted = report.debited = true;
      }
    }
  }

  /** All admitted work is in D, in H or in U, what is shown is in the snapshot, and the ledger counts as the rules do. */
  check(): void {
    for (const { forgotten, reports } of this.entries) {
      if (forgotten) expect(reports.filter(({ debited }) => !debited)).toEqual([]);
    }
    const { seen } = this.snapshot ?? {};
    for (const { reports } of this.#included) {
      expect(reports.filter((report) => !seen?.accepted.includes(report))).toEqual([]);
    }
    const debited = this.#unforgotten.flatMap(({ reports }) =>
      reports.filter((one) => seen?.debited.includes(one)),
    );
    expect(this.fallen).toBeLessThanOrEqual(sum(debited.map(({ cost }) => cost)));
    expect(this.real.account.figures("prepaid")).toEqual({
      admitted: false,
      held: this.held,
      unconfirmed: this.unconfirmed,
      recent: this.#recent,
      capacity: this.capacity,
      stamp: this.snapshot?.stamp,
    });
    expect(this.real.account.stamp).toBe(this.snapshot?.stamp);
    const now = this.real.clock.now();
    const pinned = this.entries.some((entry) => !entry.forgotten && this.#provenAt(entry) >= now);
    expect(this.real.account.idle(now)).toBe(this.holds.length === 0 && !pinned);
  }

  get #recent(): number {
    const { snapshot } = this;
    if (snapshot === undefined || !snapshot.extended) return 0;
    const later = this.#unforgotten.filter(
      ({ ended }) => ended && !ended.byQueue && ended.after >= snapshot.number,
    );
    return sum(later.map(({ amount }) => amount));
  }

  /** Work has just been let in: everything that was let in, at its most, is within what the wallet can pay. */
  checkReserve(): void {
    const owed = this.entries.map(({ most }) => most);
    expect(this.read().capacity - this.held - sum(owed)).toBeGreaterThanOrEqual(0);
  }
}

function sum(amounts: Iterable<number>): number {
  let total = 0;
  for (const amount of amounts) total += amount;
  return total;
}
