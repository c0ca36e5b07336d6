import type { Transport } from "@creditgate/client";
import { type Clock, createGate, createRegistry } from "@creditgate/core";
import type { Payload } from "./payload.ts";
import type { Outcome } from "./reference.ts";

/** What a gate made of a payload; `disagreement` where it should have been something else. */
export interface Reading {
  readonly outcome: Outcome;
  readonly disagreement: string | undefined;
}

/** Has a new gate decide on the payload, and compares its decision and its figures with the reference. */
export async function readingOf(payload: Payload): Promise<Reading> {
  const { customerId, question, expectation } = payload;
  const { kind, currency, hold } = question;
  const gate = createGate({
    client: clientOf(question.body),
    currency,
    wallet: kind,
    registry: createRegistry(),
    clock: standstill,
    maxCustomers: 1,
    // A million gates need not look for it a million times.
    openTelemetry: false,
  });
  const decision = await gate.authorize({ customerId, agentId: "chat", indicator: "message", hold });
  const outcome = decision.allowed ? "admitted" : decision.denial.code;
  if (outcome !== expectation.outcome) {
    return { outcome, disagreement: `decided ${outcome}, expected ${expectation.outcome}` };
  }
  const figures = await gate.balance(customerId);
  const capacity = creditsOf(expectation.capacity);
  const disagreement =
    figures?.capacity === capacity
      ? undefined
      : `saw a capacity of ${figures?.capacity}, expected ${capacity}`;
  return { outcome, disagreement };
}

/** As `WalletStanding` says it: held within the safe integers, in credits. */
function creditsOf(capacity: Payload["expectation"]["capacity"]): number | undefined {
  if (capacity === undefined) return undefined;
  if (capacity === "unlimited") return Number.POSITIVE_INFINITY;
  const bound = BigInt(Number.MAX_SAFE_INTEGER);
  const bounded = capacity > bound ? bound : capacity < -bound ? -bound : capacity;
  return Number(bounded) / 1e6;
}

/** Answers so to whatever is asked, the recommended action of a denial included. */
function clientOf(body: unknown): Pick<Transport, "fingerprint" | "send"> {
  return {
    fingerprint: async () => "payloads",
    send: async () => ({ status: 200, body, idempotencyKey: undefined }),
  };
}

/** Nothing here takes time, so nothing may time out. */
const standstill: Clock = { now: () => 0, schedule: () => () => {} };
