/** How much there is. */
export interface Amount {
  /** Reports of usage, over the twelve months before this one and what has passed of this one. */
  readonly usage: number;
  readonly customers: number;
}

/** A part of the books, made by the database out of numbers: `random` is the same each time. */
export interface SeedStep {
  readonly name: string;
  readonly sql: (amount: Amount) => string;
}
