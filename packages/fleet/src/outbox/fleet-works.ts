import type { OpenWork, WorkJournal } from "@creditgate/core/adapter";
import type { FleetJournal } from "./fleet-journal.ts";
import type { FleetRows } from "./fleet-rows.ts";
import { packWork } from "./stored-item.ts";

/** Work in flight, among the rows of an outbox. */
export class FleetWorks implements WorkJournal {
  readonly #rows: FleetRows;
  readonly #journal: FleetJournal;

  constructor(rows: FleetRows, journal: FleetJournal) {
    this.#rows = rows;
    this.#journal = journal;
  }

  begin(work: OpenWork): Promise<void> {
    const text = packWork(work, Date.now());
    return this.#journal.write({
      items: () => [work.id],
      plan: (plan) => {
        // Begun before: its hold is another one from now on.
        const before = this.#rows.work(work.id);
        if (before !== undefined) plan.drop(before.place);
        plan.add(text);
      },
      done: ([place], lane) => {
        if (place === undefined) return;
        this.#rows.removeWork(work.id);
        this.#rows.addWork(work, text, place, lane);
      },
    });
  }

  end(id: string): Promise<void> {
    return this.#journal.write({
      items: () => [id],
      plan: (plan) => {
        const work = this.#rows.work(id);
        if (work !== undefined) plan.drop(work.place);
      },
      done: () => this.#rows.removeWork(id),
    });
  }
}
