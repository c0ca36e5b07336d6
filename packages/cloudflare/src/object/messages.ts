import type { Capacity, DenialCode, OutboxReport, OutboxStatus, WalletKind } from "@creditgate/core";
import type { RefusingBudget, Verdict } from "@creditgate/core/adapter";

/** Whose wallet it is, and how a gate decides on it. */
export interface WalletMessage {
  readonly customerId: string;
  readonly currency: string;
  readonly terms: MessageTerms;
}

/** The settings of a gate that the object needs. Milliseconds. */
export interface MessageTerms {
  readonly settlementLagMs: number;
  readonly maxStaleMs: number;
  readonly minRefreshMs: number;
  readonly checkTimeoutMs: number;
  readonly ttlMs: number;
  /** A hold that is not renewed for so long counts as spent. */
  readonly abandonMs: number;
}

/** Asks for a hold. Repeated, with the same work, it has no second effect. */
export interface HoldMessage extends WalletMessage {
  readonly workId: string;
  /** Micro-credits: the most, and the least with which the work is let in; of a Worker of the version before, all of it. */
  readonly amount: number;
  readonly least?: number;
  /** The kind of work; absent from a Worker of the version before. */
  readonly agentId?: string;
  readonly indicator?: string;
  /** As far as the gate knows it. */
  readonly kind: WalletKind | null;
  /** The keys of the budgets that it names, sorted. */
  readonly budgets?: readonly string[] | undefined;
}

/** What has been decided. Amounts are micro-credits. */
export interface HoldAnswer {
  readonly admitted: boolean;
  /** What is held; `null` where nothing is. Of an object of the version before, all of it. */
  readonly amount?: number | null;
  /** Why not; `null` where it is. */
  readonly code: DenialCode | null;
  readonly rule: Verdict["rule"];
  readonly kind: WalletKind | null;
  /** The budget that stands in the way, whose figures follow; `null` for none, absent from an object of a version that knows no budgets. */
  readonly budget?: RefusingBudget | null;
  /** `null` while no balance has been read. */
  readonly capacity: Capacity | null;
  readonly held: number;
  readonly unconfirmed: number;
  /** How long before the decision the balance was asked for; `null` while none has been read. */
  readonly ageMs: number | null;
  readonly extended: boolean;
  /**
   * The parts of a usage that the service accepts, as the object received them; absent from an object of the version
   * before.
   */
  readonly usageParts?: readonly string[];
  /** Why no balance could be read, where that was tried. */
  readonly error: string | null;
}

/** The work has ended: its usage goes out, and its hold becomes that usage. Repeated, it has no second effect. */
export interface DoneMessage extends WalletMessage {
  /** `null` for usage that is reported when its work has ended already. */
  readonly workId: string | null;
  readonly reports: readonly OutboxReport[];
}

/** A report that waits for an operator. */
export interface StoredReport {
  readonly report: OutboxReport;
  /** `parked`: it may have been processed. `dead`: the service refused it as it is. */
  readonly state: "parked" | "dead";
  readonly reason: string;
  /** When it was handed over, by the clock of the object; milliseconds. */
  readonly storedAt: number;
}

/** A wallet as its object knows it. Amounts are credits. */
export interface WalletStatus extends OutboxStatus {
  /** `null` in an object that no gate has asked for anything. */
  readonly customerId: string | null;
  readonly currency: string | null;
  /** What the wallet can pay in all, `Infinity` without a limit; `null` while that is not known. */
  readonly capacity: number | null;
  readonly held: number;
  readonly unconfirmed: number;
  /** Pieces of work that have a hold. */
  readonly works: number;
}
