import { type Charge, type Denial, type HoldAmount, type PauseOptions, pause } from "@creditgate/core";
import type { Reservation } from "../call/model-call.ts";

/** What a budget uses of a charge. */
export type FundedCharge = Pick<Charge, "held" | "extend">;

/** What a call would spend. Credits. */
export interface Wanted {
  readonly most: number;
  /** It is made with less than the most, but not with less than this. */
  readonly least: number;
  /** Whether more may be held where what is held is not enough. */
  readonly extends: boolean;
  /** How to wait for credits where there are fewer than the least; `undefined`: not at all. */
  readonly pause: PauseOptions | undefined;
}

export type Reserved =
  | { readonly reserved: true; readonly reservation: Reservation }
  | { readonly reserved: false; readonly available: number; readonly denial: Denial | undefined };

/** Whose calls are paid from which budget. */
const budgets = new WeakMap<FundedCharge, Budget>();

/** What is held for a piece of work, as its model calls spend it. Calls are decided on one after the other. */
export class Budget {
  readonly #charge: FundedCharge;
  #spent = 0;
  #reserved = 0;
  /** Let on without a hold: its gate only observes, or its work is free. */
  #isUnlimited = false;
  #turn: Promise<unknown> = Promise.resolve();

  static of(charge: FundedCharge): Budget {
    const known = budgets.get(charge);
    if (known !== undefined) return known;
    const budget = new Budget(charge);
    budgets.set(charge, budget);
    return budget;
  }

  private constructor(charge: FundedCharge) {
    this.#charge = charge;
  }

  /** What is neither spent nor reserved. */
  get available(): number {
    return this.#isUnlimited
      ? Number.POSITIVE_INFINITY
      : exact(this.#charge.held - this.#spent - this.#reserved);
  }

  /** Reserves the most, or what there is. Rejects as `extend()` of the charge does, such as for work that has ended. */
  reserve(wanted: Wanted): Promise<Reserved> {
    const reserved = this.#turn.then(() => this.#reserve(wanted));
    this.#turn = reserved.catch(() => {});
    return reserved;
  }

  async #reserve({ most, least, extends: mayExtend, pause: waits }: Wanted): Promise<Reserved> {
    let denial: Denial | undefined;
    if (this.available < most && mayExtend) {
      const max = exact(most - this.available);
      const min = Math.max(smallest, exact(least - this.available));
      const before = this.#charge.held;
      const extension = await this.#charge.extend(between(min, max));
      if (!extension.allowed) denial = extension.denial;
      else if (this.#charge.held === before) this.#isUnlimited = true;
    }
    // What calls under way have reserved must stay.
    if (denial !== undefined && waits !== undefined && this.available < least && this.#reserved === 0)
      denial = await this.#pause(between(least, most), waits);
    const { available } = this;
    if (available < least) return { reserved: false, available: Math.max(0, available), denial };
    return { reserved: true, reservation: this.#take(Math.min(most, available)) };
  }

  /** Waits for credits for the next call; all that the work has spent is billed then. Returns why there are none. */
  async #pause(need: HoldAmount, waits: PauseOptions): Promise<Denial | undefined> {
    const extension = await pause(this.#charge as Charge, need, waits).catch((error: unknown) => {
      // It has been billed already: `onPause` or `onWait` failed.
      if (this.#charge.held < this.#spent) this.#spent = 0;
      throw error;
    });
    this.#spent = 0;
    return extension.allowed ? undefined : extension.denial;
  }

  #take(credits: number): Reservation {
    this.#reserved = exact(this.#reserved + credits);
    let isOver = false;
    return {
      credits,
      end: (cost) => {
        if (isOver) return;
        isOver = true;
        this.#reserved = exact(this.#reserved - credits);
        this.#spent = exact(this.#spent + cost);
      },
    };
  }
}

function between(min: number, max: number): HoldAmount {
  return min < max ? { min, max } : max;
}

/** A micro-credit. */
const smallest = 1e-6;

/** Whole micro-credits: sums of decimals are not exact. */
function exact(credits: number): number {
  return Math.round(credits * 1e6) / 1e6;
}
