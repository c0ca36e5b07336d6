import type { Outbox, OutboxReport, OutboxStatus } from "@creditgate/core";
import {
  FairQueue,
  type OutboxEntry,
  type QueuedNames,
  type RecoveredReport,
  type Recovery,
  type SendingJournal,
} from "@creditgate/core/adapter";
import type { Facts } from "./facts.ts";
import type { StoredReport } from "./messages.ts";
import { reportState } from "./schema.ts";
import { numberIn, type ObjectStorage, type SqlRow, textIn } from "./storage.ts";

/** What a {@link StoredOutbox} is made of. */
export interface StoredOutboxOptions {
  readonly storage: ObjectStorage;
  /** Of the tables. */
  readonly prefix: string;
  readonly facts: Facts;
  readonly clock: () => number;
  readonly maxReports: number;
  /** Delivered reports are remembered at least so long: what a Worker hands over a second time must not be billed a second time. */
  readonly keepMs: number;
}

const { queued, parked, dead, delivered } = reportState;

/** In one step, so that it keeps no request waiting: more than one step delivers. */
const mostForgotten = 1_000;

/** The outbox of one wallet, in the storage of its object. What a method has done is written when its turn ends. */
export class StoredOutbox implements Outbox {
  readonly sendings: SendingJournal;
  readonly #options: StoredOutboxOptions;
  readonly #table: string;
  /** Reports that may not go out yet. */
  readonly #unreleased = new Set<string>();
  /** Reports that are handed out. */
  readonly #handedOut = new Set<string>();
  /** `undefined` until it is read. */
  #waiting: WaitingReports | undefined;
  #status: OutboxStatus = { queued: 0, parked: 0, dead: 0 };
  #nextPosition: number;

  constructor(options: StoredOutboxOptions) {
    this.#options = options;
    this.#table = `${options.prefix}_report`;
    const [last] = this.#rows("SELECT max(position) AS position FROM $");
    this.#nextPosition = typeof last?.position === "number" ? last.position + 1 : 0;
    this.#status = this.#tally(this.#rows(`SELECT state FROM $ WHERE state < ${delivered}`));
    this.sendings = {
      begin: async (ids) => this.#mark(ids, 1),
      end: async (ids) => this.#mark(ids, 0),
      keysHonoured: async (service) => options.facts.set("keysHonouredBy", service),
    };
  }

  get full(): boolean {
    const { queued: waiting, parked: aside } = this.#status;
    return waiting + aside >= this.#options.maxReports;
  }

  get fullOfDead(): boolean {
    return this.#status.dead >= this.#options.maxReports;
  }

  get waiting(): OutboxStatus {
    return this.#status;
  }

  /** Those of the reports that are not here yet, nor were a while ago. */
  unknown<Report extends Pick<OutboxReport, "id">>(reports: readonly Report[]): readonly Report[] {
    return reports.filter(({ id }) => this.#rows("SELECT 1 FROM $ WHERE id = ?", id).length === 0);
  }

  append(reports: readonly OutboxReport[]): void {
    this.#write(reports, () => {
      for (const { entry, ...report } of reports) {
        if (this.unknown([report]).length === 0) continue;
        this.#rows(
          "INSERT INTO $ (position, id, body, entry, amount, stored_at) VALUES (?, ?, ?, ?, ?, ?)",
          this.#nextPosition++,
          report.id,
          bodyOf(report),
          entry.id,
          entry.amount,
          this.#now,
        );
        this.#unreleased.add(report.id);
      }
    });
  }

  release(reports: readonly OutboxReport[]): void {
    const released = reports.filter(({ id }) => this.#unreleased.delete(id));
    // In the order of their release, which need not be that in which they came.
    if (released.length > 0 && this.#unreleased.size > 0) this.#toTheEnd(released);
    for (const report of released) this.#waiting?.add(report);
  }

  next(limit: number): readonly OutboxReport[] {
    this.#waiting ??= this.#readWaiting();
    const ids = this.#waiting.take(limit);
    const found = `SELECT * FROM $ WHERE state = ${queued} AND id = ?`;
    const reports = ids.flatMap((id) => this.#rows(found, id).map(reportIn));
    for (const { id } of reports) this.#handedOut.add(id);
    return reports;
  }

  #readWaiting(): WaitingReports {
    const waiting = new WaitingReports();
    for (const row of this.#rows(`SELECT * FROM $ WHERE state = ${queued} ORDER BY position`)) {
      const report = reportIn(row);
      if (!this.#handedOut.has(report.id) && !this.#unreleased.has(report.id)) waiting.add(report);
    }
    return waiting;
  }

  delivered(reports: readonly OutboxReport[], rememberMs: number, lowered: readonly OutboxEntry[]): void {
    const forgetAt = this.#now + Math.max(rememberMs, this.#options.keepMs);
    this.#write(reports, () => {
      for (const { id, entry } of reports) {
        this.#rows(
          `UPDATE $ SET state = ${delivered}, sending = 0, forget_at = ?, entry = ?, amount = ? WHERE id = ?`,
          forgetAt,
          entry.id,
          entry.amount,
          id,
        );
      }
      for (const { id, amount } of lowered) this.#rows("UPDATE $ SET amount = ? WHERE entry = ?", amount, id);
      this.#forget();
    });
    this.#unqueue(reports);
  }

  forget(ids: readonly string[]): void {
    for (const id of ids) this.#rows(`DELETE FROM $ WHERE id = ? AND state = ${delivered}`, id);
  }

  requeue(reports: readonly OutboxReport[]): void {
    this.#toTheEnd(reports);
    for (const report of reports) {
      this.#handedOut.delete(report.id);
      this.#waiting?.add(report);
    }
  }

  park(report: OutboxReport, reason: string): void {
    this.#setAside(report, parked, reason);
  }

  bury(report: OutboxReport, reason: string): void {
    this.#setAside(report, dead, reason);
  }

  unpark(): void {
    this.#queueAgain(this.#rows(`SELECT * FROM $ WHERE state = ${parked} ORDER BY position`).map(reportIn));
  }

  async status(): Promise<OutboxStatus> {
    return this.#status;
  }

  async recover(rememberMs: number): Promise<Recovery> {
    const forgetAt = this.#now + Math.max(rememberMs, this.#options.keepMs);
    this.#rows(`UPDATE $ SET forget_at = ? WHERE state = ${delivered}`, forgetAt);
    return this.#left("SELECT * FROM $ ORDER BY position");
  }

  /** What waits, with all that shares an entry with it. What is delivered may be far more than fits into the memory of an object. */
  unfinished(): Recovery {
    const waiting = `SELECT entry FROM $ WHERE state < ${delivered}`;
    return this.#left(`SELECT * FROM $ WHERE entry IN (${waiting}) ORDER BY position`);
  }

  #left(query: string): Recovery {
    this.#unreleased.clear();
    this.#waiting = undefined;
    const rows = this.#rows(query);
    return {
      reports: rows.map(recoveredIn),
      works: [],
      sent: rows.filter(({ state, sending }) => state === queued && sending === 1).map(reportIn),
      keysHonouredBy: this.#options.facts.get("keysHonouredBy"),
    };
  }

  /** What waits for an operator, or a part of it. */
  aside(limit: number): readonly StoredReport[] {
    const rows = this.#rows(
      `SELECT * FROM $ WHERE state IN (${parked}, ${dead}) ORDER BY position LIMIT ?`,
      limit,
    );
    return rows.map((row) => ({
      report: reportIn(row),
      state: row.state === parked ? "parked" : "dead",
      reason: typeof row.reason === "string" ? row.reason : "",
      storedAt: numberIn(row, "stored_at"),
    }));
  }

  /** The reports of these ids that wait for an operator. */
  asideNamed(ids: readonly string[]): readonly OutboxReport[] {
    const found = `SELECT * FROM $ WHERE state IN (${parked}, ${dead}) AND id = ?`;
    return [...new Set(ids)].flatMap((id) => this.#rows(found, id).map(reportIn));
  }

  retry(ids: readonly string[]): readonly OutboxReport[] {
    const reports = this.asideNamed(ids);
    this.#queueAgain(reports);
    return reports;
  }

  /** They are given up. */
  drop(reports: readonly OutboxReport[]): void {
    this.#write(reports, () => {
      for (const { id } of reports) this.#rows("DELETE FROM $ WHERE id = ?", id);
    });
    this.#unqueue(reports);
  }

  #unqueue(reports: readonly Pick<OutboxReport, "id">[]): void {
    for (const { id } of reports) {
      this.#handedOut.delete(id);
      this.#waiting?.delete(id);
    }
  }

  get #now(): number {
    return Math.floor(this.#options.clock());
  }

  #mark(ids: readonly string[], sending: 0 | 1): void {
    this.#options.storage.transactionSync(() => {
      for (const id of ids) this.#rows("UPDATE $ SET sending = ? WHERE id = ?", sending, id);
    });
  }

  #toTheEnd(reports: readonly Pick<OutboxReport, "id">[]): void {
    this.#options.storage.transactionSync(() => {
      for (const { id } of reports) {
        this.#rows("UPDATE $ SET position = ?, sending = 0 WHERE id = ?", this.#nextPosition++, id);
      }
    });
  }

  #queueAgain(reports: readonly OutboxReport[]): void {
    this.#write(reports, () => {
      for (const { id } of reports) {
        this.#rows(
          `UPDATE $ SET state = ${queued}, position = ?, reason = NULL WHERE id = ?`,
          this.#nextPosition++,
          id,
        );
      }
    });
    for (const report of reports) this.#waiting?.add(report);
  }

  #setAside(report: OutboxReport, state: number, reason: string): void {
    const { id } = report;
    this.#write([report], () => {
      this.#rows("UPDATE $ SET state = ?, reason = ?, sending = 0 WHERE id = ?", state, reason, id);
    });
    this.#unqueue([report]);
  }

  #forget(): void {
    const due = `SELECT position FROM $ WHERE forget_at <= ? ORDER BY forget_at LIMIT ${mostForgotten}`;
    this.#rows(`DELETE FROM $ WHERE position IN (${due})`, this.#now);
  }

  /** All of it, or nothing. Only the reports that it is about are counted again: there may be very many others. */
  #write(reports: readonly Pick<OutboxReport, "id">[], step: () => void): void {
    const ids = [...new Set(reports.map(({ id }) => id))];
    const states = () => this.#tally(ids.flatMap((id) => this.#rows("SELECT state FROM $ WHERE id = ?", id)));
    const before = states();
    this.#options.storage.transactionSync(step);
    const after = states();
    const { queued: waiting, parked: aside, dead: refused } = this.#status;
    this.#status = {
      queued: waiting + after.queued - before.queued,
      parked: aside + after.parked - before.parked,
      dead: refused + after.dead - before.dead,
    };
  }

  #tally(rows: readonly SqlRow[]): OutboxStatus {
    const count = (state: number) => rows.filter((row) => row.state === state).length;
    return { queued: count(queued), parked: count(parked), dead: count(dead) };
  }

  #rows(query: string, ...values: (string | number | null)[]): readonly SqlRow[] {
    return [...this.#options.storage.sql.exec(query.replaceAll("$", this.#table), ...values)];
  }
}

function bodyOf({
  id,
  customerId,
  agentId,
  indicator,
  rawUsage,
  currency,
  budgets,
}: Omit<OutboxReport, "entry">): string {
  return JSON.stringify({ id, customerId, agentId, indicator, rawUsage, currency, budgets });
}

function reportIn(row: SqlRow): OutboxReport {
  const report = JSON.parse(textIn(row, "body")) as Omit<OutboxReport, "entry">;
  return { ...report, entry: { id: textIn(row, "entry"), amount: numberIn(row, "amount") } };
}

function recoveredIn(row: SqlRow): RecoveredReport {
  const { id, customerId, currency, budgets, entry } = reportIn(row);
  return { id, customerId, currency, budgets, entry, delivered: row.state === delivered };
}

type Waiting = QueuedNames & Pick<OutboxReport, "id">;

/** Which reports may be handed out, by their ids: customers, agents and indicators take turns. Storage has the rest of them. */
export class WaitingReports {
  readonly #queue: FairQueue<Waiting> = new FairQueue((waiting) => waiting);
  readonly #waiting = new Map<string, Waiting>();

  /** Behind the others, once. */
  add({ id, customerId, agentId, indicator }: Waiting): void {
    if (this.#waiting.has(id)) return;
    const waiting = { id, customerId, agentId, indicator };
    this.#waiting.set(id, waiting);
    this.#queue.add(waiting);
  }

  delete(id: string): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    this.#queue.delete(waiting);
  }

  /** Removes at most `limit` of them. */
  take(limit: number): readonly string[] {
    const ids = this.#queue.take(limit).map(({ id }) => id);
    for (const id of ids) this.#waiting.delete(id);
    return ids;
  }
}
