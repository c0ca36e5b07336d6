import type { Outbox, OutboxReport, OutboxStatus } from "@creditgate/core";
import type {
  OpenWork,
  OutboxEntry,
  Recovery,
  ReservationJournal,
  SendingJournal,
  WorkJournal,
} from "@creditgate/core/adapter";
import { driverOf, type PatientDatabase } from "./database.ts";
import { FileIdentity } from "./file-identity.ts";
import { lockFile, type Unlock } from "./file-lock.ts";
import { FileQueue, type Placed } from "./file-queue.ts";
import { GroupCommit } from "./group-commit.ts";
import { outboxSettings, type SqliteOutboxOptions, type SqliteOutboxSettings } from "./options.ts";
import { outboxError, unlessFull } from "./outbox-error.ts";
import { writeOwner } from "./owner.ts";
import { createPrivately } from "./private-file.ts";
import { Reserve } from "./reserve.ts";
import { changes, row, rows } from "./row.ts";
import { checkIntegrity, migrate, openOutboxFile, state } from "./schema.ts";
import { prepareStatements, type Statements } from "./statements.ts";
import {
  notedReservation,
  openWork,
  packReport,
  placedNames,
  placedReport,
  recoveredReport,
  reportOf,
} from "./stored-report.ts";

/** An outbox in a file: what `append` has resolved for survives the process and, with `synchronous: "full"`, the machine. */
export interface SqliteOutbox extends Outbox {
  recover(rememberMs: number): Promise<Recovery>;
  readonly works: WorkJournal;
  readonly sendings: SendingJournal;
  readonly reservations: ReservationJournal;
  forget(ids: readonly string[]): Promise<void>;
  /** Writes what is on its way, and lets go of the file, once. After `gate.close()`. */
  close(): Promise<void>;
}

/**
 * Opens an outbox, for one gate. Throws an `OutboxError`: `invalid_option`, `locked` when another process owns the file, or
 * what is wrong with the file. Until it is closed, the file is this outbox's; the end of the process closes it.
 */
export function createSqliteOutbox(options: SqliteOutboxOptions): SqliteOutbox {
  return new FileOutbox(outboxSettings(options));
}

/** Reports that wait in memory, of those that this process was given. */
const mostLoaded = 1_000;
/** The remainder of an earlier process is read in parts, so that no request waits for long. */
const rowsPerRead = 10_000;

class FileOutbox implements SqliteOutbox {
  readonly works: WorkJournal;
  readonly sendings: SendingJournal;
  readonly reservations: ReservationJournal;
  readonly #settings: SqliteOutboxSettings;
  readonly #unlock: Unlock;
  readonly #file: FileIdentity;
  readonly #reserve: Reserve;
  readonly #database: PatientDatabase;
  readonly #commit: GroupCommit<Statements>;
  readonly #queue: FileQueue = new FileQueue(mostLoaded);
  /** Reports that are in the file and may not go out yet. */
  readonly #unreleased = new Map<string, Placed>();
  /** Ranges of the file whose queued reports are not in the queue yet, such as the remainder of an earlier process. */
  readonly #unread: { after: number; readonly before: number }[];
  /** What comes meanwhile: behind them. */
  #behind: Placed[] = [];
  #filling: Promise<void> | undefined;
  #tally: Tally;
  #nextPosition: number;
  /** Reports that the file has down as being sent. */
  readonly #sending = new Set<string>();
  #closing: Promise<void> | undefined;
  /** Until when what had been delivered is remembered, where a full disk did not let `recover` write it down. */
  #rememberUntil: number | undefined;
  /** The last append found no room: no other request is let in until one finds it. */
  #failing = false;

  constructor(settings: SqliteOutboxSettings) {
    this.#settings = settings;
    const { path, open, synchronous, clock } = settings;
    const driver = driverOf(open);
    this.#unlock = lockFile(driver, path);
    try {
      const { tally, nextPosition } = prepareFile(settings);
      this.#tally = tally;
      this.#nextPosition = nextPosition;
      this.#unread = [{ after: -1, before: nextPosition }];
      this.#file = new FileIdentity(path);
      this.#reserve = new Reserve(path, clock);
      this.#database = driver.openPatient(path);
    } catch (error) {
      this.#unlock();
      throw outboxError(path, error);
    }
    const [database, file, reserve] = [this.#database, this.#file, this.#reserve];
    this.#commit = new GroupCommit({
      database,
      path,
      async prepare() {
        await database.exec(`PRAGMA busy_timeout = 5000; PRAGMA synchronous = ${synchronous}`);
        const statements = await prepareStatements(database);
        file.noteBesides();
        void reserve.fill();
        return statements;
      },
      makeRoom: () => reserve.release(),
      last: (statements) => {
        this.#tally = tallyOf(statements.tally.get());
      },
    });
    this.works = {
      begin: (work) => this.#begin(work),
      end: (id) => this.#commit.run(({ end }) => void end.run(id)),
    };
    this.sendings = {
      begin: (ids) => this.#beginSending(ids),
      end: (ids) => this.#endSending(ids),
      keysHonoured: (service) =>
        this.#commit.run(({ writeKeysHonoured }) => void writeKeysHonoured.run(service)),
    };
    this.reservations = {
      begin: async ({ account, process, service, customerId, currency }) => {
        this.#checkFiles();
        const values = [account, process, service, customerId, currency];
        await this.#commit.run(({ beginReservation }) => void beginReservation.run(...values));
      },
      end: (account, processes) =>
        this.#commit.run(({ endReservation }) => {
          for (const process of processes) endReservation.run(account, process);
        }),
    };
  }

  get full(): boolean {
    const { queued, parked, bytes, deadBytes } = this.#tally;
    const { maxReports, maxBytes } = this.#settings;
    return queued + parked >= maxReports || bytes - deadBytes >= maxBytes;
  }

  get fullOfDead(): boolean {
    const { dead, deadBytes } = this.#tally;
    const { maxReports, maxBytes } = this.#settings;
    return dead >= maxReports || deadBytes >= maxBytes;
  }

  get failing(): boolean {
    // Requests are refused for lack of space: they are what finds that there is some again.
    if (this.#reserve.spent) void this.#reserve.fill();
    return this.#failing || this.#reserve.spent;
  }

  async append(reports: readonly OutboxReport[], workId?: string): Promise<void> {
    const storedAt = Date.now();
    const packed = reports.map((report) => ({ report, values: packReport(report, storedAt) }));
    const placed: string[] = [];
    try {
      this.#checkFiles();
      await this.#commit.run((statements) => {
        if (workId !== undefined) statements.end.run(workId);
        for (const { report, values } of packed) {
          const position = this.#nextPosition++;
          if (changes(statements.insert.run(position, ...values)) === 0) continue;
          this.#unreleased.set(report.id, { position, report });
          placed.push(report.id);
        }
      });
      if (this.#reserve.spent) await this.#reserve.fill();
      this.#failing = false;
    } catch (error) {
      for (const id of placed) this.#unreleased.delete(id);
      this.#failing = true;
      throw error;
    }
  }

  release(reports: readonly OutboxReport[]): void {
    for (const report of reports) {
      const placed = this.#unreleased.get(report.id);
      // One that was there already has been released before.
      if (placed === undefined) continue;
      this.#unreleased.delete(report.id);
      this.#enqueue({ ...placed, report });
    }
  }

  async next(limit: number): Promise<readonly OutboxReport[]> {
    if (this.#unread.length > 0) await this.#fill();
    return this.#queue.take(limit, (positions) =>
      this.#commit.read(async ({ next }) =>
        rows(await next.all(JSON.stringify(positions))).map(placedReport),
      ),
    );
  }

  async delivered(
    reports: readonly OutboxReport[],
    rememberMs: number,
    lowered: readonly OutboxEntry[],
  ): Promise<void> {
    await this.#commit.run(({ rememberAnew, deliver, lowerFirst, lowerOthers, forget }) => {
      const now = this.#settings.clock.now();
      // Else `forget` goes by times that the clock of an earlier process has set.
      if (this.#rememberUntil !== undefined) rememberAnew.run(this.#rememberUntil);
      for (const { id, entry } of reports) deliver.run(now + rememberMs, entry.id, entry.amount, id);
      for (const { id, amount } of lowered) {
        lowerFirst.run(amount, id, id);
        lowerOthers.run(amount, id);
      }
      forget.run(now);
    });
    this.#rememberUntil = undefined;
    for (const { id } of reports) this.#sending.delete(id);
  }

  async forget(ids: readonly string[]): Promise<void> {
    await this.#commit.run(({ forgetNow }) => {
      for (const id of ids) forgetNow.run(id);
    });
  }

  async requeue(reports: readonly OutboxReport[]): Promise<void> {
    await this.#endSending(reports.map(({ id }) => id));
    for (const report of reports) this.#queue.requeue(report);
  }

  async park({ id }: OutboxReport, reason: string): Promise<void> {
    await this.#setAside(id, state.parked, reason);
  }

  async bury({ id }: OutboxReport, reason: string): Promise<void> {
    await this.#setAside(id, state.dead, reason);
  }

  async unpark(): Promise<void> {
    const range = await this.#commit.run(({ firstParked, unpark }) => {
      const parked = row(firstParked.get());
      if (typeof parked.first !== "number" || typeof parked.last !== "number") return undefined;
      const shift = this.#nextPosition - parked.first;
      unpark.run(shift);
      const after = this.#nextPosition - 1;
      this.#nextPosition = parked.last + shift + 1;
      return { after, before: this.#nextPosition };
    });
    if (range !== undefined) this.#unread.push(range);
  }

  async retry(ids: readonly string[]): Promise<readonly OutboxReport[]> {
    const found = await this.#commit.run(({ aside, retry }) => {
      const retried: Placed[] = [];
      for (const id of ids) {
        const stored = row(aside.get(id));
        if (stored.id === undefined) continue;
        const position = this.#nextPosition++;
        retry.run(position, id);
        retried.push({ position, report: reportOf(stored) });
      }
      return retried;
    });
    for (const placed of found) this.#enqueue(placed);
    return found.map(({ report }) => report);
  }

  async status(): Promise<OutboxStatus> {
    const { queued, parked, dead } = this.#tally;
    return { queued, parked, dead };
  }

  async recover(rememberMs: number): Promise<Recovery> {
    // Asked again, it gives the ledger what was appended since it was asked first.
    for (const placed of this.#unreleased.values()) this.#enqueue(placed);
    this.#unreleased.clear();
    const until = this.#settings.clock.now() + rememberMs;
    const write = this.#commit.run(({ rememberAnew, orphan }) => {
      rememberAnew.run(until);
      orphan.run();
    });
    await write.catch((error: unknown) => {
      this.#rememberUntil = until;
      return unlessFull(error);
    });
    return this.#commit.read(async (statements) => {
      const sent = rows(await statements.sent.all()).map(reportOf);
      for (const { id } of sent) this.#sending.add(id);
      const keysHonouredBy = row(await statements.keysHonoured.get()).value;
      return {
        reports: rows(await statements.remembered.all()).map(recoveredReport),
        works: rows(await statements.works.all()).map(openWork),
        reservations: rows(await statements.reservations.all()).map(notedReservation),
        sent,
        keysHonouredBy: typeof keysHonouredBy === "string" ? keysHonouredBy : undefined,
      };
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#commit.close();
    await this.#reserve.close();
    this.#database.close();
    this.#unlock();
  }

  async #begin({ id, customerId, currency, agentId, indicator, hold }: OpenWork): Promise<void> {
    this.#checkFiles();
    const values = [id, customerId, currency, agentId, indicator, hold, Date.now()];
    await this.#commit.run(({ begin }) => void begin.run(...values));
  }

  /** Rejects what would be lost with the process; what an unlinked log holds is brought into the file first. */
  #checkFiles(): void {
    try {
      this.#file.check();
    } catch (error) {
      this.#commit.checkpoint();
      throw error;
    }
  }

  async #beginSending(ids: readonly string[]): Promise<void> {
    await this.#commit.run(({ send }) => {
      for (const id of ids) send.run(id);
    });
    for (const id of ids) this.#sending.add(id);
  }

  async #endSending(ids: readonly string[]): Promise<void> {
    const sent = ids.filter((id) => this.#sending.has(id));
    if (sent.length === 0) return;
    await this.#commit.run(({ unsend }) => {
      for (const id of sent) unsend.run(id);
    });
    for (const id of sent) this.#sending.delete(id);
  }

  #enqueue(placed: Placed): void {
    if (this.#unread.length > 0) this.#behind.push(placed);
    else this.#queue.add(placed);
  }

  /** Once: two would find the same rows. */
  #fill(): Promise<void> {
    this.#filling ??= this.#readRanges().finally(() => {
      this.#filling = undefined;
    });
    return this.#filling;
  }

  async #readRanges(): Promise<void> {
    for (let [range] = this.#unread; range !== undefined; [range] = this.#unread) {
      const { after, before } = range;
      const found = await this.#commit.read(async ({ between }) =>
        rows(await between.all(after, before, rowsPerRead)).map(placedNames),
      );
      for (const one of found) this.#queue.addUnread(one);
      range.after = found.at(-1)?.position ?? before;
      if (found.length < rowsPerRead) this.#unread.shift();
    }
    for (const placed of this.#behind.splice(0)) this.#queue.add(placed);
  }

  async #setAside(id: string, to: number, reason: string): Promise<void> {
    await this.#commit.run(({ setAside }) => setAside.run(to, reason, id));
    this.#queue.delete(id);
    this.#sending.delete(id);
  }
}

/** Sees to it that there is an outbox of the present version in the file, and counts what is in it. */
function prepareFile({ path, open }: SqliteOutboxSettings) {
  createPrivately(path);
  const database = openOutboxFile(driverOf(open), path);
  try {
    migrate(database, path);
    checkIntegrity(database, path);
    try {
      // What was delivered is forgotten by the clock of a process that has ended: by recover(), or not at all.
      database.exec("UPDATE report SET forget_at = NULL WHERE state = 3");
      writeOwner(database);
    } catch (error) {
      // What is in the file can still be read, and sent.
      unlessFull(error);
    }
    const end = row(database.prepare("SELECT max(position) AS last FROM report").get()).last;
    return {
      tally: tallyOf(database.prepare("SELECT queued, parked, dead, bytes, dead_bytes FROM tally").get()),
      nextPosition: typeof end === "number" ? end + 1 : 0,
    };
  } finally {
    database.close();
  }
}

/** How many reports are where, and the bytes of all that are undelivered and of those that are dead. */
interface Tally extends OutboxStatus {
  readonly bytes: number;
  readonly deadBytes: number;
}

function tallyOf(answer: unknown): Tally {
  const { queued, parked, dead, bytes, dead_bytes } = row(answer);
  return {
    queued: Number(queued),
    parked: Number(parked),
    dead: Number(dead),
    bytes: Number(bytes),
    deadBytes: Number(dead_bytes),
  };
}
