import type { Transport } from "@creditgate/client";
import type { OutboxReport } from "../outbox/outbox.ts";
import type { BalanceReading } from "../wallet/balance-reading.ts";
import type { BudgetKeys } from "../wallet/budgets/budget.ts";
import type { KnownService } from "./known-service.ts";
import type { Outcome } from "./outcome.ts";

/** How the fingerprint of a service without a name begins. */
export const unnamed = "unnamed ";

/** The service as a gate uses it: our control plane by its client, or any other by a `Service`. */
export interface Upstream extends Pick<Transport, "fingerprint"> {
  /** Sets what is known of the service before it has answered. Absent if only its answers show that. */
  meet?(service: KnownService): void;
  /** Never rejects. `budgets`: to be read in the same step. */
  balances(customerId: string, service: KnownService, budgets?: BudgetKeys): Promise<BalanceReading>;
  /** Never rejects. */
  post(report: OutboxReport, service: KnownService): Promise<Outcome>;
  /**
   * An outcome for each report, in their order; `undefined` if the batch failed as such: then they are posted singly, which shows whether
   * the service is ill or only its batches. Never rejects.
   */
  postBatch(reports: readonly OutboxReport[], service: KnownService): Promise<readonly Outcome[] | undefined>;
}
