import type { BlockJournal, NotedBlock } from "../../wallet/ledger.ts";
import type { FleetJournal } from "./fleet-journal.ts";
import { blockItem, type FleetRows } from "./fleet-rows.ts";
import { packBlock } from "./stored-item.ts";

/** The blocks of credits that processes may have in a shared ledger, among the rows of an outbox. */
export class FleetBlocks implements BlockJournal {
  readonly #rows: FleetRows;
  readonly #journal: FleetJournal;

  constructor(rows: FleetRows, journal: FleetJournal) {
    this.#rows = rows;
    this.#journal = journal;
  }

  begin(block: NotedBlock): Promise<void> {
    const text = packBlock(block, Date.now());
    return this.#journal.write({
      items: () => [blockItem(block)],
      plan: (plan) => {
        if (this.#rows.block(block) !== undefined) return;
        plan.add(text);
        plan.changeLedger(block.process, 1);
      },
      done: ([place], lane) => {
        if (place !== undefined) this.#rows.addBlock(block, text, place, lane);
      },
    });
  }

  end(account: string, processes: readonly string[]): Promise<void> {
    return this.#journal.write({
      items: () => processes.map((process) => blockItem({ account, process })),
      plan: (plan) => {
        for (const process of new Set(processes)) {
          const row = this.#rows.block({ account, process });
          if (row === undefined) continue;
          plan.drop(row.place);
          plan.changeLedger(process, -1);
        }
      },
      done: () => {
        for (const process of processes) this.#rows.removeBlock({ account, process });
      },
    });
  }

  /** Those that no living process can have. */
  gone(which: "all" | "fresh"): readonly NotedBlock[] {
    const rows = this.#rows.blocks().filter(({ block, isOwn, isFresh }) => {
      return !isOwn && (isFresh || which === "all") && this.#journal.isGone(block.process);
    });
    return rows.map(({ block }) => block);
  }
}
