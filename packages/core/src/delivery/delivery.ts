import type { OutboxDecision, OutboxReport, OutboxStatus } from "../outbox/outbox.ts";
import type { Entry, Report } from "../outbox/report.ts";
import type { Awaitable } from "../values/awaitable.ts";

/** Sees to it that the service gets the reports: from an outbox, through a queue, or within the request. */
export interface Delivery {
  /** Why admission must stop; `undefined` while it need not. */
  readonly refusal: "outbox_full" | "outbox_unavailable" | undefined;
  /** Whether work whose usage the service has never taken is to be tried one piece at a time. Absent where nothing waits. */
  readonly fullOfDead?: boolean;
  /**
   * Makes the reports as safe as it can; in the same durable step the open work of this id ends. When it throws or rejects,
   * the same reports may be brought again.
   */
  store(reports: readonly Report[], workId?: string): Awaitable<void>;
  /**
   * The ledger has the reports, so they may go out and be acknowledged. Resolves with those that it has given up, if there
   * are any. Never rejects.
   */
  release(reports: readonly Report[]): Awaitable<readonly OutboxReport[] | undefined>;
  /** Begins with the reports of an earlier process. Called again when those of another process are taken over. */
  start(recovered: Recovered): void;
  /** Tries at once, also in the midst of a pause. */
  hurry(): void;
  /** How many reports are where. */
  status(): Promise<OutboxStatus>;
  /** Delivers at once. Resolves with the remaining reports when none is queued, or after `timeoutMs`. */
  flush(timeoutMs: number): Promise<OutboxStatus>;
  /** Sends these reports again, where they are parked or dead; resolves with them. Absent where nothing waits. */
  retry?(ids: readonly string[]): Promise<readonly OutboxReport[]>;
  /** Sends nothing more. Done when what has been sent is answered. */
  stop(): Awaitable<void>;
  /** What is delivered, and counted in a shared store, is not kept for a successor. Absent where nothing is kept. Never rejects. */
  forget?(): Promise<void>;
  /** Resolves when the reports of this customer that are on their way now are answered; `undefined`, or absent, where none are. */
  answering?(customerId: string): Promise<void> | undefined;
  /** The reports that are on their way. */
  readonly sending: readonly OutboxReport[];
  /** The entries of the reports that an outbox which outlasts the process has, and the service has not acknowledged, by their ids. */
  readonly left: ReadonlyMap<string, Entry>;
}

/** The remainder of other or earlier processes, once it is in the ledger. */
export interface Recovered {
  /** The entries of the reports that the service has not acknowledged, by their ids. */
  readonly left: ReadonlyMap<string, Entry>;
  /** Those that it has. */
  readonly delivered: readonly Pick<OutboxReport, "id">[];
  /** Whether the outbox knows that the service honours keys. */
  readonly keysWritten: boolean;
  /** Ids of reports that another process has taken over from this one. */
  readonly lost: readonly string[];
  /** The entries of work that was cut off and waits for an operator, by the ids of the work. */
  readonly kept: ReadonlyMap<string, Entry>;
  /** What operators have decided. */
  readonly decided: readonly OutboxDecision[];
}
