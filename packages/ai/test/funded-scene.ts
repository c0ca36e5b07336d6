import type { Charge, HoldAmount } from "@creditgate/core";
import { createTestGate, type TestGate } from "@creditgate/core/testing";
import { afterAll } from "vitest";

/** Work that was let in with this hold. */
async function admitted({ gate, clock }: TestGate, hold: HoldAmount): Promise<Charge> {
  const deciding = gate.authorize({ customerId: "alice", agentId: "chat", indicator: "message", hold });
  await clock.advance(300);
  const decision = await deciding;
  if (!decision.allowed) throw new Error(`denied: ${decision.denial.code}`);
  return decision.charge;
}

/** Time passes by itself, so that a denial gets its news. */
function passing(scene: TestGate): () => void {
  let goesOn = true;
  const run = async () => {
    while (goesOn) {
      await scene.clock.advance(50);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  void run();
  return () => {
    goesOn = false;
  };
}

let stop = () => {};
afterAll(() => stop());

/** Alice with so many credits, and work of hers that holds so many, at a gate whose time passes. */
export async function fundedScene(
  credits: number,
  hold: HoldAmount,
  options: Parameters<typeof createTestGate>[1] = {},
): Promise<{ readonly scene: TestGate; readonly charge: Charge; readonly wallets: { alice: number } }> {
  stop();
  const wallets = { alice: credits };
  const scene = createTestGate(wallets, options);
  const charge = await admitted(scene, hold);
  stop = passing(scene);
  return { scene, charge, wallets };
}
