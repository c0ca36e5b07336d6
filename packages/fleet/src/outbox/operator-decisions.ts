import type { OutboxReport } from "@creditgate/core";
import type { OutboxDecision } from "@creditgate/core/adapter";
import type { ChangePart, FleetJournal } from "./fleet-journal.ts";
import type { FleetRows } from "./fleet-rows.ts";
import { plainReport } from "./report-rows.ts";
import { changeOf, dropping, noting } from "./row-changes.ts";
import { parseDecision, type RowDecision } from "./row-request.ts";
import { packReport } from "./stored-item.ts";

/** Does what operators have decided on rows of this process. */
export class OperatorDecisions {
  readonly #rows: FleetRows;
  readonly #journal: FleetJournal;
  /** The store gives them once: what it has not done yet is done with the next. */
  readonly #taken: { readonly id: string; readonly decision: RowDecision }[] = [];
  /** Sent with the next one: the store may do a step although its answer is lost. */
  readonly #done: OutboxDecision[] = [];

  constructor(rows: FleetRows, journal: FleetJournal) {
    this.#rows = rows;
    this.#journal = journal;
  }

  /** Takes what has been decided, and does it. What was delivered is remembered until then. */
  async take(rememberUntil: number): Promise<readonly OutboxDecision[]> {
    const requests = await this.#journal.takeRequests();
    const ids =
      requests.length === 0 ? undefined : this.#rows.at(new Set(requests.map(({ place }) => place)));
    for (const { place, text } of requests) {
      const [id, decision] = [ids?.get(place), parseDecision(text)];
      if (id !== undefined && decision !== undefined) this.#taken.push({ id, decision });
    }
    for (let [next] = this.#taken; next !== undefined; [next] = this.#taken) {
      await this.#do(next.id, next.decision, rememberUntil);
      this.#taken.shift();
    }
    return this.#done.splice(0);
  }

  async #do(id: string, decision: RowDecision, rememberUntil: number): Promise<void> {
    const row = this.#rows.reports.get(id);
    if (row === undefined) return this.#doWork(id, decision);
    // Meanwhile it may have been decided otherwise, or have got through.
    const isAside = row.state === "parked" || row.state === "dead";
    if (!isAside || decision.as === "bill") return;
    const { entry } = row;
    const recorded = this.#recording(plainReport(row), decision);
    const items = () => this.#rows.itemsOf([id]);
    if (decision.as === "discard") {
      const dropped = dropping(this.#rows, () => [id]);
      return this.#journal.write(changeOf(items, dropped, recorded));
    }
    const state = decision.as === "retry" ? "queued" : "delivered";
    const noted = noting(this.#rows, () => new Map([[id, { state, entry }]]));
    const remembered: ChangePart = {
      plan() {},
      done: () => {
        if (state === "delivered") this.#rows.reports.remember(id, rememberUntil);
      },
    };
    await this.#journal.write(changeOf(items, noted, remembered, recorded));
  }

  /** Work that is still in flight is not the operator's to decide. */
  async #doWork(id: string, decision: RowDecision): Promise<void> {
    const row = this.#rows.work(id);
    if (row === undefined || !row.isOrphan || decision.as === "retry") return;
    const { hold, ...work } = row.work;
    const rawUsage = decision.as === "bill" ? decision.usage : {};
    const report = { ...work, rawUsage, entry: { id, amount: hold } };
    const text = packReport(report, Date.now());
    const items = () => [id];
    const ended: ChangePart = {
      plan: (plan) => {
        plan.drop(row.place);
        if (decision.as === "bill") plan.add(text);
      },
      done: ([place], lane) => {
        this.#rows.removeWork(id);
        if (place !== undefined) this.#rows.addReport(report, text, place, lane);
      },
    };
    await this.#journal.write(changeOf(items, ended, this.#recording(report, decision)));
  }

  #recording(report: OutboxReport, { as, reason }: RowDecision): ChangePart {
    return { plan() {}, done: () => void this.#done.push({ report, as, reason }) };
  }
}
