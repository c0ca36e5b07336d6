import type { Upstream } from "../service/upstream.ts";
import type { Clock } from "../values/clock.ts";
import type { ServiceWallets } from "./delivery-options.ts";
import type { Outcome } from "./outcome.ts";
import type { Report } from "./report.ts";

interface UsagePostOptions {
  readonly upstream: Upstream;
  readonly clock: Clock;
  readonly wallets: ServiceWallets;
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
  const [first] = reports;
  if (first === undefined) return [];
  if (reports.length === 1) return [await postReport(first, options)];
  const { service } = options.wallets.open;
  const outcomes = await options.upstream.postBatch(reports, service);
  if (outcomes === undefined) service.batchFailed(options.clock.now());
  for (const [index, outcome] of outcomes?.entries() ?? []) {
    const report = reports[index];
    if (report !== undefined) learnFrom(report, outcome, options);
  }
  return outcomes;
}

/** Posts one report. Never rejects. */
export async function postReport(report: Report, options: UsagePostOptions): Promise<Outcome> {
  const outcome = await options.upstream.post(report, options.wallets.open.service);
  learnFrom(report, outcome, options);
  return outcome;
}

/** Whether the service bills work of this kind. */
function learnFrom(report: Report, outcome: Outcome, { clock, wallets }: UsagePostOptions): void {
  const { service } = wallets.open;
  const { unbillable } = service;
  if (outcome.outcome === "delivered") {
    service.acceptsUsage = true;
    unbillable.accepted(report, clock.now(), report.entry.admittedAs);
  } else if (outcome.isRefusal === true)
    unbillable.refused(report, outcome.error, clock.now(), report.entry.admittedAs);
}
