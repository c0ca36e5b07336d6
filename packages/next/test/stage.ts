import { type Answer, CreditgateError, endpoints } from "@creditgate/client";
import { createGate, createRegistry, type Gate, type GateEventMap, type GateOptions } from "@creditgate/core";
import { createManualClock } from "@creditgate/core/testing";

/** What the gate knows and has billed when all that can run has run. */
export interface Outcome {
  readonly settlements: number;
  readonly held: number | undefined;
  /** The models of the reports. */
  readonly billed: readonly unknown[];
}

/** A gate on a service in memory, where alice has some prepaid credits and nobody else has any. */
export interface Stage {
  readonly gate: Gate;
  readonly told: <Name extends keyof GateEventMap>(name: Name) => readonly GateEventMap[Name][];
  readonly outcome: () => Promise<Outcome>;
}

export const paid = { customer: "alice", agentId: "chat", indicator: "message", hold: 5 } as const;

export function createStage(credits = 100, options: Partial<GateOptions> = {}): Stage {
  const clock = createManualClock();
  const billed: unknown[] = [];
  const gate = createGate({
    client: {
      fingerprint: async () => "a service in memory",
      async send(endpoint, input = {}, { idempotencyKey } = {}): Promise<Answer> {
        if (endpoint === endpoints.usageReport) {
          billed.push((input.body as { rawUsage: { model: string } }).rawUsage.model);
          return { status: 200, body: {}, idempotencyKey };
        }
        if (input.query?.customer_id !== "alice") throw new CreditgateError("http", "404", { status: 404 });
        const zero = { pending: 0, overage_used: 0, overage_limit: 0, postpaid_used: 0, postpaid_limit: 0 };
        const body = { balances: { ai_credits: { available: credits, ...zero } } };
        return { status: 200, body, idempotencyKey: undefined };
      },
    },
    currency: "ai_credits",
    wallet: "prepaid",
    registry: createRegistry(),
    clock,
    actionTimeoutMs: 0,
    lagWatch: false,
    openTelemetry: false,
    ...options,
  });
  const events: { name: keyof GateEventMap; event: unknown }[] = [];
  for (const name of ["decision", "settled", "late", "degraded"] as const) {
    gate.on(name, (event) => events.push({ name, event }));
  }
  const told = <Name extends keyof GateEventMap>(name: Name) =>
    events.filter((one) => one.name === name).map(({ event }) => event as GateEventMap[Name]);
  return {
    gate,
    told,
    async outcome() {
      await clock.advance(0);
      const standing = await gate.standing("alice");
      return { settlements: told("settled").length, held: standing?.held, billed };
    },
  };
}

/** A promise that the test resolves. */
export function signal(): { readonly promise: Promise<void>; give(): void } {
  let give = () => {};
  const promise = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { promise, give: () => give() };
}
