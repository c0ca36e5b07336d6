import type { OutboxStep } from "./outbox-store.ts";

/** What the next step of an outbox changes, as its changes put it together. */
export class StepPlan {
  /** The items that its changes concern; `undefined`: all. */
  #items: Set<string> | undefined = new Set();
  readonly #added: { readonly text: string; readonly note: string }[] = [];
  /** The last note of a place counts. */
  readonly #noted = new Map<string, string>();
  readonly #dropped = new Set<string>();
  readonly #set: Record<string, string> = {};
  /** By how many reservations it changes each ledger. */
  readonly #ledgers = new Map<string, number>();
  readonly #endedLanes = new Set<string>();

  /** How many rows it adds. */
  get size(): number {
    return this.#added.length;
  }

  get isEmpty(): boolean {
    const parts = [this.#noted, this.#dropped, this.#ledgers, this.#endedLanes];
    return (
      this.#added.length === 0 && Object.keys(this.#set).length === 0 && parts.every(({ size }) => size === 0)
    );
  }

  /**
   * Takes a change of these items in, unless another change of this step concerns one of them: a change is planned by what is in memory,
   * and memory has what a step changed only when the store has done it.
   */
  claim(items: readonly string[] | "all"): boolean {
    if (items === "all") {
      if (this.#items?.size !== 0) return false;
      this.#items = undefined;
      return true;
    }
    const claimed = this.#items;
    if (claimed === undefined || items.some((item) => claimed.has(item))) return false;
    for (const item of items) claimed.add(item);
    return true;
  }

  add(text: string, note = ""): void {
    this.#added.push({ text, note });
  }

  note(place: string, note: string): void {
    this.#noted.set(place, note);
  }

  drop(place: string): void {
    this.#dropped.add(place);
  }

  set(name: string, value: string): void {
    this.#set[name] = value;
  }

  /** A ledger holds credits by this many reservations more. */
  changeLedger(id: string, reservations: number): void {
    this.#ledgers.set(id, (this.#ledgers.get(id) ?? 0) + reservations);
  }

  endLane(lane: string): void {
    this.#endedLanes.add(lane);
  }

  /** `reservationsOf` returns by how many reservations a ledger holds credits before the step. */
  toStep(process: string, seq: number, reservationsOf: (ledger: string) => number): OutboxStep {
    const ledgers = [...this.#ledgers].map(([id, change]) => ({
      id,
      change,
      reservations: reservationsOf(id) + change,
    }));
    const begun = ledgers.filter(({ change, reservations }) => change >= 0 && reservations > 0);
    const ended = ledgers.filter(({ reservations }) => reservations === 0);
    return {
      process,
      seq,
      endedLanes: [...this.#endedLanes],
      added: this.#added,
      noted: [...this.#noted].map(([place, note]) => ({ place, note })),
      dropped: [...this.#dropped],
      set: this.#set,
      begunLedgers: begun.map(({ id }) => id),
      endedLedgers: ended.map(({ id }) => id),
    };
  }
}
