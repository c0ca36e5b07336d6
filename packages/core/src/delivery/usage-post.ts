import { gateEndpoints, type Transport } from "@creditgate/client";
import type { Clock } from "../values/clock.ts";
import type { ServiceWallets } from "./delivery-options.ts";
import type { OutboxReport } from "./outbox.ts";
import { type Outcome, outcomeIn, outcomeOf, outcomesIn } from "./outcome.ts";
import type { Report } from "./report.ts";

interface UsagePostOptions {
  readonly client: Pick<Transport, "send">;
  readonly clock: Clock;
  readonly wallets: ServiceWallets;
}

/**
 * Posts reports to the service (API 4.2), a batch of them in one request. An outcome for each, in their order; `undefined`
 * where the batch failed as such: the reports are to be sent singly, which tells whether the service is ill or only its batch
 * endpoint. Batches go only to a service that honours keys, so that this counts nothing twice. Never rejects.
 */
export async function postUsage(
  reports: readonly Report[],
  options: UsagePostOptions,
): Promise<readonly Outcome[] | undefined> {
  const [first] = reports;
  if (first === undefined) return [];
  if (reports.length === 1) return [await postReport(first, options)];
  const outcomes = await postBatch(reports, options);
  for (const [index, outcome] of outcomes?.entries() ?? []) {
    const report = reports[index];
    if (report !== undefined) learnFrom(report, outcome, options);
  }
  return outcomes;
}

/** Posts one report. Never rejects. */
export async function postReport(report: Report, options: UsagePostOptions): Promise<Outcome> {
  const outcome = await sendReport(report, options);
  learnFrom(report, outcome, options);
  return outcome;
}

/** Whether the service bills work of this kind. */
function learnFrom(report: Report, outcome: Outcome, { clock, wallets }: UsagePostOptions): void {
  const { service } = wallets.open;
  const { unbillable } = service;
  if (outcome.outcome === "delivered") {
    service.takesUsage = true;
    unbillable.taken(report, clock.now(), report.entry.admittedAs);
  } else if (outcome.isRefusal === true)
    unbillable.refused(report, outcome.error, clock.now(), report.entry.admittedAs);
}

async function sendReport(
  report: OutboxReport,
  { client, ...options }: Omit<UsagePostOptions, "clock">,
): Promise<Outcome> {
  const { id, customerId, agentId, indicator, rawUsage } = report;
  const service = options.wallets.open.service;
  try {
    const answer = await client.send(
      gateEndpoints.usageReport,
      { body: { agentId, customerId, indicator, rawUsage } },
      { idempotencyKey: id, retries: 0, gate: service.gate },
    );
    const outcome = outcomeIn(answer, id, service);
    // What else answered tells nothing of the service.
    if (outcome.outcome === "delivered") {
      service.learnFrom(answer);
      if (!outcome.honoursKeys) service.loseKeys();
    }
    return outcome;
  } catch (error) {
    service.learnFromError(error);
    return outcomeOf(error, service);
  }
}

async function postBatch(
  reports: readonly OutboxReport[],
  { client, clock, ...options }: UsagePostOptions,
): Promise<readonly Outcome[] | undefined> {
  const service = options.wallets.open.service;
  const keyed = reports.map(({ id, agentId, customerId, indicator, rawUsage }) => ({
    key: id,
    agentId,
    customerId,
    indicator,
    rawUsage,
  }));
  try {
    const answer = await client.send(
      gateEndpoints.usageBatch,
      { body: { reports: keyed } },
      { retries: 0, gate: service.gate },
    );
    service.learnFrom(answer);
    const outcomes = outcomesIn(answer, reports, service);
    if (outcomes !== undefined) return outcomes;
  } catch (error) {
    service.learnFromError(error);
    const outcome = outcomeOf(error, service);
    // It asks for less of everything, and takes batches.
    if (outcome.overloaded === true) return reports.map(() => outcome);
  }
  service.batchFailed(clock.now());
  return undefined;
}
