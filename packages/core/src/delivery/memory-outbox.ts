import { checkInteger, checkNames } from "../values/option.ts";
import type { Outbox, OutboxReport, OutboxStatus } from "./outbox.ts";

/** Options of {@link createMemoryOutbox}. */
export interface MemoryOutboxOptions {
  /** Admission stops at so many undelivered reports, parked and dead ones included. @default 100_000 */
  readonly maxReports?: number;
}

/** An outbox that lasts as long as the process: what is undelivered when it dies is lost. */
export function createMemoryOutbox(options: MemoryOutboxOptions = {}): Outbox {
  checkNames(options, { maxReports: true } satisfies Record<keyof MemoryOutboxOptions, true>);
  return new MemoryOutbox(
    checkInteger("maxReports", options.maxReports ?? 100_000, 1, Number.MAX_SAFE_INTEGER),
  );
}

class MemoryOutbox implements Outbox {
  readonly #maxReports: number;
  readonly #queued = new Map<string, OutboxReport>();
  readonly #parked = new Map<string, OutboxReport>();
  readonly #dead = new Map<string, OutboxReport>();

  constructor(maxReports: number) {
    this.#maxReports = maxReports;
  }

  get full(): boolean {
    return this.#queued.size + this.#parked.size + this.#dead.size >= this.#maxReports;
  }

  append(reports: readonly OutboxReport[]): void {
    for (const report of reports) {
      if (!this.#parked.has(report.id) && !this.#dead.has(report.id)) this.#queued.set(report.id, report);
    }
  }

  next(limit: number, eligible: (id: string) => boolean): readonly OutboxReport[] {
    const found: OutboxReport[] = [];
    for (const report of this.#queued.values()) {
      if (found.length >= limit) break;
      if (eligible(report.id)) found.push(report);
    }
    return found;
  }

  delivered(id: string): void {
    this.#queued.delete(id);
  }

  requeue(id: string): void {
    this.#move(id, this.#queued);
  }

  park(id: string): void {
    this.#move(id, this.#parked);
  }

  bury(id: string): void {
    this.#move(id, this.#dead);
  }

  unpark(): void {
    for (const [id, report] of this.#parked) this.#queued.set(id, report);
    this.#parked.clear();
  }

  async status(): Promise<OutboxStatus> {
    return { queued: this.#queued.size, parked: this.#parked.size, dead: this.#dead.size };
  }

  undelivered(): readonly OutboxReport[] {
    return [this.#queued, this.#parked, this.#dead].flatMap((reports) => [...reports.values()]);
  }

  #move(id: string, to: Map<string, OutboxReport>): void {
    const report = this.#queued.get(id);
    if (report === undefined) return;
    this.#queued.delete(id);
    to.set(id, report);
  }
}
