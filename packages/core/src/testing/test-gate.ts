import {
  type Answer,
  CreditgateError,
  endpoints,
  type UsageReportRequest,
  usageParts,
} from "@creditgate/client";
import type { GateEventMap } from "../events/events.ts";
import { createGate, type Gate } from "../gate/gate.ts";
import type { GateOptions } from "../options/gate-options.ts";
import { createRegistry } from "../registry/registry.ts";
import type { Usage } from "../values/usage.ts";
import { createManualClock, type ManualClock } from "./manual-clock.ts";

/** A gate on a service in memory, for tests of the application that stands behind it. */
export interface TestGate {
  readonly gate: Gate;
  /** Stands still but for `advance()`. */
  readonly clock: ManualClock;
  /** The events of this kind that the gate has emitted so far. */
  emitted<Name extends keyof GateEventMap>(name: Name): readonly GateEventMap[Name][];
  /** What the gate has settled for the customer, still holds, and has billed, when all that can run has run. */
  outcome(customerId: string): Promise<TestGateOutcome>;
}

/** What became of a customer's requests. */
export interface TestGateOutcome {
  /** Pieces of work that have ended. */
  readonly settlements: number;
  /** Credits held for work in flight. */
  readonly held: number;
  readonly billed: readonly Usage[];
}

const allParts: ReadonlySet<string> = new Set(Object.keys(usageParts));

/**
 * Creates a gate with a registry and a clock of its own, on a service that has these prepaid wallets (credits of
 * `ai_credits`, by customer), takes all parts of a usage, and debits nothing.
 */
export function createTestGate(
  wallets: Readonly<Record<string, number>>,
  options: Partial<GateOptions> = {},
): TestGate {
  const clock = createManualClock();
  const bills: UsageReportRequest[] = [];
  const client: NonNullable<GateOptions["client"]> = {
    fingerprint: async () => "a service in memory",
    async send(endpoint, input = {}, { idempotencyKey } = {}): Promise<Answer> {
      if (endpoint === endpoints.usageReport) {
        bills.push(input.body as UsageReportRequest);
        return { status: 200, body: {}, idempotencyKey, usageParts: allParts };
      }
      const available = wallets[String(input.query?.customer_id)];
      if (available === undefined) throw new CreditgateError("http", "404", { status: 404, problem: {} });
      const zero = { pending: 0, overage_used: 0, overage_limit: 0, postpaid_used: 0, postpaid_limit: 0 };
      const body = { balances: { ai_credits: { available, ...zero } } };
      return { status: 200, body, idempotencyKey, usageParts: allParts };
    },
  };
  const gate = createGate({
    client,
    currency: "ai_credits",
    wallet: "prepaid",
    registry: createRegistry(),
    clock,
    actionTimeoutMs: 0,
    lagWatch: false,
    check: false,
    openTelemetry: false,
    ...options,
  } as GateOptions);
  const recorded = <Name extends keyof GateEventMap>(name: Name): GateEventMap[Name][] => {
    const all: GateEventMap[Name][] = [];
    gate.on(name, (event) => all.push(event));
    return all;
  };
  const events: { readonly [Name in keyof GateEventMap]: readonly GateEventMap[Name][] } = {
    decision: recorded("decision"),
    settled: recorded("settled"),
    late: recorded("late"),
    duplicate: recorded("duplicate"),
    delivered: recorded("delivered"),
    parked: recorded("parked"),
    dead: recorded("dead"),
    resolved: recorded("resolved"),
    undelivered: recorded("undelivered"),
    orphan: recorded("orphan"),
    lag: recorded("lag"),
    degraded: recorded("degraded"),
  };
  return {
    gate,
    clock,
    emitted: (name) => events[name],
    async outcome(customerId) {
      await clock.advance(0);
      const found = await gate.balance(customerId);
      return {
        settlements: events.settled.filter((event) => event.customerId === customerId).length,
        held: found?.held ?? 0,
        billed: bills.filter((bill) => bill.customerId === customerId).map(({ rawUsage }) => rawUsage),
      };
    },
  };
}
