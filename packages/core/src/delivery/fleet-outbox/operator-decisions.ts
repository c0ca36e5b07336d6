import type { OutboxDecision, OutboxReport } from "../outbox.ts";
import type { FleetJournal } from "./fleet-journal.ts";
import type { FleetRows } from "./fleet-rows.ts";
import { plainReport } from "./report-rows.ts";
import { dropping, noting } from "./row-changes.ts";
import { parseDecision, type RowDecision } from "./row-request.ts";
import { packReport } from "./stored-item.ts";

/** Does what operators have decided on rows of this process. */
export class OperatorDecisions {
  readonly #rows: FleetRows;
  readonly #journal: FleetJournal;

  constructor(rows: FleetRows, journal: FleetJournal) {
    this.#rows = rows;
    this.#journal = journal;
  }

  /** Takes what has been decided, and does it. What was delivered is remembered until then. */
  async take(rememberUntil: number): Promise<readonly OutboxDecision[]> {
    const requests = await this.#journal.takeRequests();
    if (requests.length === 0) return [];
    const ids = this.#rows.at(new Set(requests.map(({ place }) => place)));
    const done: OutboxDecision[] = [];
    for (const { place, text } of requests) {
      const [id, decision] = [ids.get(place), parseDecision(text)];
      if (id === undefined || decision === undefined) continue;
      const report = await this.#do(id, decision, rememberUntil);
      if (report !== undefined) done.push({ report, as: decision.as, reason: decision.reason });
    }
    return done;
  }

  async #do(id: string, decision: RowDecision, rememberUntil: number): Promise<OutboxReport | undefined> {
    const row = this.#rows.reports.get(id);
    if (row === undefined) return this.#doWork(id, decision);
    // Meanwhile it may have been decided otherwise, or have got through.
    const isAside = row.state === "parked" || row.state === "dead";
    if (!isAside || decision.as === "bill") return undefined;
    const { entry } = row;
    if (decision.as === "discard") await this.#journal.write(dropping(this.#rows, () => [id]));
    else {
      const state = decision.as === "retry" ? "queued" : "delivered";
      await this.#journal.write(noting(this.#rows, () => new Map([[id, { state, entry }]])));
      if (state === "delivered") this.#rows.reports.remember(id, rememberUntil);
    }
    return plainReport(row);
  }

  /** Work that is still in flight is not the operator's to decide. */
  async #doWork(id: string, decision: RowDecision): Promise<OutboxReport | undefined> {
    const row = this.#rows.work(id);
    if (row === undefined || !row.isOrphan || decision.as === "retry") return undefined;
    const { hold, ...work } = row.work;
    const rawUsage = decision.as === "bill" ? decision.usage : {};
    const report = { ...work, rawUsage, entry: { id, amount: hold } };
    const text = packReport(report, Date.now());
    await this.#journal.write({
      plan: (plan) => {
        plan.drop(row.place);
        if (decision.as === "bill") plan.add(text);
      },
      done: ([place], lane) => {
        this.#rows.removeWork(id);
        if (place !== undefined) this.#rows.addReport(report, text, place, lane);
      },
    });
    return report;
  }
}
