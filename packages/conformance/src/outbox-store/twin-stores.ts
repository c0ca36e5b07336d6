import type { Awaitable } from "@creditgate/core";
import type {
  OutboxHeartbeat,
  OutboxHeartbeatResult,
  OutboxStep,
  OutboxStore,
  OutboxWritten,
} from "@creditgate/fleet";
import { same } from "../ledger/bench.ts";
import { MemoryOutboxStore } from "../outbox/memory-outbox-store.ts";

/** An outbox store on trial, and power over its time. */
export interface OutboxStoreOnTrial {
  /** Empty. */
  readonly store: OutboxStore;
  /**
   * Lets the time of the store go on by this many milliseconds, or a little more, or step back by them where they are negative: by an
   * offset that only tests can set.
   */
  advance(ms: number): Awaitable<void>;
  /** Ends what was opened. */
  close?(): Awaitable<void>;
}

/** A row in both stores, which have places of their own. */
interface TwinRow {
  readonly memory: string;
  readonly trial: string;
  readonly lane: string;
}

/** Time passes in steps of this: long enough that what a store takes for its work does not count. */
const unitMs = 1_000_000;
/** No number of units, nor twice one, is as long: it never depends on the moment whether a process is gone. */
export const abandonMs: number = 10.5 * unitMs;

/** A store on trial, and the one in memory that each of its answers is held against. In words to it rows have numbers. */
export class TwinStores {
  readonly #trial: OutboxStoreOnTrial;
  readonly #memory: MemoryOutboxStore;
  readonly #rows: TwinRow[] = [];
  #now = 0;

  constructor(trial: OutboxStoreOnTrial) {
    this.#trial = trial;
    this.#memory = new MemoryOutboxStore(() => this.#now);
  }

  async pass(units: number): Promise<void> {
    this.#now += units * unitMs;
    await this.#trial.advance(units * unitMs);
  }

  /** The numbers of the rows that have been written in these lanes. */
  rowsOf(lanes: readonly string[]): readonly number[] {
    return [...this.#rows.keys()].filter((number) => lanes.includes(this.#rows[number]?.lane ?? ""));
  }

  async heartbeat(heartbeat: OutboxHeartbeat): Promise<OutboxHeartbeatResult> {
    const [expected, found] = [
      await this.#memory.heartbeat(heartbeat),
      await this.#trial.store.heartbeat(heartbeat),
    ];
    const fields = ({ status, lanes, ledgers, values }: OutboxHeartbeatResult) =>
      JSON.stringify([status, [...lanes].sort(), [...ledgers].sort(), Object.entries(values).sort()]);
    same(`the answer to a heartbeat of ${heartbeat.process}`, fields(found), fields(expected));
    return found;
  }

  /** `noted` and `dropped` name rows by their numbers. */
  async write(step: OutboxStep): Promise<OutboxWritten> {
    const expected = await this.#memory.write(this.#as("memory", step));
    const found = await this.#trial.store.write(this.#as("trial", step));
    same(`the answer to step ${step.seq} of ${step.process}`, found.status, expected.status);
    same("the places of the rows that it adds", found.places.length, expected.places.length);
    for (const [at, memory] of expected.places.entries()) {
      const trial = found.places[at] ?? "";
      const known = this.#rows.find((row) => row.memory === memory);
      if (known === undefined) this.#rows.push({ memory, trial, lane: step.process });
      else same("the place of a row that was added before", trial, known.trial);
    }
    same("different places", new Set(this.#rows.map(({ trial }) => trial)).size, this.#rows.length);
    return found;
  }

  /** All rows of the lane, as one text. */
  async read(process: string, lane: string): Promise<string> {
    const all = async (store: OutboxStore) => {
      const rows: string[] = [];
      let after: string | undefined;
      for (;;) {
        const page = await store.read(process, lane, after);
        for (const { text, note } of page) rows.push(`${text} ${note}`);
        after = page.at(-1)?.place;
        if (after === undefined) return rows.join("\n");
      }
    };
    const found = await all(this.#trial.store);
    same(`the rows of ${lane}`, found, await all(this.#memory));
    return found;
  }

  /** What is asked for rows, by their numbers. */
  async request(requests: readonly { readonly row: number; readonly text: string }[]): Promise<void> {
    const as = (which: "memory" | "trial") =>
      requests.map(({ row, text }) => ({ place: this.#placeOf(which, row), text }));
    await this.#memory.request(as("memory"));
    await this.#trial.store.request(as("trial"));
  }

  /** What the process is asked, as texts in the order of the rows. */
  async takeRequests(process: string): Promise<readonly string[]> {
    const texts = async (store: OutboxStore, which: "memory" | "trial") => {
      const taken = await store.takeRequests(process);
      const numberOf = (place: string) => this.#rows.findIndex((row) => row[which] === place);
      return taken
        .map(({ place, text }) => ({ row: numberOf(place), text }))
        .sort((one, other) => one.row - other.row)
        .map(({ row, text }) => `${row} ${text}`);
    };
    const found = await texts(this.#trial.store, "trial");
    same(`what ${process} is asked`, found.join(), (await texts(this.#memory, "memory")).join());
    return found;
  }

  /** What operators see, as one text. */
  async list(): Promise<string> {
    const all = async (store: OutboxStore) => {
      const rows: string[] = [];
      let after: string | undefined;
      for (;;) {
        const page = await store.list(after);
        for (const { text, note, isOwn, isRequested } of page) {
          rows.push(
            [text, note, isOwn ? "own" : "taken over", isRequested ? "asked" : ""].join(" ").trimEnd(),
          );
        }
        after = page.at(-1)?.place;
        if (after === undefined) return rows.join("\n");
      }
    };
    const found = await all(this.#trial.store);
    same("the rows that operators see", found, await all(this.#memory));
    return found;
  }

  #as(which: "memory" | "trial", step: OutboxStep): OutboxStep {
    return {
      ...step,
      noted: step.noted.map(({ place, note }) => ({ place: this.#placeOf(which, Number(place)), note })),
      dropped: step.dropped.map((place) => this.#placeOf(which, Number(place))),
    };
  }

  #placeOf(which: "memory" | "trial", number: number): string {
    const row = this.#rows[number];
    if (row === undefined) throw new Error(`row: expected one that was added, received ${number}`);
    return row[which];
  }
}
