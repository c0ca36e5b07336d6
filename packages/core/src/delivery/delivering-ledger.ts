import type { Ledger } from "../wallet/ledger.ts";
import type { UsageQueue } from "./usage-queue.ts";

/** A ledger that takes the usage too, in the step that ends its hold: a gate on it has no other delivery. */
export interface DeliveringLedger extends Ledger {
  readonly queue: UsageQueue;
}
