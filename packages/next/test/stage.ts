import type { Gate, GateOptions } from "@creditgate/core";
import { createTestGate, type TestGate } from "@creditgate/core/testing";

/** What the gate knows and has billed when all that can run has run. */
interface Outcome {
  readonly settlements: number;
  readonly held: number;
  /** The models of the reports. */
  readonly billed: readonly unknown[];
}

/** A gate on a service in memory, where alice has some prepaid credits and no other customer has any. */
export interface Stage {
  readonly gate: Gate;
  readonly clock: TestGate["clock"];
  readonly emitted: TestGate["emitted"];
  readonly outcome: () => Promise<Outcome>;
}

export const paid = { customer: "alice", agentId: "chat", indicator: "message", hold: 5 } as const;

export function createStage(credits = 100, options: Partial<GateOptions> = {}): Stage {
  const { gate, clock, emitted, outcome } = createTestGate({ alice: credits }, options);
  return {
    gate,
    clock,
    emitted,
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
