/** Two records that should agree, and do not. */
export interface Difference {
  readonly what: "wallet" | "entry" | "usage" | "invoice" | "order" | "credit note" | "sum" | "journal";
  readonly orgId: bigint;
  /** Customer and currency, of an entry with its number, the ID, or of a journal its entry or account. */
  readonly subject: string;
  /** What the ledger's entries say, in micro-credits. */
  readonly expected: string;
  readonly received: string;
}
