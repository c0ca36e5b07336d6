import type { OutboxStep } from "./outbox-store.ts";

/** What the next step of an outbox changes, as its changes put it together. */
export class StepPlan {
  /** Ids of the reports and works that it adds. */
  readonly #ids = new Set<string>();
  readonly #added: { readonly text: string; readonly note: string }[] = [];
  /** The last note of a place counts. */
  readonly #noted = new Map<string, string>();
  readonly #dropped = new Set<string>();
  readonly #set: Record<string, string> = {};
  readonly #begunLedgers = new Set<string>();
  readonly #endedLedgers = new Set<string>();
  readonly #endedLanes = new Set<string>();

  /** How many rows it adds. */
  get size(): number {
    return this.#added.length;
  }

  get isEmpty(): boolean {
    const parts = [this.#noted, this.#dropped, this.#begunLedgers, this.#endedLedgers, this.#endedLanes];
    return (
      this.#added.length === 0 && Object.keys(this.#set).length === 0 && parts.every(({ size }) => size === 0)
    );
  }

  /** Whether nothing with this id is added yet. */
  claim(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
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

  beginLedger(id: string): void {
    this.#begunLedgers.add(id);
  }

  endLedger(id: string): void {
    this.#endedLedgers.add(id);
  }

  endLane(lane: string): void {
    this.#endedLanes.add(lane);
  }

  toStep(process: string, seq: number): OutboxStep {
    return {
      process,
      seq,
      endedLanes: [...this.#endedLanes],
      added: this.#added,
      noted: [...this.#noted].map(([place, note]) => ({ place, note })),
      dropped: [...this.#dropped],
      set: this.#set,
      begunLedgers: [...this.#begunLedgers],
      endedLedgers: [...this.#endedLedgers],
    };
  }
}
