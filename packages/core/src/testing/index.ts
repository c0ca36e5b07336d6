export {
  type AdapterApp,
  type AdapterRoute,
  type AdapterState,
  adapterRoutes,
  createAdapterApp,
} from "./adapter-app.ts";
export {
  type AdapterOnTrial,
  type ExactRequest,
  type RunningServer,
  type SuiteRunner,
  testAdapter,
} from "./adapter-contract.ts";
export { AdapterControlPlane, type Serve } from "./adapter-control-plane.ts";
export {
  type AdapterAnswer,
  type AdapterSurroundings,
  adapterResponse,
  type WritableAnswer,
  writeAdapterAnswer,
} from "./adapter-plan.ts";
export {
  createFakeClient,
  type FakeClient,
  type FakeClientOptions,
  type Fault,
  type Passage,
} from "./fake-client.ts";
export { type FakeReport, FakeService, type FakeServiceOptions } from "./fake-service.ts";
export { FakeWallet, type FakeWalletTerms } from "./fake-wallet.ts";
export type { LedgerOnTrial } from "./ledger-bench.ts";
export { type TestRunner, testLedger } from "./ledger-contract.ts";
export { createManualClock, type ManualClock, type ManualClockOptions, microtasks } from "./manual-clock.ts";
export type { OutboxOnTrial } from "./outbox-bench.ts";
export { testOutbox } from "./outbox-contract.ts";
export { createRandom, type Random } from "./random.ts";
export type { Outage, Scenario } from "./scenario.ts";
export { type SimulationOptions, type SimulationResult, simulate } from "./simulation.ts";
export { createTestGate, type TestGate, type TestGateOutcome } from "./test-gate.ts";
