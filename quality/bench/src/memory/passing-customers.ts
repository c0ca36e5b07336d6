import { createGate, createRegistry, type Registry } from "@creditgate/core";
import { createInstantClient, prepaid } from "../instant-client.ts";
import { createPassingClock, type PassingClock } from "./passing-clock.ts";

/** Customers who come one after the other, are served once, and never come back. */
export interface PassingCustomers {
  readonly registry: Registry;
  readonly clock: PassingClock;
  /** Serves so many more, from authorize to the acknowledgement of their usage; resolves with how many were refused. */
  serve(count: number): Promise<number>;
  /** The ids of those served so far whom the gate has in memory. */
  remembered(): Promise<readonly string[]>;
}

/** How many customers the gate may remember, and how fast they come. */
export interface PassingOptions {
  readonly max: number;
  /** Of the clock, which moves by so much with each customer. */
  readonly msBetween: number;
  readonly settlementLagMs: number;
}

/** Creates a gate of its own, with a registry and a clock of its own, and a service that answers at once. */
export function createPassingCustomers(options: PassingOptions): PassingCustomers {
  const { max, msBetween, settlementLagMs } = options;
  const clock = createPassingClock();
  const registry = createRegistry();
  const client = createInstantClient(prepaid(100));
  const gate = createGate({
    client,
    currency: "ai_credits",
    wallet: "prepaid",
    registry,
    clock,
    maxCustomers: max,
    settlementLagMs,
  });
  /** Beyond the served ones nobody can be remembered, nor can anybody who has been forgotten once. */
  let candidates: string[] = [];
  let served = 0;

  async function serveOne(customerId: string): Promise<boolean> {
    const decision = await gate.authorize({ customerId, agentId: "chat", indicator: "message", hold: 1 });
    if (!decision.allowed) {
      if (decision.denial.code === "over_capacity") return false;
      throw new Error(`${customerId} was denied: ${decision.denial.code}`);
    }
    decision.charge.report({ provider: "openai", model: "gpt-5", inputTokens: 12, outputTokens: 40 });
    await decision.charge.settle();
    return true;
  }

  return {
    registry,
    clock,
    async serve(count) {
      let refused = 0;
      for (let each = 0; each < count; each++) {
        const customerId = `customer-${served++}`;
        candidates.push(customerId);
        if (!(await serveOne(customerId))) refused++;
        clock.advance(msBetween);
      }
      const { queued, parked, dead } = await gate.flush();
      if (queued + parked + dead > 0) throw new Error(`${queued + parked + dead} reports were not delivered`);
      return refused;
    },
    async remembered() {
      const figures = await Promise.all(candidates.map((customerId) => gate.balance(customerId)));
      candidates = candidates.filter((_, index) => figures[index] !== undefined);
      return candidates;
    },
  };
}
