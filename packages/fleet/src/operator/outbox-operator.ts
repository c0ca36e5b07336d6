import type { Awaitable, Usage } from "@creditgate/core";
/**
 * Where an item of an outbox stands; an orphan is work that a crash cut off, `open` is work in flight. A damaged one cannot be read: its id
 * is its place in the store, and its reason what stands there.
 */
export type ItemState = "queued" | "parked" | "dead" | "delivered" | "orphan" | "open" | "damaged";

/** A report or a piece of work, as an operator sees it. Amounts are credits. */
export interface OutboxItem {
  readonly id: string;
  readonly state: ItemState;
  readonly customerId: string;
  readonly agentId: string;
  readonly indicator: string;
  readonly currency: string;
  /** What the ledger holds for it; reports without a price of their own share it. */
  readonly credits: number;
  readonly since: string;
  readonly rawUsage?: Usage;
  readonly reason?: string;
  /** A decision on it that its process has not received yet. */
  readonly isRequested?: boolean;
}

/** What becomes of a parked or dead report, or of an orphan. `reason`: the operator's own words, for the record. */
export type Resolution =
  | { readonly as: "delivered" | "discard"; readonly reason?: string | undefined }
  | { readonly as: "bill"; readonly usage: Usage; readonly reason?: string | undefined };

/** What has become of a decision. */
export interface Decided {
  readonly done: readonly string[];
  /** Decisions that their process has not received yet. It applies them as soon as it does, or its successor does. */
  readonly left: readonly string[];
}

/**
 * What operators do with an outbox. Everything rejects with `invalid_option` for an id that is not there, or in a state that does not
 * fit: then nothing has been done.
 */
export interface OutboxOperator {
  /** Everything, the oldest first. The application may run. */
  list(): Awaitable<readonly OutboxItem[]>;
  /** Puts parked or dead reports back into the queue. */
  retry(ids: readonly string[], reason?: string): Awaitable<Decided>;
  /** Decides on parked or dead reports and on orphans. */
  resolve(ids: readonly string[], resolution: Resolution): Awaitable<Decided>;
}
