import type { Work } from "../decision/authorize-request.ts";
import type { Report } from "../outbox/report.ts";
import type { ReportOverrides, Usage } from "../values/usage.ts";
import type { Hold, WorkAccount } from "../wallet/ledger.ts";

/** A piece of work at the ledger. In observe mode, and once it has ended, it has neither hold nor account; between a pause and its next hold, no hold. */
export interface Admitted {
  readonly work: Work;
  readonly account: WorkAccount | undefined;
  readonly hold: Hold | undefined;
  /** What was held for it since. */
  readonly more?: readonly Hold[];
}

const none: readonly Hold[] = [];

/** Admitted work as a link of the list of all that has not ended. */
export class AdmittedWork implements Admitted {
  work: Work;
  /** Of `hold`. */
  account: WorkAccount | undefined;
  hold: Hold | undefined;
  more: readonly Hold[] = none;
  #ids = 0;
  /** Micro-credits held in all. */
  held: number;
  /** Micro-credits that were billed by other requests than reports. */
  elsewhere = 0;
  before: AdmittedWork | undefined;
  after: AdmittedWork | undefined;
  charge: OpenCharge | undefined;
  /** Finds what is reported twice. There is none before a call of the work is metered. */
  screen: ReportScreen | undefined;
  /** Ends the pause that it makes: it has ended, or its client has left. */
  resume: (() => void) | undefined;

  constructor({ work, account, hold }: Admitted) {
    this.work = work;
    this.account = account;
    this.hold = hold;
    this.held = hold?.amount ?? work.hold;
  }

  /** Of a further hold, or of what goes on after a pause: unique for ever, as that of the work is. */
  nextId(): string {
    return `${this.work.id}+${this.#ids++}`;
  }

  /**
   * `account`: whose hold it is. After a pause, in which nothing keeps the customer in memory, it may be another than before. `work`: what it
   * was asked for by. A first hold ends with the bill, by the id that both have.
   */
  add(work: Work, account: WorkAccount | undefined, hold: Hold): void {
    if (this.hold === undefined) {
      this.work = work;
      this.account = account;
      this.hold = hold;
    } else this.more = [...this.more, hold];
    this.held += hold.amount;
  }

  /** Takes back what was added; its account has ended it. */
  remove(hold: Hold, amount: number): void {
    if (this.hold === hold) this.hold = undefined;
    else this.more = this.more.filter((other) => other !== hold);
    this.held -= amount;
  }

  /** What was held until now, as work that has ended. What goes on has no hold, and an id of its own: that of the part is in the bill. */
  part(): Admitted {
    const { work, account, hold, more } = this;
    this.work = { ...work, id: this.nextId() };
    this.hold = undefined;
    this.more = none;
    this.held = 0;
    return { work, account, hold, more };
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
