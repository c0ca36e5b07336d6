import type { OutboxReport } from "@creditgate/core";
import { FairQueue, type QueuedNames } from "@creditgate/core/adapter";

type Waiting = QueuedNames & Pick<OutboxReport, "id">;

/** Which reports may be handed out, by their ids: customers, agents and indicators take turns. Storage has the rest of them. */
export class WaitingReports {
  readonly #queue: FairQueue<Waiting> = new FairQueue((waiting) => waiting);
  readonly #waiting = new Map<string, Waiting>();

  /** Behind the others, once. */
  add({ id, customerId, agentId, indicator }: Waiting): void {
    if (this.#waiting.has(id)) return;
    const waiting = { id, customerId, agentId, indicator };
    this.#waiting.set(id, waiting);
    this.#queue.add(waiting);
  }

  delete(id: string): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    this.#queue.delete(waiting);
  }

  /** Removes at most `limit` of them. */
  take(limit: number): readonly string[] {
    const ids = this.#queue.take(limit).map(({ id }) => id);
    for (const id of ids) this.#waiting.delete(id);
    return ids;
  }
}
