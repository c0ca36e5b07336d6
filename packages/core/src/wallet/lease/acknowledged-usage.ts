import { MovingUsage } from "./moving-usage.ts";

/** Usage of one account that the service has: it stays in the block until the store has counted it. */
export class AcknowledgedUsage {
  #unsaid = new MovingUsage();
  #acks = 0;
  #counted = 0;
  #settledAt = Number.NEGATIVE_INFINITY;

  /** Whether the words so far have said all of it. */
  get isSaid(): boolean {
    return this.#unsaid.none;
  }

  /** How many acknowledgements there have been. */
  get acks(): number {
    return this.#acks;
  }

  /** At `settledAt` the service shows it in the balance. */
  add(
    share: { readonly amount: number; readonly isBeyond: boolean },
    byQueue: boolean,
    settledAt: number,
  ): void {
    this.#unsaid.add(share, byQueue, ++this.#acks);
    this.#settledAt = Math.max(this.#settledAt, settledAt);
  }

  /** What no word has said yet, for the next one. */
  take(): MovingUsage {
    const moving = this.#unsaid;
    this.#unsaid = new MovingUsage();
    return moving;
  }

  /** The word that said it had no effect. */
  putBack(moving: MovingUsage): void {
    this.#unsaid = moving.with(this.#unsaid);
  }

  /** The store has counted it. */
  count({ upTo }: MovingUsage): void {
    this.#counted = Math.max(this.#counted, upTo);
  }

  /** Whether the store has counted this number of the acknowledgements, the first ones. */
  isCounted(acks: number): boolean {
    return this.#counted >= acks;
  }

  isSettled(now: number): boolean {
    return this.#settledAt < now;
  }
}
