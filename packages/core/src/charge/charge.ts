import { reportedBudgets } from "#budgets";
import { verbose } from "#verbosity";
import { Entry, Report } from "../outbox/report.ts";
import type { Awaitable } from "../values/awaitable.ts";
import { fromMicro, toMicro } from "../values/micro.ts";
import { checkIdentifier, checkNumber, invalidOption } from "../values/option.ts";
import {
  checkedOverrides,
  checkedUsage,
  lacksCounts,
  type ReportOverrides,
  salvagedUsage,
  type Usage,
} from "../values/usage.ts";
import { checkBounds, type HoldAmount } from "../wallet/hold.ts";
import { AbandonedCharge, type Disconnect } from "./abandoned-work.ts";
import type { AdmittedWork, OpenCharge } from "./admitted-work.ts";
import { entriesOf, shareRest } from "./bill.ts";
import type { Billing } from "./billing.ts";
import { ClientSignal } from "./client-signal.ts";
import { type Extension, extend } from "./extension.ts";
import type { Inside } from "./inside.ts";

/** One piece of admitted work, from its hold to its bill. In a handler, `credits` is this. */
export interface Charge {
  /** Whether the work goes on: neither settled nor released. */
  readonly open: boolean;
  /** A copy of what has been reported so far, since the last pause if there was one, in the form that the service receives. */
  readonly reported: readonly Usage[];
  /** Credits held for the work, in all. */
  readonly held: number;
  /** Aborts when the client disconnects. Pass it to the model, so that the work ends. */
  readonly signal: AbortSignal;
  /**
   * Holds more, for work that may cost more than it was let in for: all of it or nothing, or with `min` and `max` what there is. Decides as
   * `authorize()` does, also while the gate closes. Rejects with an `invalid_option` error for an amount that makes no sense, and
   * for work that has ended.
   */
  extend(amount: HoldAmount): Promise<Extension>;
  /**
   * Bills usage, as often as the work calls a model. Never waits. After `settle()` the usage is still billed, with
   * the event `late`. Throws an `invalid_option` error that names a malformed or unknown field. The model has worked,
   * so what can be understood of the usage is billed all the same, with the event `degraded`. A next report with the
   * same numbers replaces it (after `settle()` both are billed).
   */
  report(usage: Usage, overrides?: ReportOverrides): void;
  /**
   * The work has ended: what was reported is billed, or `instead` of it and of all that may yet come. Idempotent.
   * Resolves when the reports are durable, and keeps trying until then; rejects only when the gate has given up
   * after `close()`, which need not be caught. Throws an `invalid_option` error for an `instead` that makes no sense.
   */
  settle(instead?: readonly Usage[]): Promise<void>;
  /** The work has cost nothing: gives the hold back and drops what was reported. Without effect after `settle()`. */
  release(): void;
  /**
   * Call it when the client disconnects: `signal` aborts, once. The hold stays until the work has ended. Adapters
   * pass how they notice that end, see `disconnect()` of {@link Admission}.
   */
  disconnect(disconnect?: Disconnect): void;
  /**
   * For what reports when it has ended, such as a metered model: calls `close` once, before the work is billed, so that what
   * goes on still reports in time, and what it registers is called too. What it throws is dropped. Returns what takes it back.
   * Without effect after the end.
   */
  beforeBill(close: () => void): () => void;
  /** Has all that waits for the bill report now. `settle()` and `release()` do, by themselves. */
  endCalls(): void;
}

const settled = Promise.resolve();
const noOverrides: ReportOverrides = {};
const none: Report[] = [];

export class GateCharge extends ClientSignal implements Charge, OpenCharge {
  open = true;
  // Private, as all but `open` is: a handler may log its charge, or answer with it.
  readonly #admitted: AdmittedWork;
  readonly #billing: Billing;
  #reports = none;
  #drafted = 0;
  /** What the reports without a price share. */
  #shared: Entry | undefined;
  #settling: Promise<void> | undefined;
  /** The last report, if it is what could be understood of one that was refused. */
  #doubtful: Report | undefined;
  #abandoned: AbandonedCharge | undefined;
  /** What reports before the bill is drawn. */
  #calls: BillCalls | undefined;
  /** Its bill has been decided elsewhere, so that late reports of the same work would count twice. */
  #replaced = false;
  #isBilledInPart = false;

  constructor(admitted: AdmittedWork, billing: Billing) {
    super();
    this.#admitted = admitted;
    this.#billing = billing;
  }

  get reported(): readonly Usage[] {
    // Copies: what a handler does to them must not change the bill.
    return this.#reports.map(({ rawUsage }) => ({ ...rawUsage }));
  }

  get held(): number {
    return fromMicro(this.#admitted.held);
  }

  /** For functions that a bundle has only if it uses them: methods would be in each. */
  get inside(): Inside {
    const isMetered = this.#calls?.isEmpty === false;
    const isBilledInPart = this.#isBilledInPart;
    const hasReported = this.#reports.length > 0;
    const untouched = !hasReported && !isMetered && !isBilledInPart && !this.#abandoned;
    return {
      admitted: this.#admitted,
      billing: this.#billing,
      untouched,
      hasReported,
      isMetered,
      isBilledInPart,
      isAbandoned: this.fired,
      billSoFar: () => this.#billSoFar(),
    };
  }

  get extend(): Charge["extend"] {
    return async (amount) =>
      extend(this.#admitted, checkBounds("amount", amount), () => this.open, this.#billing.extension);
  }

  // These need no receiver: handlers take them out of `credits`, and work whose report() failed would be free.
  get report(): Charge["report"] {
    return (usage, overrides = noOverrides) => this.#report(usage, overrides);
  }

  get settle(): Charge["settle"] {
    return (instead) => this.#settle(instead);
  }

  get release(): Charge["release"] {
    return () => this.#release();
  }

  #report(usage: Usage, overrides: ReportOverrides): void {
    const report = this.#draftOrRefuse(usage, overrides);
    if (this.open && this.#doubtful !== undefined && corrects(report, this.#doubtful)) this.#reports.pop();
    this.#doubtful = undefined;
    this.#take(report, usage);
    this.#abandoned?.reported();
  }

  /** Returns whether it is billed: not if it is of work that is. */
  #take(report: Report, usage: Usage): boolean {
    if (this.#admitted.screen?.covers(report, usage, this.#reports, this.open)) return false;
    if (!this.open) this.#reportLate(report);
    // Most work is reported once, and an array that grows makes room for many.
    else if (this.#reports.length === 0) this.#reports = [report];
    else this.#reports.push(report);
    return true;
  }

  #draftOrRefuse(usage: Usage, overrides: ReportOverrides): Report {
    try {
      return this.#draft(usage, overrides === noOverrides ? overrides : checkedOverrides(overrides));
    } catch (error) {
      // The model has worked: without this line a misspelt field would make its work free.
      const report = this.#salvaged(usage, overrides);
      if (this.#take(report, report.rawUsage)) this.#doubtful = report;
      this.#billing.events.emit("degraded", {
        what: "usage",
        error,
        customerId: this.#admitted.work.customerId,
      });
      throw error;
    }
  }

  #salvaged(usage: Usage, overrides: ReportOverrides): Report {
    const understood = salvagedUsage(usage);
    const { inputTokens, outputTokens } = understood;
    const isCountless = inputTokens === undefined && outputTokens === undefined;
    // As where the provider sent no counts: those of the default are billed.
    const salvaged =
      isCountless && this.#admitted.work.defaultUsage !== undefined
        ? { ...understood, inputTokens, outputTokens }
        : understood;
    try {
      return this.#draft(salvaged, overrides);
    } catch {
      return this.#draft(salvaged, {});
    }
  }

  #settle(instead?: readonly Usage[]): Promise<void> {
    if (this.open) {
      const replacing = instead === undefined ? undefined : this.#replacing(instead);
      this.endCalls();
      // Reports have listeners, which may call settle().
      if (this.open) this.#end(replacing);
    }
    return this.#settling ?? settled;
  }

  #end(replacing: Report[] | undefined): void {
    this.#replaced = replacing !== undefined;
    this.#reports = replacing ?? this.#reports;
    const reports = this.#bill();
    // Set first: a listener may call settle() again.
    this.open = false;
    this.#whenFiled(this.#billing.settle(this.#admitted, reports), reports);
    this.#abandoned?.end();
    this.#admitted.resume?.();
  }

  #replacing(instead: readonly Usage[]): Report[] {
    if (!Array.isArray(instead)) invalidOption("instead", verbose && "an array of usages", instead);
    return instead.map((usage) => this.#draft(usage, noOverrides));
  }

  /** What was reported since the hold; what has no price shares the rest of that. */
  #bill(): readonly Report[] {
    shareRest(this.#reports, this.#admitted.held);
    return this.#reports;
  }

  #billSoFar(): Awaitable<void> {
    const reports = this.#bill();
    this.#isBilledInPart ||= reports.length > 0;
    this.#reports = none;
    this.#drafted = 0;
    this.#shared = undefined;
    this.#doubtful = undefined;
    const filed = this.#billing.settlePart(this.#admitted.part(), reports);
    return this.#whenFiled(filed, reports.length > 0 ? reports : undefined);
  }

  #release(): void {
    if (!this.open) return;
    this.endCalls();
    this.#reports = none;
    void this.#settle();
  }

  beforeBill(close: () => void): () => void {
    if (!this.open) return () => {};
    this.#calls ??= new BillCalls();
    return this.#calls.add(close);
  }

  endCalls(): void {
    this.#calls?.end();
  }

  disconnect(disconnect?: Disconnect): void {
    const begins = disconnect !== undefined && this.#abandoned === undefined;
    if (begins) {
      const { indicator } = this.#admitted.work;
      this.#abandoned = new AbandonedCharge(
        this.#billing.abandonedWork,
        { indicator, usesSignal: () => this.taken },
        disconnect,
      );
    }
    // Usage that abort listeners report counts as reported since the disconnect.
    this.fire();
    this.#admitted.resume?.();
    if (!begins) return;
    if (this.open) this.#abandoned?.begin();
    else this.#abandoned?.end();
  }

  /** The gate closes: bills what was reported, or by `onAbort` after a disconnect. */
  cutOff(): boolean {
    if (!this.open) return false;
    const hadCalls = this.#calls?.isEmpty === false;
    this.endCalls();
    this.#abandoned?.end();
    if (this.#reports.length > 0) void this.#settle();
    return hadCalls && this.open;
  }

  /** Emits the bill, if there is one. Returns a promise if the outbox answers later, to this bill or to one that a pause has drawn. */
  #whenFiled(filing: Awaitable<void>, bill?: readonly Report[]): Promise<void> | undefined {
    if (this.#settling || filing instanceof Promise) return this.#whenFiledLater(filing, bill);
    return this.#emit(bill);
  }

  #whenFiledLater(filing: Awaitable<void>, bill?: readonly Report[]): Promise<void> {
    const both = Promise.all([this.#settling, filing]);
    this.#settling = this.#keepAlive(both.then(() => this.#emit(bill)));
    return this.#settling;
  }

  #emit(reports?: readonly Report[]): undefined {
    if (reports === undefined || !this.#billing.events.has("settled")) return;
    const { customerId, currency } = this.#admitted.work;
    const credits = fromMicro(
      entriesOf(reports).reduce((sum, { amount }) => sum + amount, this.#admitted.elsewhere),
    );
    this.#billing.events.emit("settled", { customerId, currency, reports: reports.length, credits });
  }

  #reportLate(report: Report): void {
    const { customerId, currency } = this.#admitted.work;
    const billed = !this.#replaced;
    if (billed) {
      // Its hold is gone; unpriced, it may have cost all that the hold was for.
      const { work } = this.#admitted;
      // Looked up anew: a customer without a hold may have been evicted, and be back since.
      const late = { work, account: undefined, hold: undefined };
      shareRest([report], this.#admitted.held);
      const billing = this.#billing.file(late, [report]);
      if (billing instanceof Promise) this.#keepAlive(billing);
    }
    this.#billing.events.emit("late", { customerId, currency, billed });
  }

  /** What is not done yet must not end with the request. */
  #keepAlive(billing: Promise<void>): Promise<void> {
    const { waitUntil, customerId } = this.#admitted.work;
    // Avoids an unhandled rejection when it is not awaited.
    const over = billing.catch(() => {});
    try {
      waitUntil?.(over);
    } catch (error) {
      this.#billing.events.emit("degraded", { what: "delivery", error, customerId });
    }
    return billing;
  }

  /** Where the provider has sent no counts, those of the default: else the dearest work might be billed as none. */
  #counted(given: Usage, usage: Usage): Usage {
    if (!lacksCounts(given)) return usage;
    const { customerId, indicator, defaultUsage } = this.#admitted.work;
    const billed =
      verbose &&
      (defaultUsage === undefined
        ? "no tokens are billed; set defaultUsage"
        : "those of defaultUsage are billed");
    const name = JSON.stringify(indicator);
    const error = new TypeError(
      verbose ? `a report for indicator ${name} has no token counts, so ${billed}` : name,
    );
    this.#billing.events.emit("degraded", { what: "counts", error, customerId });
    const { inputTokens, outputTokens } = defaultUsage ?? {};
    return {
      ...usage,
      ...(inputTokens !== undefined && { inputTokens }),
      ...(outputTokens !== undefined && { outputTokens }),
    };
  }

  #draft(usage: Usage, overrides: ReportOverrides): Report {
    const rawUsage = this.#billing.accepted(this.#counted(usage, checkedUsage("usage", usage)));
    const { work } = this.#admitted;
    const { customerId, currency } = work;
    const { agentId = work.agentId, indicator = work.indicator } = overrides;
    const credits =
      overrides.credits === undefined
        ? this.#billing.price(rawUsage)
        : checkNumber("credits", overrides.credits, 0, Number.MAX_VALUE);
    if (overrides !== noOverrides) {
      checkIdentifier("agentId", agentId);
      checkIdentifier("indicator", indicator);
    }
    // Unique for ever, as that of the work is; most work is reported once, and then has one id in all.
    const id = this.#drafted++ ? `${work.id}:${this.#drafted}` : work.id;
    const entry = credits === undefined ? this.#unpriced(id) : pricedEntry(id, credits);
    // Queues take data: the work has functions.
    if (overrides !== noOverrides) entry.admittedAs = { agentId: work.agentId, indicator: work.indicator };
    const budgets = work.budgets && reportedBudgets(this.#admitted);
    return new Report({ id, customerId, agentId, indicator, rawUsage, currency, budgets }, entry);
  }

  #unpriced(id: string): Entry {
    // A late report has one of its own.
    if (!this.open) return new Entry(id, 0);
    this.#shared ??= new Entry(id, 0);
    return this.#shared;
  }
}

/** Whether the report repeats what was understood of the refused one. Another piece of work has other numbers. */
function corrects({ rawUsage }: Report, { rawUsage: refused }: Report): boolean {
  const { inputTokens, outputTokens } = refused;
  // A report of which no number was understood has none in common with another.
  if (inputTokens === undefined && outputTokens === undefined) return false;
  const same = (field: "inputTokens" | "outputTokens") =>
    refused[field] === undefined || refused[field] === rawUsage[field];
  return same("inputTokens") && same("outputTokens");
}

function pricedEntry(id: string, credits: number): Entry {
  return new Entry(id, toMicro(credits, "ceil"), toMicro(credits, "floor"));
}

/** How many calls those that are called may add: without an end to it the work would never be billed. */
const mostAdded = 1_000;

/** What reports before the bill of a piece of work is drawn. */
export class BillCalls {
  readonly #waiting = new Set<() => void>();
  #ending = false;

  /** Returns what takes it back. */
  add(close: () => void): () => void {
    // One of its own: a function may be given twice.
    const call = () => close();
    this.#waiting.add(call);
    return () => this.#waiting.delete(call);
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Calls each once, those too that are added meanwhile. */
  end(): void {
    // Else calls that add one and end all would call each other until the stack is full.
    if (this.#ending) return;
    this.#ending = true;
    let left = this.#waiting.size + mostAdded;
    for (const close of this.#waiting) {
      this.#waiting.delete(close);
      try {
        close();
      } catch {
        // The work must be billed all the same.
      }
      if (--left === 0) break;
    }
    this.#ending = false;
  }
}
