import { fromMicro, toMicro } from "../../values/micro.ts";
import { checkNames, checkNumber, invalidOption } from "../../values/option.ts";
import type { WalletKind } from "../capacity.ts";
import { Headroom } from "../headroom.ts";
import { checkHold } from "../hold.ts";
import type { AccountFigures, Hold, Unconfirmed, WorkAccount } from "../ledger.ts";
import type { RunBudget } from "./budget.ts";

/** In all instances of this module the same: a bundler may evaluate it twice. */
const account = Symbol.for("@creditgate/core/run-budget");

/**
 * Creates the budget of a run. `spent`: credits of an earlier process that the run goes on from. Throws an `invalid_option` error for
 * amounts that make no sense.
 */
export function createRunBudget(options: { readonly limit: number; readonly spent?: number }): RunBudget {
  if (typeof options !== "object" || options === null)
    invalidOption("options", "an object with limit", options);
  checkNames(options, { limit: true, spent: true });
  const limit = checkHold("limit", options.limit);
  const spent = checkNumber("spent", options.spent ?? 0, 0, Number.MAX_SAFE_INTEGER / 1_000_000);
  return new LocalBudget(new RunAccount(limit, toMicro(spent, "ceil")));
}

class LocalBudget implements RunBudget {
  readonly [account]: RunAccount;

  constructor(own: RunAccount) {
    this[account] = own;
  }

  get limit(): number {
    return fromMicro(this[account].limit);
  }

  get held(): number {
    return fromMicro(this[account].figures().held);
  }

  get spent(): number {
    return fromMicro(this[account].spent);
  }

  /** A getter of a class is not in its JSON by itself. */
  toJSON(): RunBudget {
    const { limit, held, spent } = this;
    return { limit, held, spent };
  }
}

/** The account of a run; `undefined` for anything else. */
export function accountOfRun(budget: unknown): RunAccount | undefined {
  return typeof budget === "object" && budget !== null && account in budget
    ? (budget[account] as RunAccount)
    : undefined;
}

/** What a run has outstanding. What it has spent counts as long as it lives. */
export class RunAccount extends Headroom implements WorkAccount {
  /** Micro-credits. */
  readonly limit: number;
  /** What has been spent and can cost no less any more. */
  #confirmed: number;

  constructor(limit: number, spent: number) {
    super();
    this.limit = limit;
    this.used = spent;
    this.#confirmed = spent;
  }

  get spent(): number {
    return this.used;
  }

  get stamp(): undefined {
    return undefined;
  }

  hold(
    amount: number,
    _kind: WalletKind,
    _notBefore: number,
    _workId?: string,
    least?: number,
  ): Hold | AccountFigures {
    return this.take(amount, this.limit, least) ?? this.figures();
  }

  acknowledge(usage: Unconfirmed): void {
    const share = this.end(usage);
    if (share?.isBeyond === false) this.#confirmed += share.amount;
  }

  figures(): AccountFigures {
    const capacity = this.limit - this.#confirmed;
    const unconfirmed = this.used - this.#confirmed;
    return { admitted: false, capacity, held: this.held, unconfirmed, recent: 0, stamp: undefined };
  }
}
