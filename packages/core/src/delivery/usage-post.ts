import { lackOf } from "#budgets";
import type { GateEvents } from "../events/events.ts";
import type { Report } from "../outbox/report.ts";
import type { ServiceWallets } from "../service/known-service.ts";
import type { Outcome } from "../service/outcome.ts";
import type { Upstream } from "../service/upstream.ts";
import { postBatch } from "../service/usage-batch.ts";
import type { Clock } from "../values/clock.ts";

interface UsagePostOptions {
  readonly upstream: Upstream;
  readonly clock: Clock;
  readonly wallets: ServiceWallets;
  readonly events: Pick<GateEvents, "emit">;
}

/**
 * Posts reports to the service (API 4.2), a batch of them in one request. Resolves to an outcome for each, in their
 * order; `undefined` if the batch failed as such. The reports are then sent singly, which shows whether the service
 * fails or only its batch endpoint. Batches go only to a service that honours keys, so that this counts nothing
 * twice. Never rejects.
 */
export async function postUsage(
  reports: readonly Report[],
  options: UsagePostOptions,
): Promise<readonly Outcome[] | undefined> {
  const { upstream, clock, wallets } = options;
  const { service } = wallets.open;
  const [first] = reports;
  const isSingle = reports.length === 1 && first !== undefined;
  const outcomes = isSingle
    ? [await upstream.post(first, service)]
    : await postBatch(upstream, reports, service);
  if (outcomes === undefined) service.batchFailed(clock.now());
  for (let index = 0; index < reports.length; index++) {
    const report = reports[index];
    const outcome = outcomes?.[index];
    if (report !== undefined && outcome !== undefined) learnFrom(report, outcome, options);
  }
  return outcomes;
}

/** Whether the service bills work of this kind. */
export function learnFrom(
  report: Report,
  outcome: Outcome,
  { clock, wallets, events }: UsagePostOptions,
): void {
  const { service } = wallets.open;
  const { unbillable } = service;
  if (outcome.outcome === "delivered") {
    service.acceptsUsage = true;
    const error = lackOf(report.budgets, outcome.budgets);
    if (error !== undefined)
      events.emit("degraded", { what: "budget", error, customerId: report.customerId });
    unbillable.accepted(report, clock, report.entry.admittedAs);
  } else if (outcome.isRefusal === true)
    unbillable.refused(report, outcome.error, clock.now(), report.entry.admittedAs);
}
