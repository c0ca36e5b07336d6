import type { Usage } from "../values/usage.ts";
import type { ReportedBudget } from "../wallet/budgets/budget.ts";
import type { Unconfirmed, WorkAccount } from "../wallet/ledger.ts";
import type { OutboxEntry, OutboxReport } from "./outbox.ts";

const none: readonly string[] = [];

/** What names work to the service, beside its customer. */
export type WorkKind = Pick<OutboxReport, "agentId" | "indicator">;

/** Unconfirmed usage of one report, or of all reports of a charge that have no price and share the rest of its hold. */
export class Entry implements OutboxEntry {
  readonly id: string;
  /** Micro-credits. */
  amount: number;
  /** The kind of its work, if a report overrides it. */
  admittedAs: WorkKind | undefined;
  /** What a price takes from the hold, in whole micro-credits; `undefined` for the reports that share the rest. */
  readonly #priced: number | undefined;
  #account: WorkAccount | undefined;
  #usage: Unconfirmed | undefined;
  /** How many reports it has had, and how many of them the service has not acknowledged. */
  #reports = 0;
  #awaited = 0;
  /** Whether the service has acknowledged one without telling what it costs. */
  #isUnreported = false;
  /** The budgets that it has stored with each report. */
  #budgets: readonly string[] | undefined;

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
  record(account: WorkAccount, usage: Unconfirmed | undefined): void {
    this.#account = account;
    this.#usage = usage;
  }

  /** The service has one of its reports; from the last one on the lag counts. */
  acknowledge(lagMs: number, byQueue: boolean, budgets?: readonly string[]): void {
    this.#isUnreported = true;
    this.#leave(lagMs, byQueue, budgets);
  }

  /** The service has accepted one of its reports, and returned the cost. Returns the report's present entry. */
  correct(reportId: string, cost: number, lagMs: number, budgets?: readonly string[]): Entry {
    if (this.#reports === 1) {
      this.#set(cost);
      this.#leave(lagMs, false, budgets);
      return this;
    }
    const own = new Entry(`${reportId}:reported`, cost);
    for (const usage of this.#account?.settle(undefined, [cost]) ?? []) {
      this.#account?.acknowledge(usage, lagMs, false, budgets);
    }
    const isLast = this.#awaited === 1 && !this.#isUnreported;
    this.#set(isLast ? 0 : Math.max(0, this.amount - cost));
    this.#leave(lagMs, false, budgets);
    return own;
  }

  #set(amount: number): void {
    this.amount = amount;
    if (this.#usage !== undefined) this.#account?.correct(this.#usage, amount);
  }

  #leave(lagMs: number, byQueue: boolean, budgets: readonly string[] = none): void {
    this.#awaited--;
    // One that was stored without a budget leaves the others in doubt, too: what each costs is not known.
    this.#budgets = this.#budgets?.filter((key) => budgets.includes(key)) ?? budgets;
    if (this.#awaited === 0 && this.#usage !== undefined) {
      this.#account?.acknowledge(this.#usage, lagMs, byQueue, this.#budgets);
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
  readonly budgets: readonly ReportedBudget[] | undefined;
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
    this.budgets = report.budgets;
    this.entry = entry;
  }

  /**
   * The service, or a queue, has accepted it: once. `cost`: in micro-credits, from an extended service. Returns the
   * entry that it shared until now, if that has lost a part to it.
   */
  acknowledge(lagMs: number, cost?: number, byQueue = false, budgets?: readonly string[]): Entry | undefined {
    if (this.isAcknowledged) return undefined;
    this.isAcknowledged = true;
    const shared = this.entry;
    if (cost === undefined) {
      shared.acknowledge(lagMs, byQueue, budgets);
      return undefined;
    }
    this.entry = shared.correct(this.id, cost, lagMs, budgets);
    return this.entry === shared ? undefined : shared;
  }
}
