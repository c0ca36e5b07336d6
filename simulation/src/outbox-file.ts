import {
  type Clock,
  createMemoryOutbox,
  type Outbox,
  type OutboxReport,
  type RecoveredReport,
  type Recovery,
} from "@creditgate/core";

/** What an outbox keeps. A lasting one keeps it over the end of its process: each process has a view of its own on it. */
export class OutboxFile {
  readonly inner: Outbox = createMemoryOutbox();
  readonly parked: Map<string, OutboxReport> = new Map();
  readonly dead: Map<string, OutboxReport> = new Map();
  /** Whether the present process knows what the one before it has left. */
  recovered = false;
  readonly #clock: Clock;
  readonly #known = new Map<string, OutboxReport>();
  /** Written, and not durable yet. */
  readonly #written = new Map<string, OutboxReport>();
  /** Delivered, and until when that is remembered. */
  readonly #delivered = new Map<string, number>();
  /** Down as being sent. */
  readonly #sending = new Set<string>();
  #keysHonouredBy: string | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** As in a file, what is written can be read before it is durable. */
  write(reports: readonly OutboxReport[]): void {
    void this.inner.append(reports);
    for (const report of reports) this.#written.set(report.id, report);
  }

  durable(reports: readonly OutboxReport[]): void {
    for (const report of reports) {
      this.#written.delete(report.id);
      this.#known.set(report.id, report);
    }
  }

  deliver(id: string, rememberMs: number): void {
    void this.inner.delivered(id, rememberMs);
    this.#sending.delete(id);
    this.#delivered.set(id, this.#clock.now() + rememberMs);
  }

  /** Out of the queue. */
  move(id: string, to: Map<string, OutboxReport>): void {
    this.#sending.delete(id);
    const report = this.#known.get(id);
    if (report !== undefined) to.set(id, report);
  }

  requeue(id: string): void {
    this.#sending.delete(id);
    void this.inner.requeue(id);
  }

  send(ids: readonly string[]): void {
    for (const id of ids) this.#sending.add(id);
  }

  honourKeys(service: string): void {
    this.#keysHonouredBy = service;
  }

  /** The process has ended: what it had written and not made durable is lost. */
  lose(): void {
    this.recovered = false;
    for (const id of this.#written.keys()) {
      void this.inner.delivered(id, 0);
      this.#delivered.delete(id);
    }
    this.#written.clear();
  }

  /** All that a later process must know. */
  left(): readonly (OutboxReport & RecoveredReport)[] {
    return Array.from(this.#known.values(), (report) => {
      const until = this.#delivered.get(report.id);
      return { report, until };
    })
      .filter(({ until = Number.POSITIVE_INFINITY }) => until >= this.#clock.now())
      .map(({ report, until }) => ({ ...report, delivered: until !== undefined }));
  }

  recover(rememberMs: number): Recovery {
    const reports = this.left();
    this.recovered = true;
    for (const { id, delivered } of reports) {
      if (delivered) this.#delivered.set(id, this.#clock.now() + rememberMs);
    }
    const sent = Array.from(this.#sending, (id) => this.#known.get(id) ?? []).flat();
    return { reports, works: [], sent, keysHonouredBy: this.#keysHonouredBy };
  }
}
