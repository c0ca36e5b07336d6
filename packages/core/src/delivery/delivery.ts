import type { Awaitable } from "../wallet/ledger.ts";
import type { OutboxReport, OutboxStatus } from "./outbox.ts";

/** Sees to it that the service gets the reports: from an outbox, through a queue, or within the request. */
export interface Reporter {
  /** Whether admission must stop. */
  readonly full: boolean;
  /**
   * Makes the reports as safe as it can, and has the ledger record them before anything of them is acknowledged. In the
   * same durable step the open work of this id ends. Resolves with those of which it has tried enough, if there are any. When it throws or rejects, the same reports may be brought again.
   */
  take(
    reports: readonly OutboxReport[],
    record: () => Awaitable<void>,
    workId?: string,
  ): Awaitable<readonly OutboxReport[] | undefined>;
  /** Begins with what an earlier process has left. `keysWritten`: the outbox knows that the service honours keys. */
  start(keysWritten: boolean): void;
  /** Tries at once, also in the midst of a pause. */
  hurry(): void;
  /** Hurries, and resolves with what is left when nothing is any more, or `timeoutMs` have passed. */
  flush(timeoutMs: number): Promise<OutboxStatus>;
  /** Sends nothing more. Done when what has been sent is answered. */
  stop(): Awaitable<void>;
}
