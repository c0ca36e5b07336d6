import type { OutboxReport } from "@creditgate/core";

/** A queued report and its place in the file. */
export interface Placed {
  readonly position: number;
  readonly report: OutboxReport;
}

/** The head of the queue, in memory; what is behind it stays on the disk until its turn comes. */
export class QueueWindow {
  readonly #size: number;
  readonly #reports = new Map<string, OutboxReport>();
  /** Everything queued up to here is in the window, or was. */
  #readTo = -1;
  /** The last place that is known to be behind the window. */
  #behind = Number.POSITIVE_INFINITY;

  constructor(size: number) {
    this.#size = size;
  }

  get readTo(): number {
    return this.#readTo;
  }

  /** Whether the disk has more. */
  get more(): boolean {
    return this.#behind > this.#readTo;
  }

  /** The report has come to the end of the queue. */
  add({ position, report }: Placed): void {
    if (position <= this.#readTo) return;
    if (this.more || this.#reports.size >= this.#size) {
      this.moved(position);
      return;
    }
    this.#reports.set(report.id, report);
    this.#readTo = position;
  }

  /** Something is queued at this place, and not in the window. */
  moved(position: number): void {
    this.#behind = this.more ? Math.max(this.#behind, position) : position;
  }

  /** What the disk has after `readTo`, in order; all of it if `exhausted`. */
  fill(placed: readonly Placed[], exhausted: boolean): void {
    for (const { position, report } of placed) {
      this.#reports.set(report.id, report);
      this.#readTo = Math.max(this.#readTo, position);
    }
    if (exhausted && this.#behind === Number.POSITIVE_INFINITY) this.#behind = this.#readTo;
  }

  delete(id: string): void {
    this.#reports.delete(id);
  }

  /** The report to the end of the queue, if that can be done here. */
  requeue(id: string): boolean {
    const report = this.#reports.get(id);
    if (report === undefined || this.more) return false;
    this.#reports.delete(id);
    this.#reports.set(id, report);
    return true;
  }

  take(limit: number, eligible: (id: string) => boolean): readonly OutboxReport[] {
    const found: OutboxReport[] = [];
    for (const report of this.#reports.values()) {
      if (found.length >= limit) break;
      if (eligible(report.id)) found.push(report);
    }
    return found;
  }
}
