export {
  type AdapterAnswer,
  adapterResponse,
  type WritableAnswer,
  writeAdapterAnswer,
} from "./adapter/answer.ts";
export {
  type AdapterApp,
  type AdapterRoute,
  type AdapterState,
  type AnotherAnswer,
  adapterRoutes,
  answeredByAnother,
  createAdapterApp,
} from "./adapter/app.ts";
export { testAdapter } from "./adapter/contract.ts";
export { AdapterControlPlane } from "./adapter/control-plane.ts";
export type { AdapterSurroundings } from "./adapter/plan.ts";
export type {
  AdapterOnTrial,
  AdapterTest,
  EndingCell,
  ExactRequest,
  RunningServer,
  Serve,
  SuiteRunner,
} from "./adapter/trial.ts";
export type { LedgerOnTrial } from "./ledger/bench.ts";
export { type LedgerKind, type TestRunner, testLedger } from "./ledger/contract.ts";
export type { OutboxOnTrial } from "./outbox/bench.ts";
export { testOutbox } from "./outbox/contract.ts";
export { MemoryOutboxStore, type OutboxStoreImage } from "./outbox/memory-outbox-store.ts";
export { type OutboxStoreTrials, testOutboxStore } from "./outbox-store/contract.ts";
export type { OutboxStoreOnTrial } from "./outbox-store/twin-stores.ts";
export type { ServiceOnTrial } from "./own-service/bench.ts";
export { testService } from "./own-service/contract.ts";
export { type SharedStoreTrials, testSharedStore } from "./store/contract.ts";
export type { AccountPart, SharedStoreOnTrial } from "./store/model.ts";
export { loseOf } from "./store/model.ts";
export { createTrialStore, type StoreStep } from "./store/trial-store.ts";
