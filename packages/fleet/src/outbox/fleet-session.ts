import type { FleetRows } from "./fleet-rows.ts";
import type {
  OutboxHeartbeatResult,
  OutboxStep,
  OutboxStore,
  OutboxWritten,
  RowRequest,
  StoredRow,
} from "./outbox-store.ts";
import type { Row } from "./report-rows.ts";
import { StepPlan } from "./step-plan.ts";

/** What is done in memory once the store has done a step: the places are of the rows that it has added, in this lane. */
export type StepDone = (places: readonly string[], lane: string) => void;

/** Everything that memory has, on its way into a store that has lost it. */
interface Rewriting {
  readonly rows: readonly { readonly text: string; readonly note: string; readonly row: Row }[];
  next: number;
}

export interface FleetSessionOptions {
  readonly store: OutboxStore;
  readonly rows: FleetRows;
  /** `undefined`: no other process, and no later one, has the same. */
  readonly name: string | undefined;
  readonly abandonMs: number;
}

/** The most rows that one step adds, and the most changes that it makes. */
export const rowsPerStep = 1_000;

/**
 * What one process is to the store: its life, the number of its last step, the lanes that it has read. A step without an answer is
 * repeated before anything else. A store that has lost its memory gets everything anew. It does one thing at a time.
 */
export class FleetSession {
  readonly #store: OutboxStore;
  readonly #rows: FleetRows;
  readonly #abandonMs: number;
  #name: string;
  #life: string = crypto.randomUUID();
  #seq = 0;
  #isJoined = false;
  #rewriting: Rewriting | undefined;
  #unanswered: { readonly step: OutboxStep; readonly done: StepDone } | undefined;
  #values: Readonly<Record<string, string>> = {};
  /** The ledgers of the lanes whose processes are gone: no other process has begun them. */
  #goneLedgers: ReadonlySet<string> = new Set();
  /** All lanes that this process has ever had, and has read. */
  readonly #lanes = new Set<string>();
  /** Copies in the store of what another row has. */
  readonly #surplus = new Set<string>();
  /** Ids of undelivered reports that another process has taken over. */
  #lost: readonly string[] = [];

  constructor({ store, rows, name, abandonMs }: FleetSessionOptions) {
    this.#store = store;
    this.#rows = rows;
    this.#name = name ?? this.#life;
    this.#abandonMs = abandonMs;
  }

  get values(): Readonly<Record<string, string>> {
    return this.#values;
  }

  /** Whether no living process has begun this ledger. */
  isGone(ledger: string): boolean {
    return this.#goneLedgers.has(ledger);
  }

  get lost(): readonly string[] {
    return this.#lost;
  }

  /** What has been lost to another process since this was asked last. */
  takeLost(): readonly string[] {
    const lost = this.#lost;
    this.#lost = [];
    return lost;
  }

  /** Whether the store has been read. */
  get isJoined(): boolean {
    return this.#isJoined;
  }

  /** The store is read, and what it had not answered is done. */
  async prepare(): Promise<void> {
    await this.#join();
    const sent = this.#unanswered;
    if (sent === undefined) return;
    const written = await this.#store.write(sent.step);
    this.#unanswered = undefined;
    if (written.status === "ok") this.#finish(sent.step, sent.done, written);
    else {
      // Its callers have received the failure.
      this.#beginAnew(written.status);
      await this.#join();
    }
  }

  /** For the next step: without what stands in the store twice. */
  plan(): StepPlan {
    const plan = new StepPlan();
    for (const place of this.#surplus) plan.drop(place);
    return plan;
  }

  /**
   * Does the step, and then `done`. Resolves with `false` where the store has not done it, since it does not know the process any
   * more; rejects where that is not known.
   */
  async write(plan: StepPlan, done: StepDone): Promise<boolean> {
    if (plan.isEmpty) {
      done([], this.#life);
      return true;
    }
    const step = this.#stepOf(plan);
    let written: OutboxWritten;
    try {
      written = await this.#store.write(step);
    } catch (error) {
      if (this.#store.rollsBack !== true) this.#unanswered = { step, done };
      throw error;
    }
    if (written.status === "ok") this.#finish(step, done, written);
    else this.#beginAnew(written.status);
    return written.status === "ok";
  }

  /** Sends a heartbeat, and reads the remainder of processes that are gone. */
  async heartbeat(): Promise<void> {
    const result = await this.#sendHeartbeat({});
    if (result.status !== "ok") {
      this.#beginAnew(result.status);
      return this.#join();
    }
    await this.#load(result, true);
    await this.#endEmptyLanes();
  }

  /** What operators ask for rows of this process: none while some are not in its ledger yet, for what is taken is not given again. */
  async takeRequests(): Promise<readonly RowRequest[]> {
    return this.#rows.hasFresh ? [] : this.#store.takeRequests(this.#life);
  }

  /** Leaves what is undelivered to the others, or the next. */
  async leave(): Promise<void> {
    if (this.#isJoined) await this.#sendHeartbeat({ leaving: true });
  }

  /** The event loop goes on meanwhile, where the store sees to it. */
  async turn(): Promise<void> {
    await this.#store.turn?.();
  }

  async close(): Promise<void> {
    await this.#store.close?.();
  }

  closedError(): Error {
    return this.#store.closedError?.() ?? new Error("the outbox has been closed");
  }

  #stepOf(plan: StepPlan): OutboxStep {
    return plan.toStep(this.#life, this.#seq + 1, (ledger) => this.#rows.reservationsOf(ledger));
  }

  #finish(step: OutboxStep, done: StepDone, { places }: OutboxWritten): void {
    this.#seq = step.seq;
    for (const place of step.dropped) this.#surplus.delete(place);
    done(places, this.#life);
  }

  /** The process joins again. Where another has its lanes, with nothing of what it had. */
  #beginAnew(status: "behind" | "taken"): void {
    if (status === "taken") {
      this.#lost = [...this.#lost, ...this.#rows.clear()];
      this.#surplus.clear();
      // By the same name it would take back what another process delivers now.
      this.#name = crypto.randomUUID();
    }
    this.#life = crypto.randomUUID();
    this.#seq = 0;
    this.#isJoined = false;
    this.#rewriting = { rows: this.#rows.all(), next: 0 };
  }

  async #join(): Promise<void> {
    if (this.#isJoined) return;
    const result = await this.#sendHeartbeat({ joining: true });
    if (result.status !== "ok") {
      this.#beginAnew(result.status);
      throw new Error("the outbox has been joined too slowly: it is tried again");
    }
    this.#lanes.add(this.#life);
    const isFirst = this.#rewriting === undefined;
    if (this.#rewriting !== undefined) await this.#rewrite(this.#rewriting, result.lanes);
    await this.#load(result, !isFirst);
    this.#isJoined = true;
  }

  #sendHeartbeat({ joining = false, leaving = false }): Promise<OutboxHeartbeatResult> {
    const seq = this.#rewriting === undefined && joining ? 0 : this.#seq;
    return this.#store.heartbeat({
      process: this.#life,
      name: this.#name,
      seq,
      joining,
      leaving,
      abandonMs: this.#abandonMs,
    });
  }

  /** What stands in lanes that have become this process's own. */
  async #load({ lanes, ledgers, values }: OutboxHeartbeatResult, isFresh: boolean): Promise<void> {
    this.#values = values;
    for (const lane of lanes) {
      if (this.#lanes.has(lane)) continue;
      let after: string | undefined;
      for (;;) {
        const page = await this.#store.read(this.#life, lane, after);
        for (const row of page) this.#loadRow(row, lane, isFresh);
        after = page.at(-1)?.place;
        if (after === undefined) break;
      }
      this.#lanes.add(lane);
      this.#rows.lanes.add(lane);
    }
    this.#goneLedgers = new Set(ledgers);
  }

  #loadRow(row: StoredRow, lane: string, isFresh: boolean): void {
    try {
      if (this.#rows.load(row, lane, isFresh)) this.#surplus.add(row.place);
    } catch (cause) {
      if (this.#store.damaged === undefined) throw cause;
      this.#store.damaged(row, cause);
    }
  }

  async #endEmptyLanes(): Promise<void> {
    const lanes = this.#rows.lanes.empty(this.#life);
    const plan = new StepPlan();
    for (const lane of lanes) plan.endLane(lane);
    await this.write(plan, () => {
      for (const lane of lanes) this.#rows.lanes.remove(lane);
    });
  }

  /** Everything that is in memory, in a lane of its own; the lanes from before end with the last of it. */
  async #rewrite(rewriting: Rewriting, lanes: readonly string[]): Promise<void> {
    const { rows } = rewriting;
    do {
      const part = rows.slice(rewriting.next, rewriting.next + rowsPerStep);
      const isLast = rewriting.next + part.length >= rows.length;
      const plan = new StepPlan();
      for (const { text, note } of part) plan.add(text, note);
      for (const { reservation } of this.#rows.reservations()) plan.changeLedger(reservation.process, 0);
      // Not before: until then they have what is not written anew yet.
      for (const lane of isLast ? lanes : [])
        if (this.#lanes.has(lane) && lane !== this.#life) plan.endLane(lane);
      const added = await this.#store.write(this.#stepOf(plan));
      if (added.status !== "ok") {
        this.#beginAnew(added.status);
        throw new Error("the outbox lost its memory while it was written anew: it is tried again");
      }
      this.#seq++;
      for (const [index, { row }] of part.entries()) {
        const place = added.places[index];
        if (place !== undefined) this.#rows.move(row, place, this.#life);
      }
      rewriting.next += part.length;
    } while (rewriting.next < rows.length);
    for (const lane of this.#rows.lanes.all) if (lane !== this.#life) this.#rows.lanes.remove(lane);
    this.#rewriting = undefined;
  }
}
