import type { Clock } from "../../values/clock.ts";
import type { BlockJournal } from "../../wallet/ledger.ts";
import type { Outbox, OutboxFleet, Recovery, SendingJournal, WorkJournal } from "../outbox.ts";

/** What the outboxes of all shared stores can be told. */
export interface FleetOutboxOptions {
  /**
   * A name that this process has, its successor has too, and no other has at the same time, such as that of a pod of a
   * StatefulSet: what the process before has left is taken over at once, not after `abandonMs`. A gate without a shared ledger
   * needs it, since it must know what is left before it decides. @default none
   */
  readonly process?: string | undefined;
  /**
   * Undelivered reports of this process at which admission stops; as many dead ones, a kind of work whose usage the service has never taken is tried one piece at a time;
   * 1 to 10_000_000. @default 100_000
   */
  readonly maxReports?: number;
  /** Bytes of these reports, which are in the memory of this process too, at which admission stops; the same for dead ones. @default 67_108_864 */
  readonly maxBytes?: number;
  /** A process that has been silent for so long is gone, and others take over what it has left; 1_000 to 86_400_000. @default 60_000 */
  readonly abandonMs?: number;
  /** Time, for tests: milliseconds that never step. @default that of the machine */
  readonly clock?: Pick<Clock, "now">;
}

/** An outbox that many processes share: each delivers its own, and what those leave that are gone. */
export interface FleetOutbox extends Outbox {
  recover(rememberMs: number): Promise<Recovery>;
  readonly works: WorkJournal;
  readonly sendings: SendingJournal;
  readonly blocks: BlockJournal;
  forget(ids: readonly string[]): Promise<void>;
  readonly fleet: OutboxFleet;
  /** Writes what is on its way, and lets others take over what is left, at once. After `gate.close()`. */
  close(): Promise<void>;
}

/** The names of {@link FleetOutboxOptions}, for `checkNames`. */
export const fleetOutboxOptionNames: Readonly<Record<keyof FleetOutboxOptions, true>> = {
  process: true,
  maxReports: true,
  maxBytes: true,
  abandonMs: true,
  clock: true,
};
