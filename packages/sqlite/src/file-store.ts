import process from "node:process";
import type {
  ListedRow,
  OutboxHeartbeat,
  OutboxHeartbeatResult,
  OutboxStep,
  OutboxStore,
  OutboxWritten,
  RowRequest,
  StoredRow,
} from "@creditgate/fleet";
import {
  type DatabaseDriver,
  driverOf,
  type PatientDatabase,
  rows,
  type SqliteStatement,
} from "./database.ts";
import { FileIdentity } from "./file-identity.ts";
import { lockFile, type Unlock } from "./file-lock.ts";
import type { SqliteOutboxSettings } from "./options.ts";
import { OutboxError, outboxError } from "./outbox-error.ts";
import { Reserve } from "./reserve.ts";
import { listFile, prepareFile } from "./schema.ts";
import { packStep, parseStep, StepLog } from "./step-log.ts";

/** What the file had when it was opened. */
const earlierLane = "earlier";
const rowsPerPage = 1_000;
const stepsPerRead = 64;
/** The ids of ledgers stand among the values of the file. */
const ledgerPrefix = "ledger ";

/** The store of one process, in a file: what the process does at once is one row of it, in one commit. */
export class FileStore implements OutboxStore {
  readonly rollsBack = true;
  readonly #settings: SqliteOutboxSettings;
  readonly #unlock: Unlock;
  readonly #file: FileIdentity;
  readonly #reserve: Reserve;
  readonly #database: PatientDatabase;
  /** Collected before the database is closed, one waits on the event loop for the commit that is under way. */
  readonly #statements: SqliteStatement[] = [];
  #log = new StepLog();
  /** What has been read and not been given yet. */
  #earlier: readonly StoredRow[] = [];
  #given = 0;
  #requests: readonly RowRequest[] = [];
  readonly #values = new Map<string, string>();
  /** Why the last rows were not taken. */
  #refusal: OutboxError | undefined;

  /** Throws an `OutboxError`. */
  constructor(settings: SqliteOutboxSettings) {
    this.#settings = settings;
    const { path, open, clock } = settings;
    const driver = driverOf(open);
    this.#unlock = lockFile(driver, path);
    try {
      this.#reserve = new Reserve(path, clock);
      this.#prepareFile(driver);
      this.#file = new FileIdentity(path);
      this.#database = driver.openPatient(path);
    } catch (error) {
      this.#unlock();
      throw outboxError(path, error);
    }
  }

  get short(): boolean {
    // Requests are refused for lack of space: they are what finds that there is some again.
    if (this.#reserve.spent) void this.#reserve.fill();
    return this.#reserve.spent;
  }

  async heartbeat({ process, joining }: OutboxHeartbeat): Promise<OutboxHeartbeatResult> {
    if (joining) await this.#join();
    if (this.#refusal !== undefined) throw this.#refusal;
    const ledgers = [...this.#values.keys()].flatMap((name) =>
      name.startsWith(ledgerPrefix) ? [name.slice(ledgerPrefix.length)] : [],
    );
    return {
      status: "ok",
      lanes: [process, earlierLane],
      ledgers,
      values: Object.fromEntries(this.#values),
    };
  }

  turn(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  async write(step: OutboxStep): Promise<OutboxWritten> {
    const addsRows = step.added.length > 0;
    try {
      if (addsRows) await this.#checkFiles();
      const places = await this.#write(step);
      if (addsRows) {
        this.#file.noteLog();
        this.#refusal = undefined;
      }
      return { status: "ok", places };
    } catch (cause) {
      const error = outboxError(this.#settings.path, cause);
      if (addsRows) this.#refusal = error;
      throw error;
    }
  }

  async read(_process: string, _lane: string, after: string | undefined): Promise<readonly StoredRow[]> {
    // A turn for each page, so that no request waits for long.
    await this.turn();
    if (after === undefined) this.#given = 0;
    const page = this.#earlier.slice(this.#given, this.#given + rowsPerPage);
    this.#given += page.length;
    if (page.length === 0) this.#earlier = [];
    return page;
  }

  async takeRequests(): Promise<readonly RowRequest[]> {
    const requests = this.#requests;
    this.#requests = [];
    return requests;
  }

  async list(after: string | undefined): Promise<readonly ListedRow[]> {
    return after === undefined ? listFile(this.#settings.path) : [];
  }

  async request(requests: readonly RowRequest[]): Promise<void> {
    this.#requests = requests;
  }

  /** Does all that `run` writes, or nothing of it. */
  async atOnce(run: () => Promise<void>): Promise<void> {
    // On a full disk the end of it would undo it all, and leave nothing to repeat.
    this.#reserve.release();
    try {
      await this.#database.exec("BEGIN IMMEDIATE");
      await run();
      await this.#database.exec("COMMIT");
    } catch (error) {
      await this.#try("ROLLBACK");
      throw outboxError(this.#settings.path, error);
    }
  }

  damaged({ place }: StoredRow, cause: unknown): void {
    const why = `the row ${place} is damaged, is not delivered and stays in the file: creditgate-outbox list shows it`;
    process.emitWarning(new OutboxError("corrupt", `outbox ${this.#settings.path}: ${why}`, cause));
  }

  closedError(): OutboxError {
    return new OutboxError("unavailable", `outbox ${this.#settings.path}: it has been closed`);
  }

  async close(): Promise<void> {
    await this.#reserve.close();
    this.#database.close();
    this.#unlock();
  }

  #prepareFile(driver: DatabaseDriver): void {
    const { path } = this.#settings;
    try {
      prepareFile(driver, path);
    } catch (error) {
      // A full disk may have no room for the files that SQLite makes beside it, which it calls a failure of the disk.
      if (outboxError(path, error).code !== "unavailable" || !this.#reserve.release()) throw error;
      prepareFile(driver, path);
    }
  }

  async #join(): Promise<void> {
    const { path, synchronous } = this.#settings;
    try {
      await this.#database.exec(`PRAGMA busy_timeout = 5000; PRAGMA synchronous = ${synchronous}`);
      const values = await this.#prepare("SELECT name, value FROM meta");
      for (const { name, value } of rows(await values.all())) this.#values.set(String(name), String(value));
      this.#log = await this.#readLog();
      this.#earlier = this.#log.rows();
      this.#file.noteBesides();
      void this.#reserve.fill();
    } catch (cause) {
      throw outboxError(path, cause);
    }
  }

  async #write({ added, noted, dropped, ...step }: OutboxStep): Promise<readonly string[]> {
    const id = this.#log.next;
    const rows = added.map(({ text, note }, index) => ({ place: `${id}.${index}`, text, note }));
    const { until, moved = [] } = this.#log.sweep() ?? {};
    const logged = { added: [...moved, ...rows], noted, dropped };
    const body = packStep(logged);
    const values = valuesOf(step);
    const statements = [
      ...[...values].map(([name, value]) =>
        value === undefined
          ? `DELETE FROM meta WHERE name = ${quoted(name)}`
          : `INSERT OR REPLACE INTO meta VALUES (${quoted(name)}, ${quoted(value)})`,
      ),
      ...(body === "" ? [] : [`INSERT INTO step VALUES (${id}, ${quoted(body)})`]),
      ...(until === undefined ? [] : [`DELETE FROM step WHERE id <= ${until}`]),
    ];
    if (statements.length > 0) await this.#commit(statements);
    if (body !== "") this.#log.apply(id, logged);
    if (until !== undefined) this.#log.forget(until);
    for (const [name, value] of values)
      if (value === undefined) this.#values.delete(name);
      else this.#values.set(name, value);
    if (this.#reserve.spent) await this.#reserve.fill();
    return rows.map(({ place }) => place);
  }

  async #commit(statements: readonly string[]): Promise<void> {
    const [first = "", ...more] = statements;
    try {
      // One statement is a transaction of its own.
      if (more.length === 0) return void (await this.#database.exec(first));
      await this.#database.exec(`SAVEPOINT step; ${statements.join("; ")}; RELEASE step`);
    } catch (cause) {
      // SQLite may have rolled back by itself, as it does when the disk is full.
      if (more.length > 0) await this.#try("ROLLBACK TO step; RELEASE step");
      const error = outboxError(this.#settings.path, cause);
      if (error.code !== "disk_full" || !this.#reserve.release()) throw error;
      await this.#commit(statements);
    }
  }

  /** Rejects what would be lost with the process; what an unlinked log holds is brought into the file first. */
  async #checkFiles(): Promise<void> {
    try {
      this.#file.check();
    } catch (error) {
      // SQLite writes another when the file is closed.
      await this.#try("PRAGMA wal_checkpoint(FULL)");
      throw error;
    }
  }

  async #try(sql: string): Promise<void> {
    try {
      await this.#database.exec(sql);
    } catch {
      // It need not succeed.
    }
  }

  async #prepare(sql: string): Promise<SqliteStatement> {
    const statement = await this.#database.prepare(sql);
    this.#statements.push(statement);
    return statement;
  }

  async #readLog(): Promise<StepLog> {
    const log = new StepLog();
    const statement = await this.#prepare("SELECT id, body FROM step WHERE id >= ? ORDER BY id LIMIT ?");
    for (;;) {
      const found = rows(await statement.all(log.next, stepsPerRead));
      for (const { id, body } of found) log.apply(Number(id), parseStep(String(body)));
      if (found.length < stepsPerRead) return log;
    }
  }
}

/** What changes among the values of the file; `undefined` for what goes. */
function valuesOf({
  set,
  begunLedgers,
  endedLedgers,
}: Pick<OutboxStep, "set" | "begunLedgers" | "endedLedgers">): ReadonlyMap<string, string | undefined> {
  return new Map([
    ...Object.entries(set),
    ...begunLedgers.map((id): [string, string] => [ledgerPrefix + id, ""]),
    ...endedLedgers.map((id): [string, undefined] => [ledgerPrefix + id, undefined]),
  ]);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
