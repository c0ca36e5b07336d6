import { MovingUsage } from "./moving-usage.ts";

/** Usage of one account that the service has: it stays in the reservation until the store has counted it. */
export class AcknowledgedUsage {
  #unsent = new MovingUsage();
  #acks = 0;
  #counted = 0;
  #settledAt = Number.NEGATIVE_INFINITY;

  /** Whether the syncs so far have said all of it. */
  get isSent(): boolean {
    return this.#unsent.none;
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
    this.#unsent.add(share, byQueue, ++this.#acks);
    this.#settledAt = Math.max(this.#settledAt, settledAt);
  }

  /** What no sync has said yet, for the next one. */
  take(): MovingUsage {
    const moving = this.#unsent;
    this.#unsent = new MovingUsage();
    return moving;
  }

  /** The sync that said it had no effect. */
  putBack(moving: MovingUsage): void {
    this.#unsent = moving.with(this.#unsent);
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
