import type { OutboxReport, OutboxStatus } from "@creditgate/core";
import {
  checkIdentifier,
  checkInteger,
  checkNames,
  checkShape,
  type FleetRecovery,
  type OutboxEntry,
  type OutboxFleet,
  type Recovery,
  type ReservationJournal,
  type SendingJournal,
  systemClock,
  type WorkJournal,
} from "@creditgate/core/adapter";
import { type Change, type ChangePart, FleetJournal } from "./fleet-journal.ts";
import {
  defaultLimits,
  type FleetOutbox,
  type FleetOutboxOptions,
  fleetOutboxOptionNames,
} from "./fleet-outbox-options.ts";
import { FleetReservations } from "./fleet-reservations.ts";
import { FleetRows } from "./fleet-rows.ts";
import { FleetWorks } from "./fleet-works.ts";
import { OperatorDecisions } from "./operator-decisions.ts";
import type { OutboxStore } from "./outbox-store.ts";
import { changeOf, dropping, noting } from "./row-changes.ts";
import { packReport, type ReportNote } from "./stored-item.ts";

/** Beats in the time after which a silent process is gone. */
const heartbeatsBeforeGone = 6;

/** The outbox of one process over a store that others use too: all of its rows are in memory, and the store is written first. */
export class StoredOutbox implements FleetOutbox {
  readonly works: WorkJournal;
  readonly sendings: SendingJournal;
  readonly reservations: ReservationJournal;
  readonly fleet: OutboxFleet;
  readonly #store: OutboxStore;
  readonly #settings: Required<FleetOutboxOptions>;
  readonly #rows: FleetRows = new FleetRows();
  readonly #journal: FleetJournal;
  readonly #reservations: FleetReservations;
  readonly #decisions: OperatorDecisions;
  /** Until the store is known to be there. */
  #failing = false;
  /** Another process has them. */
  readonly #lost = new Set<string>();
  #closing: Promise<void> | undefined;

  constructor(store: OutboxStore, settings: Required<FleetOutboxOptions>) {
    this.#store = store;
    this.#settings = settings;
    const { process: name, abandonMs } = settings;
    const rows = this.#rows;
    const journal = new FleetJournal({ store, rows, name, abandonMs });
    this.#journal = journal;
    this.#reservations = new FleetReservations(rows, journal);
    this.#decisions = new OperatorDecisions(rows, journal);
    this.reservations = this.#reservations;
    this.works = new FleetWorks(rows, journal);
    this.sendings = {
      begin: (ids) => this.#setSending(ids, true),
      end: (ids) => this.#setSending(ids, false),
      keysHonoured: (service) =>
        journal.write({
          items: () => ["keys_honoured_by"],
          plan: (plan) => plan.set("keys_honoured_by", service),
          done() {},
        }),
    };
    this.fleet = {
      isNamed: name !== undefined,
      heartbeatMs: Math.floor(abandonMs / heartbeatsBeforeGone),
      heartbeat: (rememberMs) => this.#heartbeat(rememberMs),
      entered: () => rows.entered(),
    };
  }

  get failing(): boolean {
    return this.#failing || this.#store.short === true;
  }

  get full(): boolean {
    const { queued, parked } = this.#rows.reports.status();
    const { maxReports, maxBytes } = this.#settings;
    return queued + parked >= maxReports || this.#rows.reports.bytes >= maxBytes;
  }

  get fullOfDead(): boolean {
    const { dead } = this.#rows.reports.status();
    const { maxReports, maxBytes } = this.#settings;
    return dead >= maxReports || this.#rows.reports.deadBytes >= maxBytes;
  }

  async append(reports: readonly OutboxReport[], workId?: string): Promise<void> {
    const since = Date.now();
    const packed = reports.map((report) => ({ report, text: packReport(report, since) }));
    let added: typeof packed = [];
    try {
      await this.#journal.write({
        items: () => [
          ...reports.flatMap(({ id, entry }) => [id, entry.id]),
          ...(workId === undefined ? [] : [workId]),
        ],
        plan: (plan) => {
          const known = new Set<string>();
          added = packed.filter(({ report: { id } }) => {
            if (known.has(id) || this.#rows.reports.get(id) !== undefined) return false;
            known.add(id);
            return true;
          });
          for (const { text } of added) plan.add(text);
          const work = workId === undefined ? undefined : this.#rows.work(workId);
          if (work !== undefined) plan.drop(work.place);
        },
        done: (places, lane) => {
          for (const [index, { report, text }] of added.entries()) {
            this.#rows.addReport(report, text, places[index] ?? "", lane);
          }
          if (workId !== undefined) this.#rows.removeWork(workId);
        },
      });
      this.#failing = false;
    } catch (error) {
      this.#failing = true;
      throw error;
    }
  }

  release(reports: readonly OutboxReport[]): void {
    for (const { id } of reports) this.#rows.reports.release(id);
  }

  async next(limit: number): Promise<readonly OutboxReport[]> {
    if (!this.#journal.isJoined) await this.#journal.join();
    return this.#rows.reports.take(limit);
  }

  async delivered(
    reports: readonly OutboxReport[],
    rememberMs: number,
    lowered: readonly OutboxEntry[],
  ): Promise<void> {
    const { clock } = this.#settings;
    const ids = reports.map(({ id }) => id);
    const remembering: ChangePart = {
      plan() {},
      done: () => {
        for (const id of ids) this.#rows.reports.remember(id, clock.now() + rememberMs);
      },
    };
    const items = () => [...this.#rows.itemsOf(ids), ...lowered.map(({ id }) => id)];
    const noted = noting(this.#rows, () => this.#deliveredNotes(reports, lowered));
    await this.#journal.write(changeOf(items, noted, remembering, this.#forgetting()));
  }

  #deliveredNotes(
    reports: readonly OutboxReport[],
    lowered: readonly OutboxEntry[],
  ): ReadonlyMap<string, ReportNote> {
    const notes = new Map<string, ReportNote>();
    for (const { id, entry } of reports) {
      if (this.#rows.reports.get(id)?.state === "queued") notes.set(id, { state: "delivered", entry });
    }
    for (const entry of lowered) {
      for (const { report, state, reason, sending } of this.#rows.reports.sharing(entry.id)) {
        const note = notes.get(report.id) ?? { state, reason, sending, entry };
        // One that is delivered now may have an entry of its own.
        notes.set(report.id, note.entry?.id === entry.id ? { ...note, entry } : note);
      }
    }
    return notes;
  }

  async requeue(reports: readonly OutboxReport[]): Promise<void> {
    const ids = reports.map(({ id }) => id);
    const sent = ids.filter((id) => this.#rows.reports.get(id)?.sending === true);
    if (sent.length > 0) await this.#setSending(sent, false);
    for (const id of ids) this.#rows.reports.requeue(id);
  }

  park({ id }: OutboxReport, reason: string): Promise<void> {
    return this.#setAside(id, "parked", reason);
  }

  bury({ id }: OutboxReport, reason: string): Promise<void> {
    return this.#setAside(id, "dead", reason);
  }

  unpark(): Promise<void> {
    const notes = () =>
      this.#rows.reports
        .parked()
        .map(({ report, entry }): [string, ReportNote] => [report.id, { state: "queued", entry }]);
    const noted = noting(this.#rows, () => new Map(notes()));
    return this.#journal.write(changeOf(() => "all", noted));
  }

  async retry(ids: readonly string[]): Promise<readonly OutboxReport[]> {
    let reports: OutboxReport[] = [];
    await this.#journal.write(
      this.#noting(ids, () => {
        const notes = new Map<string, ReportNote>();
        reports = [];
        for (const id of ids) {
          const row = this.#rows.reports.get(id);
          if (row?.state !== "parked" && row?.state !== "dead") continue;
          if (!notes.has(id)) reports.push(row.report);
          notes.set(id, { state: "queued", entry: row.entry });
        }
        return notes;
      }),
    );
    return reports;
  }

  async status(): Promise<OutboxStatus> {
    // What is in memory is right while the store is away, but for what has not been read yet.
    if (!this.#journal.isJoined) await this.#journal.join().catch(() => {});
    return this.#rows.reports.status();
  }

  async recover(rememberMs: number): Promise<Recovery> {
    if (!this.#journal.isJoined) await this.#journal.join();
    // Asked again, it gives the ledger what was appended since it was asked first.
    this.#rows.releaseAll();
    this.#rows.reports.rememberAll("all", this.#settings.clock.now() + rememberMs);
    return this.#recovery("all");
  }

  forget(ids: readonly string[]): Promise<void> {
    const isDelivered = (id: string) => this.#rows.reports.get(id)?.state === "delivered";
    const dropped = dropping(this.#rows, () => ids.filter(isDelivered));
    return this.#journal.write(changeOf(() => this.#rows.itemsOf(ids), dropped));
  }

  close(): Promise<void> {
    this.#closing ??= this.#journal.close();
    return this.#closing;
  }

  async #heartbeat(rememberMs: number): Promise<FleetRecovery> {
    const { clock } = this.#settings;
    await this.#journal.write(changeOf(() => [], this.#forgetting()));
    const lost = await this.#journal.heartbeat();
    for (const id of lost) this.#lost.add(id);
    this.#failing = false;
    const decided = await this.#decisions.take(clock.now() + rememberMs);
    this.#rows.reports.rememberAll("fresh", clock.now() + rememberMs);
    return { ...this.#recovery("fresh"), lost, decided };
  }

  #recovery(which: "all" | "fresh"): Recovery {
    const { keys_honoured_by: keysHonouredBy } = this.#journal.values;
    return { ...this.#rows.recovery(which), keysHonouredBy, reservations: this.#reservations.gone(which) };
  }

  async #setSending(ids: readonly string[], sending: boolean): Promise<void> {
    await this.#journal.write(
      this.#noting(ids, () => {
        const notes = new Map<string, ReportNote>();
        for (const id of ids) {
          const row = this.#rows.reports.get(id);
          if (row?.state === "queued" && row.sending !== sending)
            notes.set(id, { state: "queued", sending, entry: row.entry });
        }
        return notes;
      }),
    );
    // To send what another process sends too could bill it twice.
    const taken = sending ? ids.filter((id) => this.#isLost(id)) : [];
    if (taken.length > 0) throw new Error(`another process has taken over ${taken.length} reports`);
  }

  #isLost(id: string): boolean {
    return this.#lost.has(id) || this.#journal.lost.includes(id);
  }

  #setAside(id: string, state: "parked" | "dead", reason: string): Promise<void> {
    return this.#journal.write(
      this.#noting([id], () => {
        const row = this.#rows.reports.get(id);
        const notes = new Map<string, ReportNote>();
        if (row?.state === "queued") notes.set(id, { state, reason, entry: row.entry });
        return notes;
      }),
    );
  }

  #noting(ids: readonly string[], draw: () => ReadonlyMap<string, ReportNote>): Change {
    return changeOf(() => this.#rows.itemsOf(ids), noting(this.#rows, draw));
  }

  /** What has been remembered for long enough goes; with a later step, if this one changes it otherwise. */
  #forgetting(): ChangePart {
    const rows = this.#rows;
    return dropping(rows, (plan) => {
      const due = rows.reports.forgettable(this.#settings.clock.now());
      return due.filter((id) => plan.claim(rows.itemsOf([id])));
    });
  }
}

/** An outbox for one gate over a store that other processes use too. Throws `invalid_option`. */
export function createFleetOutbox(store: OutboxStore, options: FleetOutboxOptions = {}): FleetOutbox {
  checkNames(options, fleetOutboxOptionNames);
  const { process, clock = systemClock } = options;
  checkShape("clock", clock, "a clock", ["now"]);
  return new StoredOutbox(store, {
    process: process === undefined ? undefined : checkIdentifier("process", process),
    maxReports: checkInteger("maxReports", options.maxReports ?? defaultLimits.maxReports, 1, 10_000_000),
    maxBytes: checkInteger(
      "maxBytes",
      options.maxBytes ?? defaultLimits.maxBytes,
      1,
      Number.MAX_SAFE_INTEGER,
    ),
    abandonMs: checkInteger("abandonMs", options.abandonMs ?? 60_000, 1_000, 86_400_000),
    clock,
  });
}
