import type { OutboxReport } from "@creditgate/core";

/** A queued report and its place in the file. */
export interface Placed {
  readonly position: number;
  readonly report: OutboxReport;
}

/** The head of the queue, in memory; what is behind it stays on the disk until its turn comes. */
export class QueueWindow {
  readonly #size: number;
  /** In the order of the queue. */
  readonly #reports = new Map<string, OutboxReport>();
  /** Everything queued up to here is in the window, or was; or it waits for its release. */
  #readTo = -1;
  /** The last place that is known to be behind the window. */
  #behind = Number.POSITIVE_INFINITY;
  #reading = false;

  constructor(size: number) {
    this.#size = size;
  }

  get count(): number {
    return this.#reports.size;
  }

  /** Whether the disk has more. */
  get more(): boolean {
    return this.#reading || this.#behind > this.#readTo;
  }

  /** The report at this place may go out. */
  add({ position, report }: Placed): void {
    // What has been read past is not read again.
    if (position <= this.#readTo) this.#reports.set(report.id, report);
    else if (this.more || this.#reports.size >= this.#size) this.moved(position);
    else {
      this.#reports.set(report.id, report);
      this.#readTo = position;
    }
  }

  /** Something is queued at this place, and not in the window. */
  moved(position: number): void {
    this.#behind = Math.max(this.#behind, position);
  }

  /** Takes in what `read` finds behind the given place, in order, but for reports that wait for their release. */
  async fill(
    read: (after: number, limit: number) => Promise<readonly Placed[]>,
    waits: (id: string) => boolean,
  ): Promise<void> {
    const behind = this.#behind;
    // What is queued from here on may or may not be in the answer.
    this.#behind = Number.NEGATIVE_INFINITY;
    this.#reading = true;
    try {
      const placed = await read(this.#readTo, this.#size);
      for (const { position, report } of placed) {
        if (!waits(report.id)) this.#reports.set(report.id, report);
        this.#readTo = position;
      }
      if (placed.length === this.#size) this.moved(behind);
    } catch (error) {
      this.moved(behind);
      throw error;
    } finally {
      this.#reading = false;
    }
  }

  delete(id: string): void {
    this.#reports.delete(id);
  }

  /** Behind the others that are in the window. */
  requeue(report: OutboxReport): void {
    this.#reports.set(report.id, report);
  }

  /** Hands out at most `limit` reports: they have left the window. */
  take(limit: number): readonly OutboxReport[] {
    const taken: OutboxReport[] = [];
    for (const report of this.#reports.values()) {
      if (taken.length >= limit) break;
      taken.push(report);
    }
    for (const { id } of taken) this.#reports.delete(id);
    return taken;
  }
}
