import type { OutboxReport, OutboxStatus } from "@creditgate/core";
import { FairQueue, type OutboxEntry, type RecoveredReport } from "@creditgate/core/adapter";
import type { ReportNote, ReportState } from "./stored-item.ts";

/** A row of the store, as memory has it. */
export interface Row {
  place: string;
  lane: string;
  readonly text: string;
  /** Taken over, and not in the ledger yet. */
  isFresh: boolean;
}

/** A report, as memory has it. */
export interface ReportRow extends Row {
  /** What is handed out: the object that was given, or what was read. */
  report: OutboxReport;
  readonly isGiven: boolean;
  /** That of the text, where it is known. */
  readonly written: OutboxEntry | undefined;
  /** As the store has it: that of a given object may be ahead. */
  entry: OutboxEntry;
  readonly bytes: number;
  state: ReportState;
  reason: string | undefined;
  sending: boolean;
  /** Whether it may go out, or has gone. */
  isReleased: boolean;
  /** Whether it waits to be handed out. */
  isWaiting: boolean;
  /** For one that was delivered: when it may be forgotten. */
  forgetAt: number;
}

/** The reports of a process: where each is, and in which order they go out. */
export class ReportRows {
  readonly #reports = new Map<string, ReportRow>();
  /** What waits to be handed out. */
  #queue: FairQueue<ReportRow> = fairQueue();
  /** What was delivered, in the order in which it may be forgotten. */
  readonly #remembered = new Set<ReportRow>();
  /** The reports whose entry has the id of another one, by that of the entry. */
  readonly #shares = new Map<string, Set<ReportRow>>();
  readonly #count = { queued: 0, parked: 0, dead: 0, delivered: 0 };
  readonly #bytes = { queued: 0, parked: 0, dead: 0, delivered: 0 };

  /** Of what may yet be sent. */
  get bytes(): number {
    return this.#bytes.queued + this.#bytes.parked;
  }

  get deadBytes(): number {
    return this.#bytes.dead;
  }

  status(): OutboxStatus {
    const { queued, parked, dead } = this.#count;
    return { queued, parked, dead };
  }

  get(id: string): Readonly<ReportRow> | undefined {
    return this.#reports.get(id);
  }

  all(): readonly ReportRow[] {
    return [...this.#reports.values()];
  }

  add(row: ReportRow): void {
    this.#reports.set(row.report.id, row);
    this.#tally(row, 1);
    this.#share(row);
    if (row.state === "delivered") this.#remembered.add(row);
    else if (row.isReleased) this.#requeue(row);
  }

  release(id: string): void {
    const row = this.#reports.get(id);
    if (row === undefined || row.isReleased) return;
    row.isReleased = true;
    this.#requeue(row);
  }

  /** Hands out at most `limit` reports. */
  take(limit: number): readonly OutboxReport[] {
    const taken = this.#queue.take(limit);
    for (const row of taken) row.isWaiting = false;
    return taken.map(({ report }) => report);
  }

  /** Behind the others. */
  requeue(id: string): void {
    const row = this.#reports.get(id);
    if (row?.isReleased) this.#requeue(row);
  }

  #requeue(row: ReportRow): void {
    if (row.state !== "queued" || row.isWaiting) return;
    row.isWaiting = true;
    this.#queue.add(row);
  }

  #unqueue(row: ReportRow): void {
    if (row.isWaiting) this.#queue.delete(row);
    row.isWaiting = false;
  }

  /** What the store has noted of the report. */
  note(id: string, { state, reason, sending = false, entry }: ReportNote): void {
    const row = this.#reports.get(id);
    if (row === undefined) return;
    this.#tally(row, -1);
    const wasQueued = row.state === "queued";
    if (!wasQueued && state === "queued" && !row.isFresh) row.isReleased = true;
    row.state = state;
    row.reason = reason;
    row.sending = sending;
    this.#tally(row, 1);
    if (entry !== undefined) this.#setEntry(row, entry);
    if (state !== "queued") this.#unqueue(row);
    else if (!wasQueued && row.isReleased) this.#requeue(row);
  }

  /** It was delivered, and is to be remembered until then. */
  remember(id: string, forgetAt: number): void {
    const row = this.#reports.get(id);
    if (row === undefined) return;
    row.forgetAt = forgetAt;
    this.#remembered.delete(row);
    this.#remembered.add(row);
  }

  /** The same for all that was delivered, or only for what is fresh. */
  rememberAll(which: "all" | "fresh", forgetAt: number): void {
    for (const row of this.#remembered) if (which === "all" || row.isFresh) row.forgetAt = forgetAt;
  }

  /** Those that need not be remembered any more. */
  forgettable(now: number): readonly string[] {
    const ids: string[] = [];
    for (const { report, forgetAt } of this.#remembered) {
      if (forgetAt > now) break;
      ids.push(report.id);
    }
    return ids;
  }

  /** The reports that share this entry. */
  sharing(entryId: string): readonly Readonly<ReportRow>[] {
    const first = this.#reports.get(entryId);
    const shares = this.#shares.get(entryId) ?? [];
    return first?.entry.id === entryId ? [first, ...shares] : [...shares];
  }

  parked(): readonly Readonly<ReportRow>[] {
    return this.all().filter(({ state }) => state === "parked");
  }

  /** Gives the row that is gone. */
  remove(id: string): ReportRow | undefined {
    const row = this.#reports.get(id);
    if (row === undefined) return undefined;
    this.#reports.delete(id);
    this.#unqueue(row);
    this.#remembered.delete(row);
    this.#unshare(row);
    this.#tally(row, -1);
    return row;
  }

  clear(): void {
    this.#reports.clear();
    this.#queue = fairQueue();
    this.#remembered.clear();
    this.#shares.clear();
    for (const tally of [this.#count, this.#bytes])
      Object.assign(tally, { queued: 0, parked: 0, dead: 0, delivered: 0 });
  }

  #tally({ state, bytes }: ReportRow, sign: 1 | -1): void {
    this.#count[state] += sign;
    this.#bytes[state] += sign * bytes;
  }

  #setEntry(row: ReportRow, { id, amount }: OutboxEntry): void {
    this.#unshare(row);
    row.entry = { id, amount };
    if (!row.isGiven) row.report = { ...row.report, entry: row.entry };
    this.#share(row);
  }

  #share(row: ReportRow): void {
    if (row.entry.id === row.report.id) return;
    const shares = this.#shares.get(row.entry.id);
    if (shares === undefined) this.#shares.set(row.entry.id, new Set([row]));
    else shares.add(row);
  }

  #unshare(row: ReportRow): void {
    if (row.entry.id === row.report.id) return;
    const shares = this.#shares.get(row.entry.id);
    shares?.delete(row);
    if (shares?.size === 0) this.#shares.delete(row.entry.id);
  }
}

function fairQueue(): FairQueue<ReportRow> {
  return new FairQueue(({ report }) => report);
}

/** As much of it as the ledger must know. */
export function recovered({ report, entry, state }: Readonly<ReportRow>): RecoveredReport {
  const { id, customerId, currency, budgets } = report;
  return { id, customerId, currency, budgets, entry, delivered: state === "delivered" };
}

/** Without what a gate's own report carries beside it. */
export function plainReport({ report, entry }: Readonly<ReportRow>): OutboxReport {
  const { id, customerId, agentId, indicator, rawUsage, currency, budgets } = report;
  return { id, customerId, agentId, indicator, rawUsage, currency, ...(budgets && { budgets }), entry };
}
