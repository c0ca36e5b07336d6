import type { FleetRows } from "./fleet-rows.ts";
import type { OutboxBeaten, OutboxStep, OutboxStore, OutboxWritten } from "./outbox-store.ts";
import { StepPlan } from "./step-plan.ts";

/** A change of the rows: first in the store, then in memory. */
export interface Change {
  /** Adds to the plan what it changes, by what is in memory now. Asked again where the store has not done it. */
  plan(plan: StepPlan): void;
  /** The store has done it; the places are of the rows that it has added, in this lane. */
  done(places: readonly string[], lane: string): void;
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

interface Sent {
  readonly step: OutboxStep;
  readonly parts: readonly { readonly planned: Planned; readonly from: number; readonly to: number }[];
}

interface FleetJournalOptions {
  readonly store: OutboxStore;
  readonly rows: FleetRows;
  /** `undefined`: no other process, and no later one, has the same. */
  readonly name: string | undefined;
  readonly abandonMs: number;
}

const rowsPerStep = 1_000;

/**
 * Speaks with the store for one process, one step at a time: what comes meanwhile goes together in the next. A step without an
 * answer is repeated until it has one. A store that has lost its memory gets everything anew.
 */
export class FleetJournal {
  readonly #store: OutboxStore;
  readonly #rows: FleetRows;
  readonly #abandonMs: number;
  #name: string;
  #life: string = crypto.randomUUID();
  #seq = 0;
  #isJoined = false;
  /** What has still to be written anew, before anything else. */
  #rewriting: { readonly rows: ReturnType<FleetRows["all"]>; next: number } | undefined;
  #unanswered: Sent | undefined;
  #waiting: (Planned | Alone)[] = [];
  #running: Promise<void> | undefined;
  #isClosed = false;
  #values: Readonly<Record<string, string>> = {};
  /** The ledgers of the lanes whose processes are gone: no other process has begun them. */
  #goneLedgers: ReadonlySet<string> = new Set();
  /** All lanes that this process has ever had, and has read. */
  readonly #lanes = new Set<string>();
  /** Copies in the store of what another row has. */
  readonly #surplus = new Set<string>();
  /** Ids of undelivered reports that another process has taken over. */
  #lost: readonly string[] = [];

  constructor({ store, rows, name, abandonMs }: FleetJournalOptions) {
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

  /** Whether the store has been read. */
  get isJoined(): boolean {
    return this.#isJoined;
  }

  /** Resolves when the store has done the change; rejects where that is not known, or certain not to be. */
  write(change: Change): Promise<void> {
    return new Promise((resolve, reject) => this.#add({ change, resolve: () => resolve(), reject }));
  }

  /** Resolves when the store has been read. */
  join(): Promise<void> {
    return new Promise((resolve, reject) =>
      this.#add({
        async run() {
          resolve();
        },
        reject,
      }),
    );
  }

  /** This process lives; what others have left is read. Gives what has been lost to another since the beat before. */
  beat(): Promise<readonly string[]> {
    return new Promise((resolve, reject) =>
      this.#add({
        run: async () => {
          await this.#beat();
          const lost = this.#lost;
          this.#lost = [];
          resolve(lost);
        },
        reject,
      }),
    );
  }

  /** Writes what has come, and leaves what is undelivered to the others, or the next. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
    if (!this.#isJoined) return;
    // Without it the others wait for `abandonMs`.
    await this.#sendBeat({ leaving: true }).catch(() => {});
  }

  #add(job: Planned | Alone): void {
    if (this.#isClosed) {
      job.reject(new Error("the outbox has been closed"));
      return;
    }
    this.#waiting.push(job);
    this.#running ??= this.#drain();
  }

  async #drain(): Promise<void> {
    // Lets what comes in the same turn go along.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      try {
        await this.#prepare();
      } catch (error) {
        for (const job of this.#waiting.splice(0)) job.reject(error);
        break;
      }
      const [first] = this.#waiting;
      if (first === undefined) break;
      if ("change" in first) await this.#send(this.#nextChanges());
      else {
        this.#waiting.shift();
        await first.run().catch((error: unknown) => first.reject(error));
      }
    }
    this.#running = undefined;
  }

  /** The changes up to the next job that must be alone. */
  #nextChanges(): readonly Planned[] {
    const end = this.#waiting.findIndex((job) => !("change" in job));
    const jobs = this.#waiting.splice(0, Math.min(rowsPerStep, end === -1 ? this.#waiting.length : end));
    return jobs.filter((job) => "change" in job);
  }

  async #prepare(): Promise<void> {
    await this.#join();
    const sent = this.#unanswered;
    if (sent === undefined) return;
    const written = await this.#store.write(sent.step);
    this.#unanswered = undefined;
    if (written.status === "ok") return this.#done(sent, written);
    // Its callers have been told that it failed.
    this.#beginAnew(written.status);
    await this.#join();
  }

  async #send(jobs: readonly Planned[]): Promise<void> {
    const plan = new StepPlan();
    for (const place of this.#surplus) plan.drop(place);
    const parts = jobs.map((planned) => {
      const from = plan.size;
      planned.change.plan(plan);
      return { planned, from, to: plan.size };
    });
    const sent = { step: plan.toStep(this.#life, this.#seq + 1), parts };
    if (plan.isEmpty) return this.#resolve(sent, []);
    let written: OutboxWritten;
    try {
      written = await this.#store.write(sent.step);
    } catch (error) {
      this.#unanswered = sent;
      for (const { reject } of jobs) reject(error);
      return;
    }
    if (written.status === "ok") return this.#done(sent, written);
    this.#beginAnew(written.status);
    this.#waiting.unshift(...jobs);
  }

  #done(sent: Sent, { places }: OutboxWritten): void {
    this.#seq = sent.step.seq;
    for (const place of sent.step.dropped) this.#surplus.delete(place);
    this.#resolve(sent, places);
  }

  #resolve({ parts }: Sent, places: readonly string[]): void {
    for (const { planned, from, to } of parts) {
      planned.change.done(places.slice(from, to), this.#life);
      planned.resolve();
    }
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
    const beaten = await this.#sendBeat({ joining: true });
    if (beaten.status !== "ok") {
      this.#beginAnew(beaten.status);
      throw new Error("the outbox has been joined too slowly: it is tried again");
    }
    this.#lanes.add(this.#life);
    const isFirst = this.#rewriting === undefined;
    if (this.#rewriting !== undefined) await this.#rewrite(this.#rewriting, beaten.lanes);
    await this.#load(beaten, !isFirst);
    this.#isJoined = true;
  }

  async #beat(): Promise<void> {
    const beaten = await this.#sendBeat({});
    if (beaten.status !== "ok") {
      this.#beginAnew(beaten.status);
      return this.#join();
    }
    await this.#load(beaten, true);
    await this.#endEmptyLanes();
  }

  #sendBeat({ joining = false, leaving = false }): Promise<OutboxBeaten> {
    const seq = this.#rewriting === undefined && joining ? 0 : this.#seq;
    return this.#store.beat({
      process: this.#life,
      name: this.#name,
      seq,
      joining,
      leaving,
      abandonMs: this.#abandonMs,
    });
  }

  /** What stands in lanes that have become this process's own. */
  async #load({ lanes, ledgers, values }: OutboxBeaten, isFresh: boolean): Promise<void> {
    this.#values = values;
    for (const lane of lanes) {
      if (this.#lanes.has(lane)) continue;
      let after: string | undefined;
      for (;;) {
        const page = await this.#store.read(this.#life, lane, after);
        for (const row of page) if (this.#rows.load(row, lane, isFresh)) this.#surplus.add(row.place);
        after = page.at(-1)?.place;
        if (after === undefined) break;
      }
      this.#lanes.add(lane);
      this.#rows.addLane(lane);
    }
    this.#goneLedgers = new Set(ledgers);
  }

  async #endEmptyLanes(): Promise<void> {
    const lanes = this.#rows.emptyLanes(this.#life);
    if (lanes.length === 0) return;
    const plan = new StepPlan();
    for (const lane of lanes) plan.endLane(lane);
    const step = plan.toStep(this.#life, this.#seq + 1);
    const written = await this.#store.write(step).catch((error: unknown) => {
      this.#unanswered = { step, parts: [] };
      throw error;
    });
    if (written.status !== "ok") return this.#beginAnew(written.status);
    this.#seq = step.seq;
    for (const lane of lanes) this.#rows.removeLane(lane);
  }

  /** Everything that is in memory, in a lane of its own; the lanes from before end with the last of it. */
  async #rewrite(
    rewriting: { readonly rows: ReturnType<FleetRows["all"]>; next: number },
    lanes: readonly string[],
  ): Promise<void> {
    const { rows } = rewriting;
    do {
      const part = rows.slice(rewriting.next, rewriting.next + rowsPerStep);
      const isLast = rewriting.next + part.length >= rows.length;
      const plan = new StepPlan();
      for (const { text, note } of part) plan.add(text, note);
      for (const { block } of this.#rows.blocks()) plan.beginLedger(block.process);
      // Not before: until then they have what is not written anew yet.
      for (const lane of isLast ? lanes : [])
        if (this.#lanes.has(lane) && lane !== this.#life) plan.endLane(lane);
      const added = await this.#store.write(plan.toStep(this.#life, this.#seq + 1));
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
    for (const lane of this.#rows.lanes) if (lane !== this.#life) this.#rows.removeLane(lane);
    this.#rewriting = undefined;
  }
}
