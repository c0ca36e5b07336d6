import { CreditgateError } from "@creditgate/client";
import type { GateEvents } from "../events/events.ts";
import { fromMicro } from "../values/micro.ts";
import type { ToldCost } from "./outcome.ts";
import type { Report } from "./report.ts";

/** More indicators than any application has: what grows without a bound ends a process. */
const mostTold = 100;

/** What the service tells that reports cost. Where the gate expected otherwise the operator is told, once for each indicator. */
export class ToldCosts {
  readonly #events: GateEvents;
  readonly #told = new Set<string>();

  constructor(events: GateEvents) {
    this.#events = events;
  }

  /** What the report takes from its wallet, in micro-credits; `undefined` where the service does not tell. */
  read(report: Report, cost: ToldCost | undefined): number | undefined {
    if (cost === undefined) return undefined;
    const { currency, entry } = report;
    if (cost.currency !== currency) {
      const billed = cost.currency === null ? "not billed in CREDITS" : `billed in "${cost.currency}"`;
      this.#tell(
        report,
        "currency",
        `expected one that is billed in "${currency}", received one that is ${billed}`,
      );
      return 0;
    }
    if (cost.amount > entry.amount) {
      const figures = `${fromMicro(cost.amount)} credits, of which ${fromMicro(entry.amount)} were recorded`;
      this.#tell(
        report,
        "cost",
        `a report costs ${figures}; let price() and the hold cover the service's rates, as creditgate doctor prints them`,
      );
    }
    return cost.amount;
  }

  #tell({ customerId, indicator }: Report, kind: string, message: string): void {
    const told = `${kind} ${indicator}`;
    if (this.#told.has(told) || this.#told.size >= mostTold) return;
    this.#told.add(told);
    const error = new CreditgateError("invalid_option", `indicator ${JSON.stringify(indicator)}: ${message}`);
    this.#events.emit("degraded", { what: "debit", error, customerId });
  }
}
