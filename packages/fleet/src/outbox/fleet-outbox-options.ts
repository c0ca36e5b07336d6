import type { Clock, Outbox } from "@creditgate/core";
import type {
  OutboxFleet,
  Recovery,
  ReservationJournal,
  SendingJournal,
  WorkJournal,
} from "@creditgate/core/adapter";
/** Options of the outboxes of all shared stores. */
export interface FleetOutboxOptions {
  /**
   * A name that this process shares with its successor, and with no process at the same time, such as that of a pod
   * of a StatefulSet. The remainder of the process before is taken over at once, not after `abandonMs`. A gate
   * without a shared ledger needs it, since it must know that remainder before it decides. @default none
   */
  readonly process?: string | undefined;
  /**
   * Undelivered reports of this process at which admission stops; as many dead ones, a kind of work whose usage the service has never taken is tried one piece at a time;
   * 1 to 10_000_000. @default 100_000
   */
  readonly maxReports?: number;
  /** Bytes of these reports, which are in the memory of this process too, at which admission stops; the same for dead ones. @default 67_108_864 */
  readonly maxBytes?: number;
  /**
   * A process without a heartbeat for so long is gone, and others take over its remainder; 1_000 to 86_400_000.
   * @default 60_000
   */
  readonly abandonMs?: number;
  /** Time, for tests: milliseconds that never step. @default that of the machine */
  readonly clock?: Pick<Clock, "now">;
}

/** An outbox that many processes share: each delivers its own reports, and those of processes that are gone. */
export interface FleetOutbox extends Outbox {
  recover(rememberMs: number): Promise<Recovery>;
  readonly works: WorkJournal;
  readonly sendings: SendingJournal;
  readonly reservations: ReservationJournal;
  forget(ids: readonly string[]): Promise<void>;
  readonly fleet: OutboxFleet;
  /** Writes what is on its way, and lets others take over what is left, at once. After `gate.close()`. */
  close(): Promise<void>;
}

/** How much an outbox takes that is given no limits: what waits is in memory too. */
export const defaultLimits: { readonly maxReports: number; readonly maxBytes: number } = {
  maxReports: 100_000,
  maxBytes: 64 * 2 ** 20,
};

/** The names of {@link FleetOutboxOptions}, for `checkNames`. */
export const fleetOutboxOptionNames: Readonly<Record<keyof FleetOutboxOptions, true>> = {
  process: true,
  maxReports: true,
  maxBytes: true,
  abandonMs: true,
  clock: true,
};
