/**
 * - `silent`: the store has not answered a sync in its time
 * - `slow`: it has answered later than requests wait
 * - `new`: it was never used before, or has lost its memory, and grants nothing for a while
 * - `unnoted`: it is not asked, for the outbox takes no note of what it may grant
 */
export type StoreTroubleCode = "silent" | "slow" | "new" | "unnoted";

/** The troubles that a leased ledger emits about its store, besides the store's errors. */
export class StoreTrouble extends Error {
  override readonly name = "StoreTrouble" as const;
  readonly code: StoreTroubleCode;

  constructor(code: StoreTroubleCode, message: string) {
    super(message);
    this.code = code;
  }
}
