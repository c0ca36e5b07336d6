import type { Clock, OutboxReport, OutboxStatus } from "@creditgate/core";
import type { OutboxEntry, RecoveredReport, Recovery } from "@creditgate/core/adapter";

interface Row {
  /** As the file has it: it does not change with the object that the process has. */
  stored: OutboxReport;
  /** What the present process has. */
  given: OutboxReport;
  state: "queued" | "parked" | "dead" | "delivered";
  /** Else it is written, and the end of the process loses it. */
  isDurable: boolean;
  /** Down as being sent. */
  isSending: boolean;
  /** Until when a delivered one is remembered. */
  until: number;
}

/** What an outbox keeps. A lasting one keeps it over the end of its process. */
export class OutboxFile {
  /** Whether the present process knows what the one before it has left. */
  recovered = false;
  readonly #clock: Clock;
  readonly #rows = new Map<string, Row>();
  /** What the present process has released or recovered, and has not been handed out. */
  #queue: OutboxReport[] = [];
  #keysHonouredBy: string | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get parked(): readonly OutboxReport[] {
    return this.#in("parked");
  }

  get dead(): readonly OutboxReport[] {
    return this.#in("dead");
  }

  get status(): OutboxStatus {
    return { queued: this.#in("queued").length, parked: this.parked.length, dead: this.dead.length };
  }

  /** As in a file, what is written can be read before it is durable. */
  write(reports: readonly OutboxReport[]): void {
    for (const given of reports) {
      if (this.#rows.has(given.id)) continue;
      const stored = copyOf(given);
      this.#rows.set(given.id, {
        stored,
        given,
        state: "queued",
        isDurable: false,
        isSending: false,
        until: 0,
      });
    }
  }

  durable(reports: readonly OutboxReport[]): void {
    for (const row of this.#of(reports)) row.isDurable = true;
  }

  release(reports: readonly OutboxReport[]): void {
    this.#queue.push(...reports);
  }

  next(limit: number): readonly OutboxReport[] {
    return this.#queue.splice(0, limit);
  }

  deliver(reports: readonly OutboxReport[], rememberMs: number, lowered: readonly OutboxEntry[]): void {
    for (const row of this.#of(reports)) {
      row.state = "delivered";
      row.isSending = false;
      row.until = this.#clock.now() + rememberMs;
      row.stored = copyOf(row.given);
    }
    for (const { id, amount } of lowered) {
      for (const row of this.#rows.values()) {
        if (row.stored.entry.id === id) row.stored = { ...row.stored, entry: { id, amount } };
      }
    }
  }

  /** Out of the queue. */
  setAside(report: OutboxReport, state: "parked" | "dead"): void {
    this.#queue = this.#queue.filter(({ id }) => id !== report.id);
    for (const row of this.#of([report])) Object.assign(row, { state, isSending: false });
  }

  unpark(): void {
    for (const row of this.#rows.values()) {
      if (row.state !== "parked") continue;
      row.state = "queued";
      this.#queue.push(row.given);
    }
  }

  requeue(reports: readonly OutboxReport[]): void {
    this.send(reports, false);
    this.#queue.push(...reports);
  }

  send(reports: readonly { readonly id: string }[], isSending: boolean): void {
    for (const row of this.#of(reports)) row.isSending = isSending;
  }

  honourKeys(service: string): void {
    this.#keysHonouredBy = service;
  }

  /** The process has ended: what it had written and not made durable is lost. */
  lose(): void {
    this.recovered = false;
    this.#queue = [];
    for (const [id, { isDurable }] of this.#rows) if (!isDurable) this.#rows.delete(id);
  }

  /** All that has become durable, be it delivered, forgotten or not. */
  get stored(): readonly OutboxReport[] {
    return [...this.#rows.values()].filter(({ isDurable }) => isDurable).map(({ stored }) => stored);
  }

  /** What a later process receives. */
  left(): readonly (OutboxReport & RecoveredReport)[] {
    const now = this.#clock.now();
    return [...this.#rows.values()]
      .filter(({ isDurable, state, until }) => isDurable && (state !== "delivered" || until >= now))
      .map(({ stored, state }) => ({ ...stored, delivered: state === "delivered" }));
  }

  recover(rememberMs: number): Recovery {
    const reports = this.left();
    this.recovered = true;
    for (const row of this.#of(reports)) {
      row.given = row.stored;
      if (row.state === "delivered") row.until = this.#clock.now() + rememberMs;
    }
    this.#queue = [...this.#in("queued")];
    const sent = [...this.#rows.values()].filter(({ isSending }) => isSending).map(({ given }) => given);
    return { reports, works: [], sent, keysHonouredBy: this.#keysHonouredBy };
  }

  #in(wanted: Row["state"]): readonly OutboxReport[] {
    return [...this.#rows.values()].filter(({ state }) => state === wanted).map(({ given }) => given);
  }

  #of(reports: readonly { readonly id: string }[]): readonly Row[] {
    return reports.flatMap(({ id }) => this.#rows.get(id) ?? []);
  }
}

function copyOf(report: OutboxReport): OutboxReport {
  const { id, customerId, agentId, indicator, rawUsage, currency, budgets, entry } = report;
  return {
    id,
    customerId,
    agentId,
    indicator,
    rawUsage,
    currency,
    ...(budgets && { budgets }),
    entry: { id: entry.id, amount: entry.amount },
  };
}
