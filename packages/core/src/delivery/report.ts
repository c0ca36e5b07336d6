import type { Usage } from "../values/usage.ts";
import type { Account, Unconfirmed } from "../wallet/ledger.ts";
import type { OutboxEntry, OutboxReport } from "./outbox.ts";
import type { WorkKind } from "./unbillable-work.ts";

/** Unconfirmed usage of one report, or of all reports of a charge that have no price and share the rest of its hold. */
export class Entry implements OutboxEntry {
  readonly id: string;
  /** Micro-credits. */
  amount: number;
  /** The kind of its work, if a report overrides it. */
  admittedAs: WorkKind | undefined;
  /** What a price takes from the hold, in whole micro-credits; `undefined` for the reports that share the rest. */
  readonly #priced: number | undefined;
  #account: Account | undefined;
  #usage: Unconfirmed | undefined;
  /** How many reports it has had, and how many of them the service has not acknowledged. */
  #reports = 0;
  #awaited = 0;
  /** Whether the service has acknowledged one without telling what it costs. */
  #isUnreported = false;

  constructor(id: string, amount: number, priced?: number) {
    this.id = id;
    this.amount = amount;
    this.#priced = priced;
  }

  get priced(): number | undefined {
    return this.#priced;
  }

  /** One more report belongs to it. */
  join(): void {
    this.#reports++;
    this.#awaited++;
  }

  /** It is in the ledger now. */
  record(account: Account, usage: Unconfirmed | undefined): void {
    this.#account = account;
    this.#usage = usage;
  }

  /** The service has one of its reports; from the last one on the lag counts. */
  acknowledge(lagMs: number, byQueue: boolean): void {
    this.#isUnreported = true;
    this.#leave(lagMs, byQueue);
  }

  /** The service has accepted one of its reports, and returned the cost. Returns the report's present entry. */
  correct(reportId: string, cost: number, lagMs: number): Entry {
    if (this.#reports === 1) {
      this.#set(cost);
      this.#leave(lagMs, false);
      return this;
    }
    const own = new Entry(`${reportId}:reported`, cost);
    for (const usage of this.#account?.settle(undefined, [cost]) ?? []) {
      this.#account?.acknowledge(usage, lagMs);
    }
    const isLast = this.#awaited === 1 && !this.#isUnreported;
    this.#set(isLast ? 0 : Math.max(0, this.amount - cost));
    this.#leave(lagMs, false);
    return own;
  }

  #set(amount: number): void {
    this.amount = amount;
    if (this.#usage !== undefined) this.#account?.correct(this.#usage, amount);
  }

  #leave(lagMs: number, byQueue: boolean): void {
    this.#awaited--;
    if (this.#awaited === 0 && this.#usage !== undefined) {
      this.#account?.acknowledge(this.#usage, lagMs, byQueue);
    }
  }
}

/** A usage report on its way. It carries its entry in the ledger, so that its acknowledgement looks nothing up. */
export class Report implements OutboxReport {
  readonly id: string;
  readonly customerId: string;
  readonly agentId: string;
  readonly indicator: string;
  readonly rawUsage: Usage;
  readonly currency: string;
  /** Its own, once the service has returned its cost. */
  entry: Entry;
  /** Whether the service, or a queue, has it. */
  isAcknowledged = false;

  constructor(report: Omit<OutboxReport, "entry">, entry: Entry) {
    this.id = report.id;
    this.customerId = report.customerId;
    this.agentId = report.agentId;
    this.indicator = report.indicator;
    this.rawUsage = report.rawUsage;
    this.currency = report.currency;
    this.entry = entry;
  }

  /**
   * The service, or a queue, has accepted it: once. `cost`: in micro-credits, from an extended service. Returns the
   * entry that it shared until now, if that has lost a part to it.
   */
  acknowledge(lagMs: number, cost?: number, byQueue = false): Entry | undefined {
    if (this.isAcknowledged) return undefined;
    this.isAcknowledged = true;
    const shared = this.entry;
    if (cost === undefined) {
      shared.acknowledge(lagMs, byQueue);
      return undefined;
    }
    this.entry = shared.correct(this.id, cost, lagMs);
    return this.entry === shared ? undefined : shared;
  }
}
