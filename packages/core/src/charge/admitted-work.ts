import type { Work } from "../decision/authorize-request.ts";
import type { Report } from "../delivery/report.ts";
import type { ReportOverrides, Usage } from "../values/usage.ts";
import type { Account, Hold } from "../wallet/ledger.ts";

/** A piece of work at the ledger. In observe mode, and once it has ended, it has neither hold nor account. */
export interface Admitted {
  readonly work: Work;
  readonly account: Account | undefined;
  readonly hold: Hold | undefined;
  /** What was held for it since. */
  readonly more?: readonly Hold[];
}

const none: readonly Hold[] = [];

/** Admitted work as a link of the list of all that has not ended. */
export class AdmittedWork implements Admitted {
  readonly work: Work;
  readonly account: Account | undefined;
  readonly hold: Hold | undefined;
  more: readonly Hold[] = none;
  /** How often more was asked for. */
  extended = 0;
  /** Micro-credits held in all. */
  held: number;
  /** Micro-credits that were billed by other requests than reports. */
  elsewhere = 0;
  before: AdmittedWork | undefined;
  after: AdmittedWork | undefined;
  charge: OpenCharge | undefined;
  /** Finds what is reported twice. There is none before a call of the work is metered. */
  screen: ReportScreen | undefined;

  constructor({ work, account, hold }: Admitted) {
    this.work = work;
    this.account = account;
    this.hold = hold;
    this.held = hold?.amount ?? work.hold;
  }

  add(hold: Hold): void {
    this.more = [...this.more, hold];
    this.held += hold.amount;
  }

  /** Takes back what was added; its account has ended it. */
  remove(hold: Hold, amount: number): void {
    this.more = this.more.filter((other) => other !== hold);
    this.held -= amount;
  }
}

/** The charge of work that has not ended. */
export interface OpenCharge {
  readonly open: boolean;
  readonly reported: readonly Usage[];
  /**
   * Bills what was reported, without waiting for the end of the work. Returns whether the work has metered calls that
   * may yet bill themselves.
   */
  cutOff(): boolean;
}

/** Compares the reports of calls that are metered with those of their handler. */
export interface ReportScreen {
  /** Has `report` report the call. Returns whether it is billed. */
  meter(usage: Usage, overrides: ReportOverrides, call: MeteredCall, report: () => void): boolean;
  /** Whether the report is billed by another one. It takes the place of that in `reports`, those so far, if it knows more. */
  covers(report: Report, usage: Usage, reports: Report[], isOpen: boolean): boolean;
}

/** How a model call was metered: what wraps it, and its number among all calls of the process, by their beginning. */
export interface MeteredCall {
  readonly meter: "model" | "fetch";
  readonly began: number;
}

interface Link<Charge> {
  before: Charge | undefined;
  after: Charge | undefined;
}

/** The charges whose work has not ended. A list of links, since a set would cost each request as much as its decision. */
export class OpenCharges<Charge extends Link<Charge>> {
  #last: Charge | undefined;

  get isEmpty(): boolean {
    return this.#last === undefined;
  }

  add(charge: Charge): void {
    charge.before = this.#last;
    if (this.#last !== undefined) this.#last.after = charge;
    this.#last = charge;
  }

  delete(charge: Charge): void {
    const { before, after } = charge;
    if (before !== undefined) before.after = after;
    if (after !== undefined) after.before = before;
    else if (this.#last === charge) this.#last = before;
    charge.before = undefined;
    charge.after = undefined;
  }

  /** The youngest first. */
  all(): readonly Charge[] {
    const charges: Charge[] = [];
    for (let link = this.#last; link !== undefined; link = link.before) charges.push(link);
    return charges;
  }
}
