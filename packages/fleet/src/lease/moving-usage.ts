/** Acknowledged usage on its way out of the reservation of its process. */
export class MovingUsage {
  amount = 0;
  /** The part that only a queue has. */
  queued = 0;
  /** How many acknowledgements there have been, the last of these included. */
  upTo = 0;
  /** How many parts are beyond the range of exact sums. */
  beyond = 0;

  get none(): boolean {
    return this.amount === 0 && this.beyond === 0;
  }

  add(
    { amount, isBeyond }: { readonly amount: number; readonly isBeyond: boolean },
    byQueue: boolean,
    number: number,
  ): void {
    this.upTo = number;
    if (isBeyond) this.beyond++;
    else this.amount += amount;
    if (byQueue && !isBeyond) this.queued += amount;
  }

  /** Both, as one. */
  with(other: MovingUsage): MovingUsage {
    const both = new MovingUsage();
    both.amount = this.amount + other.amount;
    both.queued = this.queued + other.queued;
    both.beyond = this.beyond + other.beyond;
    both.upTo = Math.max(this.upTo, other.upTo);
    return both;
  }
}
