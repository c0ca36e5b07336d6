import { gateEndpoints, type Transport } from "@creditgate/client";
import type { KnownService } from "../delivery/known-service.ts";
import type { OutboxReport } from "../delivery/outbox.ts";
import { type Outcome, outcomeIn, outcomeOf, outcomesIn } from "../delivery/outcome.ts";
import { readBalances } from "../wallet/balance-reading.ts";
import type { Upstream } from "./upstream.ts";

/** Our control plane, or any service with its API. */
export function controlPlane(client: Pick<Transport, "fingerprint" | "send">): Upstream {
  return {
    fingerprint: (of) => client.fingerprint(of),
    balances: (customerId, service) => readBalances(client, service, customerId),
    post: (report, service) => post(client, report, service),
    postBatch: (reports, service) => postBatch(client, reports, service),
  };
}

type Sender = Pick<Transport, "send">;

async function post(client: Sender, report: OutboxReport, service: KnownService): Promise<Outcome> {
  const { id, customerId, agentId, indicator, rawUsage } = report;
  try {
    const answer = await client.send(
      gateEndpoints.usageReport,
      { body: { agentId, customerId, indicator, rawUsage } },
      { idempotencyKey: id, retries: 0, gate: service.gate },
    );
    const outcome = outcomeIn(answer, id, service);
    // A response of anything else teaches nothing about the service.
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
  client: Sender,
  reports: readonly OutboxReport[],
  service: KnownService,
): Promise<readonly Outcome[] | undefined> {
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
    return outcomesIn(answer, reports, service);
  } catch (error) {
    service.learnFromError(error);
    const outcome = outcomeOf(error, service);
    // It asks for less of everything, and takes batches.
    return outcome.overloaded === true ? reports.map(() => outcome) : undefined;
  }
}
