import type { Awaitable } from "../values/awaitable.ts";
import type { Usage } from "../values/usage.ts";
import type { ReportedBudget } from "../wallet/budgets/budget.ts";
import type { NotedReservation, ReservationJournal } from "../wallet/ledger.ts";

/** What the ledger holds for one report, or for several that have no price. */
export interface OutboxEntry {
  readonly id: string;
  /** Micro-credits. */
  readonly amount: number;
}

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
  /** The budgets that it counts in too. */
  readonly budgets?: readonly ReportedBudget[] | undefined;
  /** The entry of unconfirmed usage that it belongs to; reports without a price of their own share one. */
  readonly entry: OutboxEntry;
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

/**
 * A store of reports that one gate delivers. What `append` has resolved for is there until it is delivered. A report is
 * queued, handed out by `next`, parked or dead; the methods that take reports find them by their ids.
 */
export interface Outbox {
  /** Whether the reports that may yet be sent, parked ones included, reach the limit: admission stops. `append` still takes what has been admitted before. */
  readonly full: boolean;
  /** Whether the dead letters reach the limit: work whose usage the service has never taken is tried one piece at a time, so that no customer stops the others. */
  readonly fullOfDead?: boolean;
  /** Whether the last write of reports failed: admission stops until one succeeds. */
  readonly failing?: boolean;
  /**
   * Takes all the reports or, when it rejects, none; resolves when they are as durable as the store makes them. Where that
   * can fail, one that is there already, by its id, stays one. In the same step the open work of this id ends, if there is
   * any. `next` does not hand them out before `release`.
   */
  append(reports: readonly OutboxReport[], workId?: string): Awaitable<void>;
  /** The ledger has the reports: they may go out. */
  release(reports: readonly OutboxReport[]): void;
  /**
   * Hands out at most `limit` queued reports, those queued longest first; where more wait, customers, agents and indicators
   * take turns, as in a {@link FairQueue}. Each is handed out once until `requeue`. A store
   * without `recover` hands out the objects that it was given, since only they know what the ledger holds.
   */
  next(limit: number): Awaitable<readonly OutboxReport[]>;
  /**
   * The service has accepted the reports that were handed out. They are no longer queued. For `rememberMs` more, a
   * crash must not forget them, with their present entries. `lowered` are entries that have lost a part to one of
   * them.
   */
  delivered(
    reports: readonly OutboxReport[],
    rememberMs: number,
    lowered: readonly OutboxEntry[],
  ): Awaitable<void>;
  /** Back into the queue, behind those that wait in memory. */
  requeue(reports: readonly OutboxReport[]): Awaitable<void>;
  /** Out of the queue, handed out or not, until the service is known to honour keys or an operator decides. */
  park(report: OutboxReport, reason: string): Awaitable<void>;
  /** Out of the queue, until an operator decides. */
  bury(report: OutboxReport, reason: string): Awaitable<void>;
  /** All parked reports back into the queue. */
  unpark(): Awaitable<void>;
  /** Of these reports the parked and dead ones back into the queue, as an operator wants it. Resolves with them. */
  retry(ids: readonly string[]): Awaitable<readonly OutboxReport[]>;
  status(): Promise<OutboxStatus>;
  /** All that waits in the queue, is parked or dead, which the end of the process loses. Absent in a store that outlasts it. */
  undelivered?(): Awaitable<readonly OutboxReport[]>;
  /**
   * The remainder of an earlier process. Called once, before the first decision. Delivered reports are remembered for
   * `rememberMs` from now. Absent in a store that is lost when its process exits.
   */
  recover?(rememberMs: number): Promise<Recovery>;
  /** Work in flight, for `durableHolds`. Absent in a store that does not outlast its process. */
  readonly works?: WorkJournal;
  /** What is being sent. Absent in a store that does not outlast its process; without it the next one sends it again. */
  readonly sendings?: SendingJournal;
  /** The reservations that processes may have in a shared store. Absent in a store that does not outlast its process. */
  readonly reservations?: ReservationJournal;
  /**
   * A shared store counts the usage of these delivered reports: a successor need not. Absent in a store that does not outlast its
   * process.
   */
  forget?(ids: readonly string[]): Awaitable<void>;
  /** The other processes that use the same store. Absent in a store of one process. */
  readonly fleet?: OutboxFleet;
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
  /** Reservations in a shared store that were begun and not ended. */
  readonly reservations?: readonly NotedReservation[];
}

/** As much of a report as the ledger must know. */
export interface RecoveredReport
  extends Pick<OutboxReport, "id" | "customerId" | "currency" | "budgets" | "entry"> {
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
  readonly budgets?: readonly ReportedBudget[] | undefined;
  /** Micro-credits. */
  readonly hold: number;
}

/** A durable list of the work in flight. */
export interface WorkJournal {
  /** Resolves when a crash cannot forget it. Work that has begun has another hold from then on. */
  begin(work: OpenWork): Promise<void>;
  /** It has ended and is not billed. */
  end(id: string): Promise<void>;
}

/**
 * A durable note of reports in flight: no report is billed twice if a process exits before the answer, by a crash or
 * at the end of its grace. It is kept only until repetition is known to be safe.
 */
export interface SendingJournal {
  /** Resolves when a crash cannot forget that these may have been sent. `end`, `requeue`, `park` and `bury` end it for a report. */
  begin(ids: readonly string[]): Promise<void>;
  /** These have not been processed. They stay handed out. */
  end(ids: readonly string[]): Promise<void>;
  /** The service of this fingerprint counts a report once, however often it comes; an empty one: none does so any more. Resolves when a crash cannot forget it. */
  keysHonoured(service: string): Promise<void>;
}

/** What a process does for, and has from, the others that share its outbox's store. */
export interface OutboxFleet {
  /** Whether this process has a name that its successor shares. A successor receives this process's remainder at once. */
  readonly isNamed: boolean;
  /** So often, in milliseconds, `beat` is called from `recover` on. */
  readonly heartbeatMs: number;
  /**
   * Sends a heartbeat. Resolves with what it has taken over from processes that are gone, and
   * `entered` has not been called for. What was delivered is remembered for `rememberMs` from now.
   */
  heartbeat(rememberMs: number): Promise<FleetRecovery>;
  /** What the last beat gave is in the ledger: it may go out. */
  entered(): void;
}

/** What a beat has found. */
export interface FleetRecovery extends Recovery {
  /** Ids of reports of this process that another one delivers now, since this one had been silent for too long. */
  readonly lost: readonly string[];
  /** What operators have decided on reports and works of this process; the outbox has done it. */
  readonly decided: readonly OutboxDecision[];
}

/** What an operator has decided on a parked or dead report, or on work that a crash cut off. */
export interface OutboxDecision {
  /** For work, the report that bills it, or would. */
  readonly report: OutboxReport;
  /** Sent again; known to be delivered; never to be billed; work, billed as the operator decides. */
  readonly as: "retry" | "delivered" | "discard" | "bill";
  /** The operator's own words. */
  readonly reason: string | undefined;
}
