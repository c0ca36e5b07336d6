import { type Charge, createGate, createRegistry, type Gate, type GateOptions } from "@creditgate/core";
import { createBatchClient, plenty } from "../batch-client.ts";

const usage = { provider: "openai", model: "gpt-5", inputTokens: 12, outputTokens: 40 };

interface FleetGateOptions extends Pick<GateOptions, "ledger" | "outbox"> {
  /** Credits in every wallet, whatever is spent. @default plenty */
  readonly funds?: number;
}

/** A gate as a process of a fleet has one; without a ledger as a process has that is alone. */
export function createFleetGate({ funds = plenty, ...parts }: FleetGateOptions = {}): Gate {
  return createGate({
    client: createBatchClient(funds),
    currency: "ai_credits",
    wallet: "prepaid",
    registry: createRegistry(),
    // The API of OpenTelemetry is installed here for the tests; most applications have none.
    openTelemetry: false,
    ...parts,
  });
}

/** A whole decision: let in, reported and settled. */
export async function settleOne(gate: Gate, customerId: string): Promise<void> {
  const charge = await admit(gate, customerId, 1);
  charge.report(usage);
  await charge.settle();
}

/** The same of work that costs nothing in the end. */
export async function releaseOne(gate: Gate, customerId: string, hold = 1): Promise<void> {
  (await admit(gate, customerId, hold)).release();
}

async function admit(gate: Gate, customerId: string, hold: number): Promise<Charge> {
  const decision = await gate.authorize({ customerId, agentId: "chat", indicator: "message", hold });
  if (!decision.allowed) throw new Error(`${customerId}: ${decision.denial.code}`);
  return decision.charge;
}
