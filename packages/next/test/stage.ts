import type { Gate, GateEventMap, GateOptions } from "@creditgate/core";
import { createTestGate } from "@creditgate/core/testing";

/** What the gate knows and has billed when all that can run has run. */
export interface Outcome {
  readonly settlements: number;
  readonly held: number;
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
  const { gate, outcome } = createTestGate({ alice: credits }, options);
  const events: { name: keyof GateEventMap; event: unknown }[] = [];
  for (const name of ["decision", "late", "degraded"] as const) {
    gate.on(name, (event) => events.push({ name, event }));
  }
  return {
    gate,
    told: <Name extends keyof GateEventMap>(name: Name) =>
      events.filter((one) => one.name === name).map(({ event }) => event as GateEventMap[Name]),
    async outcome() {
      const { billed, ...rest } = await outcome("alice");
      return { ...rest, billed: billed.map(({ model }) => model) };
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
