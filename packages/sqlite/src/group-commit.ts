import type { Awaitable } from "@creditgate/core";
import type { PatientDatabase } from "./database.ts";
import { OutboxError, outboxError } from "./outbox-error.ts";

interface GroupCommitOptions<Tools> {
  readonly database: PatientDatabase;
  readonly path: string;
  /** Makes what steps work with, before the first of them. */
  prepare(): Promise<Tools>;
  /** Runs in each transaction, after its steps. */
  last(tools: Tools): void;
  /** After a transaction that found the disk full: returns whether there is more room now, so that it is tried again. */
  makeRoom(): boolean;
}

interface Job<Tools> {
  readonly step: (tools: Tools) => unknown;
  /** It writes nothing, so that it can succeed where the others fail: on a full disk. */
  readonly reads: boolean;
  resolve(result: unknown): void;
  reject(error: OutboxError): void;
}

/** This number of steps runs before the event loop gets its turn. */
const stepsPerTurn = 32;
const stepsPerCommit = 1_024;

/**
 * Steps on one database, durable when their promise resolves. Those that come while a commit is being synced to the disk
 * share the next one: durability costs each a part of one fsync.
 */
export class GroupCommit<Tools> {
  readonly #options: GroupCommitOptions<Tools>;
  #tools: Tools | undefined;
  #waiting: Job<Tools>[] = [];
  #running: Promise<void> | undefined;
  #closed = false;
  #checkpoint = false;

  constructor(options: GroupCommitOptions<Tools>) {
    this.#options = options;
  }

  /** Rejects with an {@link OutboxError}, and then nothing of the step has been done. */
  run<T>(step: (tools: Tools) => Awaitable<T>): Promise<T> {
    return this.#add(step, false);
  }

  /** The same for a step that only reads: it does not fail with those that come together with it. */
  read<T>(step: (tools: Tools) => Awaitable<T>): Promise<T> {
    return this.#add(step, true);
  }

  #add<T>(step: (tools: Tools) => Awaitable<T>, reads: boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#closed)
        return reject(new OutboxError("closed", `outbox ${this.#options.path}: it has been closed`));
      this.#waiting.push({ step, reads, resolve: (result) => resolve(result as T), reject });
      this.#running ??= this.#drain();
    });
  }

  /** Moves all that the log holds into the file, once the steps that are under way have ended. */
  checkpoint(): void {
    this.#checkpoint = true;
    this.#running ??= this.#drain();
  }

  /** Resolves when what has been asked for is done; takes nothing more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #drain(): Promise<void> {
    // What comes in this turn of the loop comes along.
    await turn();
    while (this.#waiting.length > 0 || this.#checkpoint) {
      await this.#writeCheckpoint();
      await this.#commit(this.#waiting.splice(0, stepsPerCommit));
    }
    this.#running = undefined;
  }

  async #commit(jobs: readonly Job<Tools>[]): Promise<void> {
    const { database, path, prepare, last, makeRoom } = this.#options;
    if (jobs.length === 0) return;
    const results: unknown[] = [];
    try {
      this.#tools ??= await prepare();
      await database.exec("BEGIN IMMEDIATE");
      for (const { step } of jobs) {
        results.push(await step(this.#tools));
        if (results.length % stepsPerTurn === 0) await turn();
      }
      last(this.#tools);
      await database.exec("COMMIT");
    } catch (cause) {
      await this.#rollback();
      const error = outboxError(path, cause);
      if (error.code === "disk_full" && makeRoom()) return this.#commit(jobs);
      for (const job of jobs) {
        if (job.reads && this.#tools !== undefined) await this.#readAlone(job, this.#tools);
        else job.reject(error);
      }
      return;
    }
    for (const [at, { resolve }] of jobs.entries()) {
      resolve(results[at]);
      // Those that waited go on now, with work of their own.
      if (at % stepsPerTurn === stepsPerTurn - 1) await turn();
    }
  }

  async #writeCheckpoint(): Promise<void> {
    if (!this.#checkpoint) return;
    this.#checkpoint = false;
    try {
      await this.#options.database.exec("PRAGMA wal_checkpoint(FULL)");
    } catch {
      // SQLite writes another when the file is closed.
    }
  }

  async #readAlone({ step, resolve, reject }: Job<Tools>, tools: Tools): Promise<void> {
    try {
      resolve(await step(tools));
    } catch (cause) {
      reject(outboxError(this.#options.path, cause));
    }
  }

  async #rollback(): Promise<void> {
    try {
      await this.#options.database.exec("ROLLBACK");
    } catch {
      // SQLite has rolled back by itself, as it does when the disk is full.
    }
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
