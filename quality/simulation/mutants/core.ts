/** What a mutant is made of: core, its testing entry, and the parts that directed schedules look into. */

export { createGate, createRegistry } from "@creditgate/core";
export { createManualClock, microtasks } from "@creditgate/core/testing";
export { createAccountState, createLeasedLedger, createMemoryStore, exchange } from "@creditgate/fleet";
export { Entry, Report } from "../../../packages/core/src/outbox/report.ts";
export { createMemoryLedger } from "../../../packages/core/src/wallet/memory-ledger.ts";
export { simulateBudgets } from "../src/budgets/budget-simulation.ts";
export { simulateFleet } from "../src/fleet/fleet-simulation.ts";
export { createFakeClient } from "../src/service/fake-client.ts";
export { FakeService } from "../src/service/fake-service.ts";
export { simulate } from "../src/simulation.ts";
