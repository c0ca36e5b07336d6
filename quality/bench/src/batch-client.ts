import { setImmediate as nextTurn } from "node:timers/promises";
import { gateEndpoints, type UsageBatchRequest } from "@creditgate/client";
import { createInstantClient, prepaid, type Service } from "./instant-client.ts";

/** Credits that no benchmark spends. */
export const plenty = 1e9;

/**
 * A service without a network that takes batches and returns what each report costs, so that its balance need not
 * fall for the gate to believe it. It answers in the next turn of the event loop.
 */
export function createBatchClient(funds: number = plenty): Service {
  const instant = createInstantClient({ ...prepaid(funds), unsettled: 0 });
  const told = { batchLimit: 500, isFresh: true };
  const cost = { credits: 1, currency: "ai_credits" };
  return {
    ...instant,
    async send(endpoint, input = {}, options = {}) {
      await nextTurn();
      if (endpoint === gateEndpoints.usageReport) {
        return { status: 202, body: cost, idempotencyKey: options.idempotencyKey, ...told };
      }
      if (endpoint !== gateEndpoints.usageBatch) {
        return { ...(await instant.send(endpoint, input, options)), ...told };
      }
      const { reports } = input.body as UsageBatchRequest;
      const results = reports.map(({ key }) => ({ key, status: 202, body: cost }));
      return { status: 200, body: { results }, idempotencyKey: undefined, ...told };
    },
  };
}
