import type { Usage } from "../values/usage.ts";
import type { Awaitable } from "../wallet/ledger.ts";

/** One usage report (API 2.4) on its way to the service, with what the ledger holds for it. */
export interface OutboxReport {
  /** Unique for ever; it travels as the `Idempotency-Key`. */
  readonly id: string;
  readonly customerId: string;
  readonly agentId: string;
  readonly indicator: string;
  readonly rawUsage: Usage;
  /** The currency of the wallet that it was admitted against. */
  readonly currency: string;
  /** The entry of unconfirmed usage that it belongs to; reports without a price of their own share one. */
  readonly entry: { readonly id: string; readonly amount: number };
}

/** How many reports are where. */
export interface OutboxStatus {
  /** To be delivered, those in flight included. */
  readonly queued: number;
  /** They may have been processed, and the service is not known to honour keys. */
  readonly parked: number;
  /** The service refused them as they are. */
  readonly dead: number;
}

/** A store of reports that the reporter of one gate drains. What `append` has resolved for is there until it is delivered. */
export interface Outbox {
  /** Whether admission must stop. `append` still takes what has been admitted before. */
  readonly full: boolean;
  /**
   * Takes all the reports or, when it rejects, none; resolves when they are as durable as the store makes them. One
   * that is there already, by its id, stays one. In the same step the open work of this id ends, if there is any.
   */
  append(reports: readonly OutboxReport[], workId?: string): Awaitable<void>;
  /** At most `limit` queued reports for which `eligible` holds, the longest queued first. */
  next(limit: number, eligible: (id: string) => boolean): Awaitable<readonly OutboxReport[]>;
  /** The service has the report. It has left the queue, but for `rememberMs` more a crash must not forget it. */
  delivered(id: string, rememberMs: number): Awaitable<void>;
  /** To the end of the queue. */
  requeue(id: string): Awaitable<void>;
  /** Out of the queue, until the service is known to honour keys or someone decides. */
  park(id: string, reason: string): Awaitable<void>;
  /** Out of the queue, until someone decides. */
  bury(id: string, reason: string): Awaitable<void>;
  /** All parked reports back into the queue. */
  unpark(): Awaitable<void>;
  status(): Promise<OutboxStatus>;
  /** All that is queued, parked or dead, which the end of the process loses. Absent in a store that outlasts it. */
  undelivered?(): Awaitable<readonly OutboxReport[]>;
  /**
   * What an earlier process has left; asked for once, before the first decision. What was delivered is remembered for
   * `rememberMs` from now. Absent in a store that does not outlast its process.
   */
  recover?(rememberMs: number): Promise<Recovery>;
  /** Work in flight, for `durableHolds`. Absent in a store that does not outlast its process. */
  readonly works?: WorkJournal;
  /** What is being sent. Absent in a store that does not outlast its process; without it the next one sends it again. */
  readonly sendings?: SendingJournal;
}

/** What an outbox has kept over the end of its process. */
export interface Recovery {
  /** All that is queued, parked or dead, and what was delivered a short while ago. */
  readonly reports: readonly RecoveredReport[];
  /** Work that was begun and neither billed nor released. */
  readonly works: readonly OpenWork[];
  /** Of the queued reports those that were being sent: they may have been processed. */
  readonly sent?: readonly OutboxReport[];
  /** What `keysHonoured` was called with last. */
  readonly keysHonouredBy?: string | undefined;
}

/** As much of a report as the ledger must know. */
export interface RecoveredReport extends Pick<OutboxReport, "id" | "customerId" | "currency" | "entry"> {
  readonly delivered: boolean;
}

/** A piece of work in flight and its hold. */
export interface OpenWork {
  /** The id of the hold, unique for ever. */
  readonly id: string;
  readonly customerId: string;
  readonly currency: string;
  readonly agentId: string;
  readonly indicator: string;
  /** Micro-credits. */
  readonly hold: number;
}

/** A durable list of the work in flight. */
export interface WorkJournal {
  /** Resolves when a crash cannot forget it. */
  begin(work: OpenWork): Promise<void>;
  /** It has ended and is not billed. */
  end(id: string): Promise<void>;
}

/**
 * A durable note of what is being sent, so that a process that ends before the answer comes, by a crash or by the end of its
 * grace, leaves no report that is billed twice. It is kept only for as long as nobody knows that sending twice is safe.
 */
export interface SendingJournal {
  /** Resolves when a crash cannot forget that these may have been sent. `requeue`, `park` and `bury` end it for a report. */
  begin(ids: readonly string[]): Promise<void>;
  /** The service of this fingerprint counts a report once, however often it comes. Resolves when a crash cannot forget it. */
  keysHonoured(service: string): Promise<void>;
}
