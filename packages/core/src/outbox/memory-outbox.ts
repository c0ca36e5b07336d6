import { checkInteger, checkNames } from "../values/option.ts";
import { FairQueue } from "./fair-queue.ts";
import type { Outbox, OutboxReport, OutboxStatus } from "./outbox.ts";

/** Options of {@link createMemoryOutbox}. */
export interface MemoryOutboxOptions {
  /** Undelivered reports at which admission stops; as many dead ones, a kind of work whose usage the service has never taken is tried one piece at a time. @default 100_000 */
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
  readonly #queue: FairQueue<OutboxReport> = new FairQueue((report) => report);
  /** All that is neither delivered, parked nor dead. */
  #queued = 0;
  readonly #parked = new Map<string, OutboxReport>();
  readonly #dead = new Map<string, OutboxReport>();

  constructor(maxReports: number) {
    this.#maxReports = maxReports;
  }

  get full(): boolean {
    return this.#queued + this.#parked.size >= this.#maxReports;
  }

  get fullOfDead(): boolean {
    return this.#dead.size >= this.#maxReports;
  }

  append(reports: readonly OutboxReport[]): void {
    this.#queued += reports.length;
  }

  release(reports: readonly OutboxReport[]): void {
    for (const report of reports) this.#queue.add(report);
  }

  next(limit: number): readonly OutboxReport[] {
    return this.#queue.take(limit);
  }

  delivered(reports: readonly OutboxReport[]): void {
    this.#queued -= reports.length;
  }

  requeue(reports: readonly OutboxReport[]): void {
    this.release(reports);
  }

  park(report: OutboxReport): void {
    this.#queued--;
    this.#parked.set(report.id, report);
  }

  bury(report: OutboxReport): void {
    this.#queued--;
    this.#dead.set(report.id, report);
  }

  unpark(): void {
    this.append([...this.#parked.values()]);
    this.release([...this.#parked.values()]);
    this.#parked.clear();
  }

  retry(ids: readonly string[]): readonly OutboxReport[] {
    const reports: OutboxReport[] = [];
    for (const id of ids) {
      const report = this.#parked.get(id) ?? this.#dead.get(id);
      if (report === undefined) continue;
      reports.push(report);
      this.#parked.delete(id);
      this.#dead.delete(id);
    }
    this.append(reports);
    this.release(reports);
    return reports;
  }

  async status(): Promise<OutboxStatus> {
    return { queued: this.#queued, parked: this.#parked.size, dead: this.#dead.size };
  }

  undelivered(): readonly OutboxReport[] {
    return [...this.#queue.all(), ...this.#parked.values(), ...this.#dead.values()];
  }
}
