import { setImmediate as nextTurn } from "node:timers/promises";
import {
  endpoints,
  gateEndpoints,
  type UsageBatchRequest,
  type UsageReportRequest,
  usageBatch,
  type WalletBudgetsRequest,
} from "@creditgate/client";
import { createInstantClient, prepaid, type Service } from "./instant-client.ts";

/** Credits that no benchmark spends. */
export const plenty = 1e9;

/**
 * A service without a network that takes batches and returns what each report costs, so that its balance need not
 * fall for the gate to believe it. It answers in the next turn of the event loop.
 */
export function createBatchClient(funds: number = plenty): Service {
  const instant = createInstantClient({ ...prepaid(funds), unsettled: 0 });
  const told = { batchLimit: 500, budgetLimit: 8, isFresh: true };
  const costOf = ({ budgets }: Pick<UsageReportRequest, "budgets">) => {
    const cost = { credits: 1, currency: "ai_credits" };
    return budgets === undefined ? cost : { ...cost, budgets: budgets.map(({ key }) => key) };
  };
  const budget = { limit: funds, used: 0, unsettled: 0, period: null, resets_at: null };
  return {
    ...instant,
    async send(endpoint, input = {}, options = {}) {
      await nextTurn();
      if (endpoint === gateEndpoints.usageReport) {
        const body = costOf(input.body as UsageReportRequest);
        return { status: 202, body, idempotencyKey: options.idempotencyKey, ...told };
      }
      if (endpoint === endpoints.walletBudgets) {
        const { budgets } = input.body as WalletBudgetsRequest;
        const sums = Object.fromEntries((budgets.ai_credits ?? []).map((key) => [key, budget]));
        const answer = await instant.send(endpoints.walletBalance, input, options);
        const body = { ...(answer.body as object), budgets: { ai_credits: sums } };
        return { ...answer, body, ...told };
      }
      if (endpoint !== usageBatch) {
        return { ...(await instant.send(endpoint, input, options)), ...told };
      }
      const { reports } = input.body as UsageBatchRequest;
      const results = reports.map((report) => ({ key: report.key, status: 202, body: costOf(report) }));
      return { status: 200, body: { results }, idempotencyKey: undefined, ...told };
    },
  };
}
