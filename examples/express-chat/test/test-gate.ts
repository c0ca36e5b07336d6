import { endpoints, type RawUsage, type Transport, usageReportRequest } from "@creditgate/client";
import { createGate, createRegistry, type Gate } from "@creditgate/core";
import { price } from "../src/price.ts";

export interface TestGate {
  readonly gate: Gate;
  /** What has been billed, once the gate is flushed. */
  billed(): Promise<readonly RawUsage[]>;
  /** How often usage came after its request had been settled. */
  readonly late: () => number;
}

/** A gate on a service that knows one kind of wallet: prepaid, with this amount of credits. */
export function createTestGate(available: number): TestGate {
  const bills: RawUsage[] = [];
  const entry = {
    available,
    pending: 0,
    overage_used: 0,
    overage_limit: 0,
    postpaid_used: 0,
    postpaid_limit: 0,
  };
  const client: Pick<Transport, "fingerprint" | "send"> = {
    fingerprint: async () => "test",
    async send(endpoint, input, options) {
      if (endpoint === endpoints.usageReport) bills.push(usageReportRequest.parse(input?.body).rawUsage);
      const body = endpoint === endpoints.walletBalance ? { balances: { ai_credits: entry } } : {};
      return { status: 200, body, idempotencyKey: options?.idempotencyKey };
    },
  };
  const gate = createGate({
    client,
    currency: "ai_credits",
    wallet: "prepaid",
    price,
    registry: createRegistry(),
  });
  let late = 0;
  gate.on("late", () => {
    late += 1;
  });
  return {
    gate,
    async billed() {
      await gate.flush();
      return bills;
    },
    late: () => late,
  };
}
