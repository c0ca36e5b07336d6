import type { Transport } from "@creditgate/client";
import type { OutboxReport } from "../outbox/outbox.ts";
import type { BalanceReading } from "../wallet/balance-reading.ts";
import type { BudgetKeys } from "../wallet/budgets/budget.ts";
import type { KnownService } from "./known-service.ts";
import type { Outcome } from "./outcome.ts";

/** The service as a gate uses it: our control plane by its client, or any other by a `Service`. */
export interface Upstream extends Pick<Transport, "fingerprint"> {
  /**
   * Sets what is known of the service before it has answered, if more than its answers show that. Returns what is wrong with a new one
   * beside those in use, by their names.
   */
  meet?(service: KnownService, inUse?: ReadonlyMap<string, { readonly idle: boolean }>): Error | undefined;
  /** Never rejects. `budgets`: to be read in the same step. */
  balances(customerId: string, service: KnownService, budgets?: BudgetKeys): Promise<BalanceReading>;
  /** Never rejects. */
  post(report: OutboxReport, service: KnownService): Promise<Outcome>;
  /** The client of our control plane, for batches of reports. */
  readonly client?: Pick<Transport, "send">;
  /** Any other service: posts reports, each with an outcome. Rejects if the service has failed. */
  report?(reports: readonly OutboxReport[]): Promise<readonly Outcome[]>;
}
