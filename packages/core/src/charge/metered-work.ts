import type { Report } from "../outbox/report.ts";
import type { ReportOverrides, Usage } from "../values/usage.ts";
import type { MeteredCall, ReportScreen } from "./admitted-work.ts";
import type { Charge } from "./charge.ts";
import { emitDuplicate, type Inside, insideOf } from "./inside.ts";
import { isUsageOf } from "./same-usage.ts";

/** A metered call that was reported. */
interface Metered extends MeteredCall {
  readonly report: Report;
  /** With the parts that the service may not take. */
  readonly usage: Usage;
  /** How many reports of its handler were of it. */
  reports: number;
}

/** More calls than a handler reports as one. */
const mostCalls = 64;
/** As a step, in the total of all steps, and as the last one: with more of them other work of the same counts would be free. */
const mostReports = 3;

/**
 * Reports a metered call to its charge. Returns whether it is billed: not if a wrapper within the wrapper has reported it. From
 * now on what the handler reports of the call is not billed again.
 */
export function reportMetered(
  charge: Pick<Charge, "report">,
  usage: Usage,
  overrides: ReportOverrides,
  call: MeteredCall,
): boolean {
  const inside = insideOf(charge);
  if (inside === undefined) {
    charge.report(usage, overrides);
    return true;
  }
  const { admitted } = inside;
  admitted.screen ??= new MeteredWork(inside);
  return admitted.screen.meter(usage, overrides, call, () => charge.report(usage, overrides));
}

/** A call that another wrapper meters for the same charge. */
export function emitMeteredTwice(charge: object, names: Names = {}): void {
  const inside = insideOf(charge);
  if (inside !== undefined) emitDuplicate(inside, { what: "meter", billed: "once" }, names);
}

/** Usage that a meter and a handler have both reported for the same charge. */
export function emitReportedTwice(charge: object, usage: Usage): void {
  const inside = insideOf(charge);
  if (inside !== undefined) emitDuplicate(inside, { what: "report", billed: "once", usage });
}

type Names = Pick<ReportOverrides, "agentId" | "indicator">;

/** Compares what is reported for one charge, by meters and by its handler. */
class MeteredWork implements ReportScreen {
  readonly #inside: Inside;
  readonly #calls: Metered[] = [];
  /** What is being reported by a meter. */
  #metering: (MeteredCall & { readonly usage: Usage }) | undefined;

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  meter(usage: Usage, { agentId, indicator }: Names, call: MeteredCall, report: () => void): boolean {
    const { work } = this.#inside.admitted;
    const names = { agentId: agentId ?? work.agentId, indicator: indicator ?? work.indicator };
    // A call within the call: calls at once are made by wrappers of one kind.
    const isWithin = (other: Metered) => other.meter !== call.meter && other.began > call.began;
    if (
      this.#calls.some((one) => isWithin(one) && isNamed(one.report, names) && isUsageOf(usage, [one.usage]))
    ) {
      emitDuplicate(this.#inside, { what: "meter", billed: "once", usage }, names);
      return false;
    }
    this.#metering = { ...call, usage };
    try {
      report();
    } finally {
      this.#metering = undefined;
    }
    return true;
  }

  covers(report: Report, usage: Usage, reports: Report[], isOpen: boolean): boolean {
    const metering = this.#metering;
    if (metering === undefined) {
      // Of equal calls each gets its report.
      const lasts = [...this.#calls.entries()].sort(([, one], [, other]) => one.reports - other.reports);
      const isMetered = lasts.some(([last]) => this.#isOfRun(report, usage, last));
      if (isMetered) this.#emit(report, usage);
      return isMetered;
    }
    this.#calls.push({ ...metering, report, reports: 0 });
    if (this.#calls.length > mostCalls) this.#calls.shift();
    const last = this.#calls.length - 1;
    const isHandlers = (one: Report) => !this.#calls.some((call) => call.report === one);
    const index = reports.findIndex((one) => isHandlers(one) && this.#isOfRun(one, one.rawUsage, last));
    const other = reports[index];
    if (other === undefined) return false;
    // The meter knows model and parts, which the handler may not.
    if (isOpen) reports[index] = report;
    this.#emit(other, other.rawUsage);
    return true;
  }

  /** Whether the report is of the call at `last`, alone or with those before it, as the total of several steps is. */
  #isOfRun(report: Report, usage: Usage, last: number): boolean {
    const run: Metered[] = [];
    const usages: Usage[] = [];
    for (let index = last; index >= 0; index--) {
      const call = this.#calls[index];
      if (call === undefined || call.reports === mostReports || !isNamed(call.report, report)) return false;
      run.push(call);
      usages.push(call.usage);
      if (!isUsageOf(usage, usages)) continue;
      for (const one of run) one.reports++;
      return true;
    }
    return false;
  }

  #emit(report: Report, usage: Usage): void {
    emitDuplicate(this.#inside, { what: "report", billed: "once", usage: { ...usage } }, report);
  }
}

function isNamed(report: Report, { agentId, indicator }: Names): boolean {
  return report.agentId === agentId && report.indicator === indicator;
}
