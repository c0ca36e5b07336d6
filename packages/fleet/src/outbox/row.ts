/** A row of the store, as memory has it. */
export interface Row {
  place: string;
  lane: string;
  readonly text: string;
  /** Taken over, and not in the ledger yet. */
  isFresh: boolean;
}
