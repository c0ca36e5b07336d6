import type { GateOptions } from "@creditgate/core";
import { createTestGate, type TestGate } from "@creditgate/core/testing";

/** A gate for the tests of adapters that are tried by more than the contract. */
export interface BilledStage extends TestGate {
  /** Resolves with the models that alice has been billed when so many pieces of work have been settled. */
  billed(settlements?: number): Promise<readonly unknown[]>;
}

/** Alice and Bob have as many credits each. */
export function createBilledStage(credits: number, options: Partial<GateOptions> = {}): BilledStage {
  const stage = createTestGate({ alice: credits, bob: credits }, { minRefreshMs: 0, ...options });
  const heard: (() => void)[] = [];
  stage.gate.on("settled", () => {
    for (const hear of heard.splice(0)) hear();
  });
  return {
    ...stage,
    async billed(settlements = 1) {
      while (stage.emitted("settled").length < settlements) {
        await new Promise<void>((resolve) => heard.push(resolve));
      }
      const { billed } = await stage.outcome("alice");
      return billed.map(({ model }) => model);
    },
  };
}
