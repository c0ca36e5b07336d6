import type { OutboxReport, OutboxStatus } from "../outbox/outbox.ts";
import type { Entry, Report } from "../outbox/report.ts";
import type { Ledger } from "../wallet/ledger.ts";
import type { Delivery } from "./delivery.ts";

/**
 * Hands reports to a queue. It is not known here when its consumer delivers them: the settlement lag counts from the
 * queue's acceptance, and has to cover the time that they spend in it.
 */
export class QueueDelivery implements Delivery {
  readonly refusal = undefined;
  readonly left: ReadonlyMap<string, Entry> = new Map();
  readonly sending: readonly OutboxReport[] = [];
  readonly #queue: UsageQueue;
  readonly #settlementLagMs: number;
  #onTheirWay = 0;

  constructor(queue: UsageQueue, settlementLagMs: number) {
    this.#queue = queue;
    this.#settlementLagMs = settlementLagMs;
  }

  async store(reports: readonly Report[], workId?: string): Promise<void> {
    this.#onTheirWay += reports.length;
    try {
      await this.#queue.send(reports, workId);
      await this.#queue.flush();
    } finally {
      this.#onTheirWay -= reports.length;
    }
  }

  release(reports: readonly Report[]): undefined {
    for (const report of reports) report.acknowledge(this.#settlementLagMs, undefined, true);
  }

  start(): void {}

  hurry(): void {}

  flush(): Promise<OutboxStatus> {
    return this.status();
  }

  async status(): Promise<OutboxStatus> {
    return { queued: this.#onTheirWay, parked: 0, dead: 0 };
  }

  stop(): void {}
}

/** A ledger that takes the usage too, in the step that ends its hold: a gate on it has no other delivery. */
export interface DeliveringLedger extends Ledger {
  readonly queue: UsageQueue;
}

/**
 * A queue of somebody else's (Cloudflare Queues, SQS, QStash), for processes that may end with their request: what it
 * has accepted, its consumer delivers, with the report's id as idempotency key. The other way is an {@link Outbox}.
 */
export interface UsageQueue {
  /**
   * Hands the reports over, and may gather them until `flush`. Those that come again, by their id, count once. `workId`: the work
   * that they end, if it has a hold.
   */
  send(reports: readonly OutboxReport[], workId?: string): Promise<void>;
  /** Resolves when all that was sent has been accepted for good; rejects if some of it was not. */
  flush(): Promise<void>;
}
