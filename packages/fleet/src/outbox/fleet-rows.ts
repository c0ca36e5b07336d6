import type { OutboxReport } from "@creditgate/core";
import type { NotedReservation, OpenWork, Recovery } from "@creditgate/core/adapter";
import type { StoredRow } from "./outbox-store.ts";
import { plainReport, ReportRows, type Row, recovered } from "./report-rows.ts";
import { packNote, parseItem } from "./stored-item.ts";

interface WorkRow extends Row {
  readonly work: OpenWork;
  /** Of an earlier life, or another process. */
  isOrphan: boolean;
}

interface ReservationRow extends Row {
  readonly reservation: NotedReservation;
  /** Begun in this life. */
  readonly isOwn: boolean;
}

type ReservationKey = Pick<NotedReservation, "account" | "process">;

const never = Number.POSITIVE_INFINITY;

/** All that stands in the lanes of this process. The store is changed first, and this once it has answered. */
export class FleetRows {
  readonly reports: ReportRows = new ReportRows();
  readonly lanes: LaneTally = new LaneTally();
  readonly #works = new Map<string, WorkRow>();
  /** By {@link keyOf}. */
  readonly #reservations = new Map<string, ReservationRow>();

  work(id: string): Readonly<WorkRow> | undefined {
    return this.#works.get(id);
  }

  reservation(reservation: ReservationKey): Readonly<ReservationRow> | undefined {
    return this.#reservations.get(keyOf(reservation));
  }

  reservations(): readonly Readonly<ReservationRow>[] {
    return [...this.#reservations.values()];
  }

  /** By how many reservations the ledger holds credits. */
  reservationsOf(ledger: string): number {
    return this.reservations().filter(({ reservation }) => reservation.process === ledger).length;
  }

  /** These reports, and the entries that others may share with them. */
  itemsOf(ids: readonly string[]): readonly string[] {
    return ids.flatMap((id) => [id, this.reports.get(id)?.entry.id ?? id]);
  }

  addReport(report: OutboxReport, text: string, place: string, lane: string): void {
    const entry = { id: report.entry.id, amount: report.entry.amount };
    this.lanes.enter(lane);
    this.reports.add({
      report,
      isGiven: true,
      written: entry,
      entry,
      text,
      place,
      lane,
      bytes: bytesOf(text),
      state: "queued",
      reason: undefined,
      sending: false,
      isReleased: false,
      isWaiting: false,
      isFresh: false,
      forgetAt: never,
    });
  }

  addWork(work: OpenWork, text: string, place: string, lane: string): void {
    this.#works.set(work.id, { work, text, place, lane, isOrphan: false, isFresh: false });
    this.lanes.enter(lane);
  }

  addReservation(reservation: NotedReservation, text: string, place: string, lane: string): void {
    this.#reservations.set(keyOf(reservation), {
      reservation,
      text,
      place,
      lane,
      isOwn: true,
      isFresh: false,
    });
    this.lanes.enter(lane);
  }

  /**
   * Loads the row of another process, or of an earlier life of this one. `isFresh`: it may be sent once {@link
   * FleetRows.entered}. Returns whether it is one that is here already, at another place.
   */
  load({ place, text, note }: StoredRow, lane: string, isFresh: boolean): boolean {
    const item = parseItem(text, note);
    const known = this.#known(item);
    if (known !== undefined) return known.place !== place;
    this.lanes.enter(lane);
    const row = { text, place, lane, isFresh };
    if ("reservation" in item)
      this.#reservations.set(keyOf(item.reservation), {
        ...row,
        reservation: item.reservation,
        isOwn: false,
      });
    else if ("work" in item) this.#works.set(item.work.id, { ...row, work: item.work, isOrphan: true });
    else {
      const { report } = item;
      const { state, reason, sending = false } = item.note;
      this.reports.add({
        text,
        place,
        lane,
        isFresh,
        report,
        isGiven: false,
        written: undefined,
        entry: report.entry,
        bytes: bytesOf(text),
        state,
        reason,
        sending,
        isReleased: !isFresh,
        isWaiting: false,
        forgetAt: never,
      });
    }
    return false;
  }

  #known(item: ReturnType<typeof parseItem>): Readonly<Row> | undefined {
    if ("reservation" in item) return this.reservation(item.reservation);
    return "work" in item ? this.work(item.work.id) : this.reports.get(item.report.id);
  }

  releaseAll(): void {
    for (const row of this.#all()) row.isFresh = false;
    for (const { report } of this.reports.all()) this.reports.release(report.id);
  }

  /** Whether some have been taken over and are not in the ledger yet. */
  get hasFresh(): boolean {
    return this.#all().some(({ isFresh }) => isFresh);
  }

  /** All that is fresh is in the ledger now. */
  entered(): void {
    for (const row of this.#all()) {
      if (!row.isFresh) continue;
      row.isFresh = false;
      if ("report" in row) this.reports.release(row.report.id);
    }
  }

  removeReport(id: string): void {
    this.#gone(this.reports.remove(id));
  }

  removeWork(id: string): void {
    const row = this.#works.get(id);
    this.#works.delete(id);
    this.#gone(row);
  }

  removeReservation(reservation: ReservationKey): void {
    const row = this.#reservations.get(keyOf(reservation));
    this.#reservations.delete(keyOf(reservation));
    this.#gone(row);
  }

  #gone(row: Row | undefined): void {
    if (row !== undefined) this.lanes.leave(row.lane);
  }

  /** All that waits for delivery, is set aside or remembered; with `fresh` only what is. */
  recovery(which: "all" | "fresh"): Pick<Recovery, "reports" | "works" | "sent"> {
    const isMeant = ({ isFresh }: Row) => which === "all" || isFresh;
    const rows = this.reports.all().filter(isMeant);
    const works = [...this.#works.values()].filter((row) => row.isOrphan && isMeant(row));
    return {
      reports: rows.map(recovered),
      works: works.map(({ work }) => work),
      sent: rows.filter(({ state, sending }) => state === "queued" && sending).map(plainReport),
    };
  }

  /** The reports and the work at these places. */
  at(places: ReadonlySet<string>): ReadonlyMap<string, string> {
    const ids = new Map<string, string>();
    for (const row of this.#all()) {
      if (!places.has(row.place)) continue;
      if ("report" in row) ids.set(row.place, row.report.id);
      else if ("work" in row) ids.set(row.place, row.work.id);
    }
    return ids;
  }

  /** Every row as the store must have it. */
  all(): readonly { readonly text: string; readonly note: string; readonly row: Row }[] {
    return this.#all().map((row) => ({
      text: row.text,
      note: "report" in row ? packNote(row, row.written) : "",
      row,
    }));
  }

  /** Where the row stands now. */
  move(row: Row, place: string, lane: string): void {
    this.lanes.leave(row.lane);
    row.place = place;
    row.lane = lane;
    this.lanes.enter(lane);
  }

  /** Another process has it all: gives the ids of what was undelivered. */
  clear(): readonly string[] {
    const lost = this.reports.all().filter(({ state }) => state !== "delivered");
    this.reports.clear();
    this.#works.clear();
    // Its ledger goes on with the reservations of this life.
    for (const [key, { isOwn }] of this.#reservations) if (!isOwn) this.#reservations.delete(key);
    this.lanes.clear();
    return lost.map(({ report }) => report.id);
  }

  #all() {
    return [...this.reports.all(), ...this.#works.values(), ...this.#reservations.values()];
  }
}

/** In UTF-8. Counted, since to encode a text only for its length costs more. */
function bytesOf(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    // Each half of a pair is two of its four bytes.
    if (unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff)) bytes += 2;
    else if (unit > 0x7f) bytes++;
  }
  return bytes;
}

function keyOf({ account, process }: ReservationKey): string {
  return JSON.stringify([account, process]);
}

/** The name under which a change says that it concerns a reservation; reports, their entries and works go by their ids. */
export function reservationItem(reservation: ReservationKey): string {
  return `reservation ${keyOf(reservation)}`;
}

/** The lanes of a process other than those of which it has read nothing yet, and how many rows each has. */
export class LaneTally {
  readonly #rows = new Map<string, number>();

  get all(): readonly string[] {
    return [...this.#rows.keys()];
  }

  /** Those other than `own` that have nothing in them any more. */
  empty(own: string): readonly string[] {
    return [...this.#rows].filter(([lane, rows]) => rows === 0 && lane !== own).map(([lane]) => lane);
  }

  add(lane: string): void {
    if (!this.#rows.has(lane)) this.#rows.set(lane, 0);
  }

  remove(lane: string): void {
    this.#rows.delete(lane);
  }

  clear(): void {
    this.#rows.clear();
  }

  /** A row comes into the lane. */
  enter(lane: string): void {
    this.#rows.set(lane, (this.#rows.get(lane) ?? 0) + 1);
  }

  /** A row goes from the lane. */
  leave(lane: string): void {
    const rows = this.#rows.get(lane);
    if (rows !== undefined) this.#rows.set(lane, rows - 1);
  }
}
