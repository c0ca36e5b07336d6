import type { OutboxReport } from "./outbox.ts";

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
