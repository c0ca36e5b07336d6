/** A reservation of credits that a process has in an account of a shared store. Amounts are credits. */
export interface StoredReservation {
  /** As the ledger names it: a JSON array of service, customer and currency. */
  readonly account: string;
  /** The process, in one life of it. */
  readonly process: string;
  readonly credits: number;
  /** What the process had not used at its last sync. */
  readonly unused: number;
  /** Whether it has been silent for a lease: it admits nothing. */
  readonly silent: boolean;
}

/** What operators do with the store of a fleet. */
export interface LedgerOperator {
  /**
   * Spares an empty store the quarantine of its first use: only for an operator who knows that no process has credits of an earlier
   * one. Resolves with `false` if a process has used it, and changes nothing then.
   */
  init(): Promise<boolean>;
  /** All reservations above 0, those of silent processes first. */
  list(): Promise<readonly StoredReservation[]>;
  /**
   * Frees the reservation of a process that has no successor: it counts as spent from now on, and is free after the
   * settlement lag. If the process lives after all, its next sync registers what it has. Rejects with
   * `invalid_option` if there is no such reservation, or if its process has sent a sync within a lease.
   */
  resolve(account: string, process: string): Promise<void>;
}
