import { type Clock, systemClock } from "../../values/clock.ts";
import { checkIdentifier, checkInteger, checkNames, checkShape } from "../../values/option.ts";
import type { BlockJournal, NotedBlock } from "../../wallet/ledger.ts";
import type {
  FleetRecovery,
  OpenWork,
  Outbox,
  OutboxEntry,
  OutboxFleet,
  OutboxReport,
  OutboxStatus,
  Recovery,
  SendingJournal,
  WorkJournal,
} from "../outbox.ts";
import { type Change, FleetJournal } from "./fleet-journal.ts";
import { FleetRows } from "./fleet-rows.ts";
import type { OutboxStore } from "./outbox-store.ts";
import { packBlock, packNote, packReport, packWork, type ReportNote } from "./stored-item.ts";

/** What the outboxes of all shared stores can be told. */
export interface FleetOutboxOptions {
  /**
   * A name that this process has, its successor has too, and no other has at the same time, such as that of a pod of a
   * StatefulSet: what the process before has left is taken over at once, not after `abandonMs`. @default none
   */
  readonly process?: string | undefined;
  /** Admission stops at so many undelivered reports of this process, parked and dead ones included; 1 to 10_000_000. @default 100_000 */
  readonly maxReports?: number;
  /** Admission stops when the undelivered reports of this process say so many bytes, which are in its memory too. @default 67_108_864 */
  readonly maxBytes?: number;
  /** A process that has been silent for so long is gone, and others take over what it has left; 1_000 to 86_400_000. @default 60_000 */
  readonly abandonMs?: number;
  /** Time, for tests: milliseconds that never step. @default that of the machine */
  readonly clock?: Pick<Clock, "now">;
}

/** An outbox that many processes share: each delivers its own, and what those leave that are gone. */
export interface FleetOutbox extends Outbox {
  recover(rememberMs: number): Promise<Recovery>;
  readonly works: WorkJournal;
  readonly sendings: SendingJournal;
  readonly blocks: BlockJournal;
  forget(ids: readonly string[]): Promise<void>;
  readonly fleet: OutboxFleet;
  /** Writes what is on its way, and lets others take over what is left, at once. After `gate.close()`. */
  close(): Promise<void>;
}

/** The names of {@link FleetOutboxOptions}, for `checkNames`. */
export const fleetOutboxOptionNames: Readonly<Record<keyof FleetOutboxOptions, true>> = {
  process: true,
  maxReports: true,
  maxBytes: true,
  abandonMs: true,
  clock: true,
};

/** An outbox for one gate over a store that other processes use too. Throws `invalid_option`. */
export function createFleetOutbox(store: OutboxStore, options: FleetOutboxOptions = {}): FleetOutbox {
  checkNames(options, fleetOutboxOptionNames);
  const { process, clock = systemClock } = options;
  checkShape("clock", clock, "a clock", ["now"]);
  return new StoredOutbox(store, {
    process: process === undefined ? undefined : checkIdentifier("process", process),
    maxReports: checkInteger("maxReports", options.maxReports ?? 100_000, 1, 10_000_000),
    maxBytes: checkInteger("maxBytes", options.maxBytes ?? 64 * 2 ** 20, 1, Number.MAX_SAFE_INTEGER),
    abandonMs: checkInteger("abandonMs", options.abandonMs ?? 60_000, 1_000, 86_400_000),
    clock,
  });
}

type Settings = Required<FleetOutboxOptions>;

/** So many beats fit into the time after which a silent process is gone. */
const beatsBeforeGone = 6;

class StoredOutbox implements FleetOutbox {
  readonly works: WorkJournal;
  readonly sendings: SendingJournal;
  readonly blocks: BlockJournal;
  readonly fleet: OutboxFleet;
  readonly #settings: Settings;
  readonly #rows: FleetRows = new FleetRows();
  readonly #journal: FleetJournal;
  /** The last append failed: admission stops until the store is known to be there. */
  #refused = false;
  /** Another process has them. */
  readonly #lost = new Set<string>();
  #closing: Promise<void> | undefined;

  constructor(store: OutboxStore, settings: Settings) {
    this.#settings = settings;
    const { process: name, abandonMs } = settings;
    this.#journal = new FleetJournal({ store, rows: this.#rows, name, abandonMs });
    this.works = { begin: (work) => this.#begin(work), end: (id) => this.#end(id) };
    this.sendings = {
      begin: (ids) => this.#setSending(ids, true),
      end: (ids) => this.#setSending(ids, false),
      keysHonoured: (service) =>
        this.#journal.write({ plan: (plan) => plan.set("keys_honoured_by", service), done() {} }),
    };
    this.blocks = {
      begin: (block) => this.#beginBlock(block),
      end: (account, processes) => this.#endBlocks(account, processes),
    };
    this.fleet = {
      beatMs: Math.floor(abandonMs / beatsBeforeGone),
      beat: (rememberMs) => this.#beat(rememberMs),
      entered: () => this.#rows.entered(),
    };
  }

  get full(): boolean {
    const { queued, parked, dead } = this.#rows.status();
    const { maxReports, maxBytes } = this.#settings;
    return this.#refused || queued + parked + dead >= maxReports || this.#rows.bytes >= maxBytes;
  }

  async append(reports: readonly OutboxReport[], workId?: string): Promise<void> {
    const since = Date.now();
    const packed = reports.map((report) => ({ report, text: packReport(report, since) }));
    let added: typeof packed = [];
    try {
      await this.#journal.write({
        plan: (plan) => {
          added = packed.filter(({ report: { id } }) => this.#rows.get(id) === undefined && plan.claim(id));
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
      this.#refused = false;
    } catch (error) {
      this.#refused = true;
      throw error;
    }
  }

  release(reports: readonly OutboxReport[]): void {
    for (const { id } of reports) this.#rows.release(id);
  }

  async next(limit: number): Promise<readonly OutboxReport[]> {
    if (!this.#journal.isJoined) await this.#journal.join();
    return this.#rows.take(limit);
  }

  delivered(
    reports: readonly OutboxReport[],
    rememberMs: number,
    lowered: readonly OutboxEntry[],
  ): Promise<void> {
    const { clock } = this.#settings;
    const forgetting = this.#forgetting();
    const change = this.#noting(() => {
      const notes = new Map<string, ReportNote>();
      for (const { id, entry } of reports) {
        if (this.#rows.get(id)?.state === "queued") notes.set(id, { state: "delivered", entry });
      }
      for (const entry of lowered) {
        for (const { report, state, reason, sending } of this.#rows.sharing(entry.id)) {
          const note = notes.get(report.id) ?? { state, reason, sending, entry };
          // One that is delivered now may have an entry of its own.
          notes.set(report.id, note.entry?.id === entry.id ? { ...note, entry } : note);
        }
      }
      return notes;
    });
    return this.#journal.write({
      plan: (plan) => {
        change.plan(plan);
        forgetting.plan(plan);
      },
      done: (places, lane) => {
        change.done(places, lane);
        for (const { id } of reports) this.#rows.remember(id, clock.now() + rememberMs);
        forgetting.done(places, lane);
      },
    });
  }

  async requeue(reports: readonly OutboxReport[]): Promise<void> {
    const sent = reports.filter(({ id }) => this.#rows.get(id)?.sending === true);
    if (sent.length > 0)
      await this.#setSending(
        sent.map(({ id }) => id),
        false,
      );
    for (const { id } of reports) this.#rows.requeue(id);
  }

  park({ id }: OutboxReport, reason: string): Promise<void> {
    return this.#setAside(id, "parked", reason);
  }

  bury({ id }: OutboxReport, reason: string): Promise<void> {
    return this.#setAside(id, "dead", reason);
  }

  unpark(): Promise<void> {
    return this.#journal.write(
      this.#noting(
        () =>
          new Map(this.#rows.parked().map(({ report, entry }) => [report.id, { state: "queued", entry }])),
      ),
    );
  }

  async status(): Promise<OutboxStatus> {
    // What is in memory is right while the store is away, but for what has not been read yet.
    if (!this.#journal.isJoined) await this.#journal.join().catch(() => {});
    return this.#rows.status();
  }

  async recover(rememberMs: number): Promise<Recovery> {
    if (!this.#journal.isJoined) await this.#journal.join();
    // Asked again, it gives the ledger what was appended since it was asked first.
    this.#rows.releaseAll();
    this.#rows.rememberAll("all", this.#settings.clock.now() + rememberMs);
    const { keys_honoured_by: keysHonouredBy } = this.#journal.values;
    return { ...this.#rows.recovery("all"), keysHonouredBy, blocks: this.#goneBlocks("all") };
  }

  forget(ids: readonly string[]): Promise<void> {
    const isDelivered = (id: string) => this.#rows.get(id)?.state === "delivered";
    return this.#journal.write(this.#dropping(() => ids.filter(isDelivered)));
  }

  close(): Promise<void> {
    this.#closing ??= this.#journal.close();
    return this.#closing;
  }

  async #beat(rememberMs: number): Promise<FleetRecovery> {
    await this.#journal.write(this.#forgetting());
    const lost = await this.#journal.beat();
    for (const id of lost) this.#lost.add(id);
    this.#refused = false;
    this.#rows.rememberAll("fresh", this.#settings.clock.now() + rememberMs);
    const { keys_honoured_by: keysHonouredBy } = this.#journal.values;
    return { ...this.#rows.recovery("fresh"), keysHonouredBy, blocks: this.#goneBlocks("fresh"), lost };
  }

  #begin(work: OpenWork): Promise<void> {
    const text = packWork(work, Date.now());
    return this.#journal.write({
      plan: (plan) => {
        if (this.#rows.work(work.id) === undefined && plan.claim(work.id)) plan.add(text);
      },
      done: ([place], lane) => {
        if (place !== undefined) this.#rows.addWork(work, text, place, lane);
      },
    });
  }

  #end(id: string): Promise<void> {
    return this.#journal.write({
      plan: (plan) => {
        const work = this.#rows.work(id);
        if (work !== undefined) plan.drop(work.place);
      },
      done: () => this.#rows.removeWork(id),
    });
  }

  /** Those that no living process can have. */
  #goneBlocks(which: "all" | "fresh"): readonly NotedBlock[] {
    const rows = this.#rows.blocks().filter(({ block, isOwn, isFresh }) => {
      return !isOwn && (isFresh || which === "all") && this.#journal.isGone(block.process);
    });
    return rows.map(({ block }) => block);
  }

  #beginBlock(block: NotedBlock): Promise<void> {
    const text = packBlock(block, Date.now());
    return this.#journal.write({
      plan: (plan) => {
        if (this.#rows.block(block) !== undefined || !plan.claim(text)) return;
        plan.add(text);
        plan.beginLedger(block.process);
      },
      done: ([place], lane) => {
        if (place !== undefined) this.#rows.addBlock(block, text, place, lane);
      },
    });
  }

  #endBlocks(account: string, processes: readonly string[]): Promise<void> {
    return this.#journal.write({
      plan: (plan) => {
        for (const process of processes) {
          const row = this.#rows.block({ account, process });
          if (row === undefined) continue;
          plan.drop(row.place);
          const isLast = this.#rows
            .blocks()
            .every((other) => other === row || other.block.process !== process);
          if (isLast) plan.endLedger(process);
        }
      },
      done: () => {
        for (const process of processes) this.#rows.removeBlock({ account, process });
      },
    });
  }

  async #setSending(ids: readonly string[], sending: boolean): Promise<void> {
    await this.#journal.write(
      this.#noting(() => {
        const notes = new Map<string, ReportNote>();
        for (const id of ids) {
          const row = this.#rows.get(id);
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
      this.#noting(() => {
        const row = this.#rows.get(id);
        const notes = new Map<string, ReportNote>();
        if (row?.state === "queued") notes.set(id, { state, reason, entry: row.entry });
        return notes;
      }),
    );
  }

  /** What has been remembered for long enough goes. */
  #forgetting(): Change {
    return this.#dropping(() => this.#rows.forgettable(this.#settings.clock.now()));
  }

  #dropping(find: () => readonly string[]): Change {
    let ids: readonly string[] = [];
    return {
      plan: (plan) => {
        ids = find();
        for (const id of ids) plan.drop(this.#rows.get(id)?.place ?? "");
      },
      done: () => {
        for (const id of ids) this.#rows.remove(id);
      },
    };
  }

  /** Changes what is known of reports. `draw` is asked by what is in memory then. */
  #noting(draw: () => ReadonlyMap<string, ReportNote>): Change {
    let notes: ReadonlyMap<string, ReportNote> = new Map();
    return {
      plan: (plan) => {
        notes = draw();
        for (const [id, note] of notes) plan.note(this.#rows.get(id)?.place ?? "", packNote(note));
      },
      done: () => {
        for (const [id, note] of notes) this.#rows.note(id, note);
      },
    };
  }
}
