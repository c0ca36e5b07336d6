import {
  gateEndpoints,
  isCreditgateError,
  type Transport,
  type UsageReportRequest,
} from "@creditgate/client";
import { askWithBudgets, detailsIn } from "#budgets";
import type { OutboxReport } from "../outbox/outbox.ts";
import { type BalanceReading, parseBalances, unknownCustomer } from "../wallet/balance-reading.ts";
import type { BudgetKeys } from "../wallet/budgets/budget.ts";
import type { KnownService } from "./known-service.ts";
import { type Outcome, outcomeIn, outcomeOf } from "./outcome.ts";
import type { Upstream } from "./upstream.ts";

/** Our control plane, or any service with its API. */
export function controlPlane(client: Pick<Transport, "fingerprint" | "send">): Upstream {
  return {
    fingerprint: (of) => client.fingerprint(of),
    balances: (customerId, service, budgets) => readBalances(client, service, customerId, budgets),
    post: (report, service) => post(client, report, service),
    client,
  };
}

type Sender = Pick<Transport, "send">;

/** Asks the service for the balances of a customer (API 4.1). Never rejects. */
async function readBalances(
  client: Sender,
  service: KnownService,
  customerId: string,
  budgets?: BudgetKeys,
): Promise<BalanceReading> {
  try {
    // The next request tries again: a second try here would only return an older balance.
    const options = { retries: 0, fresh: true, gate: service.gate };
    const ask = () =>
      client.send(gateEndpoints.walletBalance, { query: { customer_id: customerId } }, options);
    const answer =
      budgets === undefined
        ? await ask()
        : await askWithBudgets(client, service, { customerId, budgets, options, ask });
    service.learnFrom(answer);
    const isFresh = answer.isFresh === true;
    const reading = parseBalances(answer.body, isFresh);
    // A cache may have kept an answer that was another process's.
    if (!isFresh || !reading.known) return reading;
    const { separateLedgers } = answer;
    return { ...reading, separateLedgers, ...detailsIn(answer.body, budgets) };
  } catch (error) {
    service.learnFromError(error);
    if (service.doesNotKnow(error)) return unknownCustomer;
    const invalid =
      isCreditgateError(error) && (error.code === "answer_too_large" || error.code === "answer_invalid");
    return { known: false, code: invalid ? "upstream_invalid" : "upstream_unavailable", error };
  }
}

async function post(client: Sender, report: OutboxReport, service: KnownService): Promise<Outcome> {
  const { id } = report;
  try {
    const answer = await client.send(
      gateEndpoints.usageReport,
      { body: bodyOf(report) },
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

/** A report as the service receives it (API 4.2). */
export function bodyOf(report: OutboxReport): UsageReportRequest {
  const { agentId, customerId, indicator, rawUsage, budgets } = report;
  const body = { agentId, customerId, indicator, rawUsage };
  return budgets === undefined ? body : { ...body, budgets };
}
