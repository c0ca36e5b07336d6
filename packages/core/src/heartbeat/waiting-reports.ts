import { oneLine, type WaitingReport } from "@creditgate/client";
import { asObserver } from "../events/events.ts";
import type { Gate } from "../gate/gate.ts";
import type { OutboxReport } from "../outbox/outbox.ts";
import { errorMessage } from "../values/error-message.ts";
import { fromMicro } from "../values/micro.ts";

/** As many as a heartbeat carries. */
const most = 100;
const mostCharacters = 400;

/** The reports that a gate has set aside since it was asked to be watched, the oldest first; of very many the first. */
export class WaitingReports {
  readonly #reports = new Map<string, WaitingReport>();
  readonly #ends: readonly (() => void)[];

  constructor(gate: Pick<Gate, "on">) {
    const gone = asObserver(({ report }: { readonly report: OutboxReport }) => {
      this.#reports.delete(report.id);
    });
    this.#ends = [
      gate.on(
        "parked",
        asObserver(({ report, error }) => this.#add("parked", report, error)),
      ),
      gate.on(
        "dead",
        asObserver(({ report, error }) => this.#add("dead", report, error)),
      ),
      gate.on("delivered", gone),
      gate.on("resolved", gone),
    ];
  }

  get all(): readonly WaitingReport[] {
    return [...this.#reports.values()].slice(0, most);
  }

  end(): void {
    for (const end of this.#ends) end();
  }

  #add(state: WaitingReport["state"], report: OutboxReport, error: unknown): void {
    const { id, customerId, agentId, indicator, entry } = report;
    // Nobody reads more names than that: only their number is sent.
    if (!this.#reports.has(id) && this.#reports.size >= 10 * most) return;
    this.#reports.set(id, {
      id,
      state,
      customerId,
      agentId,
      indicator,
      credits: fromMicro(entry.amount),
      reason: oneLine(errorMessage(error), mostCharacters),
      since: new Date().toISOString(),
    });
  }
}
