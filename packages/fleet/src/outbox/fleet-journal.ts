import { FleetSession, type FleetSessionOptions, rowsPerStep } from "./fleet-session.ts";
import type { RowRequest } from "./outbox-store.ts";
import type { StepPlan } from "./step-plan.ts";

/** At most this many callers of one step are resumed in a turn. */
const changesPerTurn = 32;

/** A part of a change of the rows: first in the store, then in memory. */
export interface ChangePart {
  /** Adds to the plan what it changes, by what is in memory now. Asked again where the store has not done it. */
  plan(plan: StepPlan): void;
  /** The store has done it; the places are of the rows that it has added, in this lane. */
  done(places: readonly string[], lane: string): void;
}

export interface Change extends ChangePart {
  /** What it reads or writes in memory: it waits for the next step if another change of this one concerns an item of these. */
  items(): readonly string[] | "all";
}

interface Planned {
  readonly change: Change;
  resolve(): void;
  reject(error: unknown): void;
}

/** Something that must not come between a step and its answer. */
interface Alone {
  run(): Promise<void>;
  reject(error: unknown): void;
}

/** Sends the steps of one process to the store, one at a time: what comes meanwhile goes together in the next. */
export class FleetJournal {
  readonly #session: FleetSession;
  #waiting: (Planned | Alone)[] = [];
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: FleetSessionOptions) {
    this.#session = new FleetSession(options);
  }

  /** What is set for all processes. */
  get values(): Readonly<Record<string, string>> {
    return this.#session.values;
  }

  /** Whether no living process has begun this ledger. */
  isGone(ledger: string): boolean {
    return this.#session.isGone(ledger);
  }

  /** Ids of undelivered reports that another process has taken over since the last beat. */
  get lost(): readonly string[] {
    return this.#session.lost;
  }

  /** Whether the store has been read. */
  get isJoined(): boolean {
    return this.#session.isJoined;
  }

  /** Resolves when the store has done the change; rejects where that is not known, or certain not to be. */
  write(change: Change): Promise<void> {
    return new Promise((resolve, reject) => this.#add({ change, resolve: () => resolve(), reject }));
  }

  /** Resolves when the store has been read. */
  join(): Promise<void> {
    return this.#alone(async () => {});
  }

  /**
   * Sends a heartbeat, and reads the remainder of processes that are gone. Returns what was lost to another since the
   * last heartbeat.
   */
  heartbeat(): Promise<readonly string[]> {
    return this.#alone(async () => {
      await this.#session.heartbeat();
      return this.#session.takeLost();
    });
  }

  /** What operators ask for rows of this process; not given again. */
  takeRequests(): Promise<readonly RowRequest[]> {
    return this.#alone(() => this.#session.takeRequests());
  }

  /** Writes what is pending, and leaves undelivered reports to another process or the next one. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
    // Without it the others wait for `abandonMs`.
    await this.#session.leave().catch(() => {});
    await this.#session.close();
  }

  #alone<T>(run: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#add({ run: async () => resolve(await run()), reject });
    });
  }

  #add(job: Planned | Alone): void {
    if (this.#isClosed) {
      job.reject(this.#session.closedError());
      return;
    }
    this.#waiting.push(job);
    this.#running ??= this.#drain();
  }

  async #drain(): Promise<void> {
    // Lets what comes in the same turn go along.
    await this.#session.turn();
    while (this.#waiting.length > 0) {
      try {
        await this.#session.prepare();
      } catch (error) {
        for (const job of this.#waiting.splice(0)) job.reject(error);
        break;
      }
      const [first] = this.#waiting;
      if (first === undefined) break;
      if ("change" in first) await this.#send();
      else {
        this.#waiting.shift();
        await first.run().catch((error: unknown) => first.reject(error));
      }
    }
    this.#running = undefined;
  }

  /** One step with the next changes, in their order: up to one that must see in memory what another of them does, or a job that must be alone. */
  async #send(): Promise<void> {
    const plan = this.#session.plan();
    const parts: { readonly planned: Planned; readonly from: number; readonly to: number }[] = [];
    for (const job of this.#waiting) {
      if (!("change" in job) || parts.length === rowsPerStep || !plan.claim(job.change.items())) break;
      const from = plan.size;
      job.change.plan(plan);
      parts.push({ planned: job, from, to: plan.size });
    }
    const jobs = parts.map(({ planned }) => planned);
    this.#waiting.splice(0, jobs.length);
    const done = (places: readonly string[], lane: string) => {
      for (const { planned, from, to } of parts) {
        planned.change.done(places.slice(from, to), lane);
      }
    };
    try {
      const isDone = await this.#session.write(plan, done);
      if (!isDone) {
        this.#waiting.unshift(...jobs);
        return;
      }
      for (const [at, { resolve }] of jobs.entries()) {
        resolve();
        // What has waited goes on now, with work of its own.
        if (at % changesPerTurn === changesPerTurn - 1) await this.#session.turn();
      }
    } catch (error) {
      for (const { reject } of jobs) reject(error);
    }
  }
}
