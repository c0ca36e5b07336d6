import type { Report } from "../../src/outbox/report.ts";

/** One report of work that was done, and what has become of it at the service. */
export interface ModelReport {
  readonly real: Report;
  readonly cost: number;
  /** A queue delivers it, so that the service may accept it after its acknowledgement. */
  readonly queued: boolean;
  /** Usage that the service has accepted is unsettled until it is debited. */
  accepted: boolean;
  debited: boolean;
  /** In the time of the world, not of the ledger's clock. */
  acknowledgedAt: number | undefined;
}

/** A balance answer that was installed, and the truth that it has read. */
export interface Snapshot {
  readonly stamp: number;
  readonly number: number;
  readonly extended: boolean;
  /** The balance requests that had left when it came in. */
  readonly permitted: number;
  readonly seen: {
    readonly capacity: number;
    readonly unsettled: number;
    readonly accepted: readonly ModelReport[];
    readonly debited: readonly ModelReport[];
  };
}

/** The last acknowledgement that an entry has waited for. */
interface End {
  /** By the ledger's clock. */
  readonly at: number;
  /** How many balance requests had left. */
  readonly after: number;
  readonly byQueue: boolean;
}

/** Unconfirmed usage by the rules: of one report, or of several that share what they are expected to cost. */
export class ModelEntry {
  amount: number;
  readonly reports: ModelReport[];
  ended: End | undefined;
  willBeForgotten = false;
  forgotten = false;
  /** Whether a report was acknowledged without telling what it costs. */
  #isUnreported = false;
  readonly #hadOne: boolean;

  constructor(amount: number, reports: readonly ModelReport[]) {
    this.amount = amount;
    this.reports = [...reports];
    this.#hadOne = reports.length === 1;
  }

  /** The most that it may still be debited: once the service has accepted all of it, what that costs. */
  get most(): number {
    const costOf = (reports: readonly ModelReport[]) => reports.reduce((total, { cost }) => total + cost, 0);
    const debited = costOf(this.reports.filter((report) => report.debited));
    const isAccepted = this.reports.every(({ accepted }) => accepted);
    return (isAccepted ? costOf(this.reports) : this.amount) - debited;
  }

  /** A report is acknowledged; returns the entry that it leaves for, if the service tells what it costs. */
  acknowledge(report: ModelReport, extended: boolean, end: End): ModelEntry | undefined {
    if (!extended) {
      this.#isUnreported = true;
      this.#endOnce(end);
      return undefined;
    }
    if (this.#hadOne) {
      this.amount = report.cost;
      this.#endOnce(end);
      return undefined;
    }
    this.reports.splice(this.reports.indexOf(report), 1);
    const own = new ModelEntry(report.cost, [report]);
    own.ended = end;
    const isEmpty = this.#isAcknowledged && !this.#isUnreported;
    this.amount = isEmpty ? 0 : Math.max(0, this.amount - report.cost);
    this.#endOnce(end);
    return own;
  }

  get #isAcknowledged(): boolean {
    return this.reports.every(({ acknowledgedAt }) => acknowledgedAt !== undefined);
  }

  #endOnce(end: End): void {
    if (this.#isAcknowledged) this.ended ??= end;
  }
}
