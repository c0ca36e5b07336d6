import { CreditgateError } from "@creditgate/client";
import { verbose } from "#verbosity";
import type { GateEvents } from "../events/events.ts";
import type { Report } from "../outbox/report.ts";
import type { ReportedCost } from "../service/outcome.ts";
import { fromMicro } from "../values/micro.ts";

/** More indicators than any application has: what grows without a bound ends a process. */
const mostLogged = 100;

/**
 * The costs that an extended service returns. If the gate expected otherwise, an event is emitted once for each
 * indicator.
 */
export class ReportedCosts {
  readonly #events: GateEvents;
  readonly #logged = new Set<string>();

  constructor(events: GateEvents) {
    this.#events = events;
  }

  /** What the report takes from its wallet, in micro-credits; `undefined` if the service is not extended. */
  read(report: Report, cost: ReportedCost | undefined): number | undefined {
    if (cost === undefined) return undefined;
    const { currency, entry } = report;
    if (cost.currency !== currency) {
      const billed =
        verbose && (cost.currency === null ? "not billed in CREDITS" : `billed in "${cost.currency}"`);
      this.#log(
        report,
        "currency",
        verbose
          ? `expected one that is billed in "${currency}", received one that is ${billed}`
          : `${cost.currency}`,
      );
      return 0;
    }
    if (cost.amount > entry.amount) {
      const [costs, recorded] = [fromMicro(cost.amount), fromMicro(entry.amount)];
      const message = verbose
        ? `a report costs ${costs} credits, of which ${recorded} were recorded; let price() and the hold cover the service's rates, as creditgate doctor prints them`
        : `${costs} > ${recorded}`;
      this.#log(report, "cost", message);
    }
    return cost.amount;
  }

  #log({ customerId, indicator }: Report, kind: string, message: string): void {
    const logged = `${kind} ${indicator}`;
    if (this.#logged.has(logged) || this.#logged.size >= mostLogged) return;
    this.#logged.add(logged);
    const error = new CreditgateError("invalid_option", `indicator ${JSON.stringify(indicator)}: ${message}`);
    this.#events.emit("degraded", { what: "debit", error, customerId });
  }
}
