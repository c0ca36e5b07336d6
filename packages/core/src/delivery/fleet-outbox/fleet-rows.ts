import type { NotedBlock } from "../../wallet/ledger.ts";
import type {
  OpenWork,
  OutboxEntry,
  OutboxReport,
  OutboxStatus,
  RecoveredReport,
  Recovery,
} from "../outbox.ts";
import type { StoredRow } from "./outbox-store.ts";
import { packNote, parseItem, type ReportNote, type ReportState } from "./stored-item.ts";

/** A row of the store, as memory has it. */
interface Row {
  place: string;
  lane: string;
  readonly text: string;
  /** Taken over, and not in the ledger yet. */
  isFresh: boolean;
}

interface ReportRow extends Row {
  /** What is handed out: the object that was given, or what was read. */
  report: OutboxReport;
  readonly isGiven: boolean;
  /** As the store has it: that of a given object may be ahead. */
  entry: OutboxEntry;
  readonly bytes: number;
  state: ReportState;
  reason: string | undefined;
  sending: boolean;
  /** Whether it may go out, or has gone. */
  isReleased: boolean;
  /** For one that was delivered: when it may be forgotten. */
  forgetAt: number;
}

interface WorkRow extends Row {
  readonly work: OpenWork;
  /** Of an earlier life, or another process. */
  isOrphan: boolean;
}

interface BlockRow extends Row {
  readonly block: NotedBlock;
  /** Begun in this life. */
  readonly isOwn: boolean;
}

const never = Number.POSITIVE_INFINITY;

/** All that stands in the lanes of this process. The store is changed first, and this once it has answered. */
export class FleetRows {
  readonly #reports = new Map<string, ReportRow>();
  readonly #works = new Map<string, WorkRow>();
  /** By {@link blockKey}. */
  readonly #blocks = new Map<string, BlockRow>();
  /** What waits to be handed out, in its order. */
  readonly #queue = new Set<ReportRow>();
  /** What was delivered, in the order in which it may be forgotten. */
  readonly #remembered = new Set<ReportRow>();
  /** The reports of each entry that several share. */
  readonly #shares = new Map<string, Set<ReportRow>>();
  readonly #lanes = new Map<string, number>();
  readonly #count = { queued: 0, parked: 0, dead: 0, delivered: 0 };
  #bytes = 0;

  /** Of what is undelivered. */
  get bytes(): number {
    return this.#bytes;
  }

  status(): OutboxStatus {
    const { queued, parked, dead } = this.#count;
    return { queued, parked, dead };
  }

  get(id: string): Readonly<ReportRow> | undefined {
    return this.#reports.get(id);
  }

  work(id: string): Readonly<WorkRow> | undefined {
    return this.#works.get(id);
  }

  addReport(report: OutboxReport, text: string, place: string, lane: string): void {
    const { id, amount } = report.entry;
    this.#takeReport({
      report,
      isGiven: true,
      entry: { id, amount },
      text,
      place,
      lane,
      bytes: text.length,
      state: "queued",
      reason: undefined,
      sending: false,
      isReleased: false,
      isFresh: false,
      forgetAt: never,
    });
  }

  addWork(work: OpenWork, text: string, place: string, lane: string): void {
    this.#works.set(work.id, { work, text, place, lane, isOrphan: false, isFresh: false });
    this.#enter(lane);
  }

  addBlock(block: NotedBlock, text: string, place: string, lane: string): void {
    this.#blocks.set(blockKey(block), { block, text, place, lane, isOwn: true, isFresh: false });
    this.#enter(lane);
  }

  block(block: Pick<NotedBlock, "account" | "process">): Readonly<BlockRow> | undefined {
    return this.#blocks.get(blockKey(block));
  }

  blocks(): readonly Readonly<BlockRow>[] {
    return [...this.#blocks.values()];
  }

  removeBlock(block: Pick<NotedBlock, "account" | "process">): void {
    const row = this.#blocks.get(blockKey(block));
    if (row === undefined) return;
    this.#blocks.delete(blockKey(block));
    this.#leave(row.lane);
  }

  /**
   * What another process, or an earlier life of this one, has left. `isFresh`: it may go out once {@link FleetRows.entered}.
   * Returns whether it is one that is here already, at another place.
   */
  load({ place, text, note }: StoredRow, lane: string, isFresh: boolean): boolean {
    const item = parseItem(text, note);
    if ("block" in item)
      return this.#loadBlock({ block: item.block, text, place, lane, isOwn: false, isFresh });
    const known = "work" in item ? this.#works.get(item.work.id) : this.#reports.get(item.report.id);
    if (known !== undefined) return known.place !== place;
    if ("work" in item) {
      this.#works.set(item.work.id, { work: item.work, text, place, lane, isOrphan: true, isFresh });
      this.#enter(lane);
      return false;
    }
    const { report } = item;
    const { state, reason, sending = false } = item.note;
    const row: ReportRow = {
      report,
      isGiven: false,
      entry: report.entry,
      text,
      place,
      lane,
      bytes: text.length,
      state,
      reason,
      sending,
      isReleased: !isFresh,
      isFresh,
      forgetAt: never,
    };
    this.#takeReport(row);
    if (state === "queued" && !isFresh) this.#queue.add(row);
    return false;
  }

  #loadBlock(row: BlockRow): boolean {
    const key = blockKey(row.block);
    const known = this.#blocks.get(key);
    if (known !== undefined) return known.place !== row.place;
    this.#blocks.set(key, row);
    this.#enter(row.lane);
    return false;
  }

  #takeReport(row: ReportRow): void {
    this.#reports.set(row.report.id, row);
    this.#enter(row.lane);
    this.#tally(row, 1);
    this.#share(row);
    if (row.state === "delivered") this.#remembered.add(row);
  }

  release(id: string): void {
    const row = this.#reports.get(id);
    if (row === undefined || row.isReleased) return;
    row.isReleased = true;
    this.#requeue(row);
  }

  releaseAll(): void {
    for (const [id, row] of this.#reports) {
      row.isFresh = false;
      this.release(id);
    }
    for (const row of [...this.#works.values(), ...this.#blocks.values()]) row.isFresh = false;
  }

  /** All that is fresh is in the ledger now. */
  entered(): void {
    for (const row of [...this.#reports.values(), ...this.#works.values(), ...this.#blocks.values()]) {
      if (!row.isFresh) continue;
      row.isFresh = false;
      if ("report" in row) this.release(row.report.id);
    }
  }

  /** Hands out at most `limit` reports. */
  take(limit: number): readonly OutboxReport[] {
    const taken: OutboxReport[] = [];
    for (const row of this.#queue) {
      if (taken.length >= limit) break;
      taken.push(row.report);
      this.#queue.delete(row);
    }
    return taken;
  }

  /** Behind the others. */
  requeue(id: string): void {
    const row = this.#reports.get(id);
    if (row?.isReleased) this.#requeue(row);
  }

  #requeue(row: ReportRow): void {
    if (row.state !== "queued") return;
    this.#queue.delete(row);
    this.#queue.add(row);
  }

  /** What the store has noted of the report. */
  note(id: string, { state, reason, sending = false, entry }: ReportNote): void {
    const row = this.#reports.get(id);
    if (row === undefined) return;
    this.#tally(row, -1);
    if (row.state === "parked" && state === "queued") row.isReleased = true;
    const wasQueued = row.state === "queued";
    row.state = state;
    row.reason = reason;
    row.sending = sending;
    this.#tally(row, 1);
    if (entry !== undefined) this.#setEntry(row, entry);
    if (state !== "queued") this.#queue.delete(row);
    else if (!wasQueued) this.#requeue(row);
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
    return [...(this.#shares.get(entryId) ?? [])];
  }

  parked(): readonly Readonly<ReportRow>[] {
    return [...this.#reports.values()].filter(({ state }) => state === "parked");
  }

  remove(id: string): void {
    const row = this.#reports.get(id);
    if (row === undefined) return;
    this.#reports.delete(id);
    this.#queue.delete(row);
    this.#remembered.delete(row);
    this.#unshare(row);
    this.#tally(row, -1);
    this.#leave(row.lane);
  }

  removeWork(id: string): void {
    const row = this.#works.get(id);
    if (row === undefined) return;
    this.#works.delete(id);
    this.#leave(row.lane);
  }

  /** All that waits for delivery, is set aside or remembered; with `fresh` only what is. */
  recovery(which: "all" | "fresh"): Pick<Recovery, "reports" | "works" | "sent"> {
    const isMeant = ({ isFresh }: Row) => which === "all" || isFresh;
    const rows = [...this.#reports.values()].filter(isMeant);
    const works = [...this.#works.values()].filter((row) => row.isOrphan && isMeant(row));
    return {
      reports: rows.map(recovered),
      works: works.map(({ work }) => work),
      sent: rows
        .filter(({ state, sending }) => state === "queued" && sending)
        .map(({ report, entry }) => ({ ...plainReport(report), entry })),
    };
  }

  /** Lanes other than `own` that have nothing in them any more. */
  emptyLanes(own: string): readonly string[] {
    return [...this.#lanes].filter(([lane, rows]) => rows === 0 && lane !== own).map(([lane]) => lane);
  }

  addLane(lane: string): void {
    if (!this.#lanes.has(lane)) this.#lanes.set(lane, 0);
  }

  removeLane(lane: string): void {
    this.#lanes.delete(lane);
  }

  get lanes(): readonly string[] {
    return [...this.#lanes.keys()];
  }

  /** Every row as the store must have it. */
  all(): readonly { readonly text: string; readonly note: string; readonly row: Row }[] {
    const reports = [...this.#reports.values()].map((row) => {
      const { text, state, reason, sending, entry } = row;
      return { text, note: packNote({ state, reason, sending, entry }), row };
    });
    const others = [...this.#works.values(), ...this.#blocks.values()];
    return [...reports, ...others.map((row) => ({ text: row.text, note: "", row }))];
  }

  /** Where the row stands now. */
  move(row: Row, place: string, lane: string): void {
    this.#leave(row.lane);
    row.place = place;
    row.lane = lane;
    this.#enter(lane);
  }

  /** Another process has it all: gives the ids of what was undelivered. */
  clear(): readonly string[] {
    const lost = [...this.#reports.values()].filter(({ state }) => state !== "delivered");
    this.#reports.clear();
    this.#works.clear();
    // Its ledger goes on with the blocks of this life.
    for (const [key, { isOwn }] of this.#blocks) if (!isOwn) this.#blocks.delete(key);
    this.#queue.clear();
    this.#remembered.clear();
    this.#shares.clear();
    this.#lanes.clear();
    Object.assign(this.#count, { queued: 0, parked: 0, dead: 0, delivered: 0 });
    this.#bytes = 0;
    return lost.map(({ report }) => report.id);
  }

  #tally({ state, bytes }: ReportRow, sign: 1 | -1): void {
    this.#count[state] += sign;
    if (state !== "delivered") this.#bytes += sign * bytes;
  }

  #setEntry(row: ReportRow, { id, amount }: OutboxEntry): void {
    this.#unshare(row);
    row.entry = { id, amount };
    if (!row.isGiven) row.report = { ...row.report, entry: row.entry };
    this.#share(row);
  }

  #share(row: ReportRow): void {
    const shares = this.#shares.get(row.entry.id);
    if (shares === undefined) this.#shares.set(row.entry.id, new Set([row]));
    else shares.add(row);
  }

  #unshare(row: ReportRow): void {
    const shares = this.#shares.get(row.entry.id);
    shares?.delete(row);
    if (shares?.size === 0) this.#shares.delete(row.entry.id);
  }

  #enter(lane: string): void {
    this.#lanes.set(lane, (this.#lanes.get(lane) ?? 0) + 1);
  }

  #leave(lane: string): void {
    const rows = this.#lanes.get(lane);
    if (rows !== undefined) this.#lanes.set(lane, rows - 1);
  }
}

function blockKey({ account, process }: Pick<NotedBlock, "account" | "process">): string {
  return JSON.stringify([account, process]);
}

function recovered({ report, entry, state }: ReportRow): RecoveredReport {
  const { id, customerId, currency } = report;
  return { id, customerId, currency, entry, delivered: state === "delivered" };
}

/** Without what a gate's own report carries beside it. */
function plainReport({
  id,
  customerId,
  agentId,
  indicator,
  rawUsage,
  currency,
}: OutboxReport): Omit<OutboxReport, "entry"> {
  return { id, customerId, agentId, indicator, rawUsage, currency };
}
