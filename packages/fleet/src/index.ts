export {
  type AccountState,
  createAccountState,
  type Reservation,
  setReservation,
  type UsageWindow,
} from "./lease/account-state.ts";
export { exchange, type StoreInstant, timeAt } from "./lease/exchange.ts";
export { createLeasedLedger, type LeasedLedgerOptions } from "./lease/leased-ledger.ts";
export { createMemoryStore, type MemoryStoreOptions } from "./lease/memory-store.ts";
export { parseResponse } from "./lease/parse-response.ts";
export type {
  SharedStore,
  Snapshot,
  StoredCapacity,
  SyncRequest,
  SyncResponse,
  Terms,
} from "./lease/shared-store.ts";
export { emptyRequest } from "./lease/shared-store.ts";
export { capacityOf, snapshotOf } from "./lease/stored-balance.ts";
export {
  defaultLimits,
  type FleetOutbox,
  type FleetOutboxOptions,
  fleetOutboxOptionNames,
} from "./outbox/fleet-outbox-options.ts";
export type {
  ListedRow,
  OutboxHeartbeat,
  OutboxHeartbeatResult,
  OutboxState,
  OutboxStep,
  OutboxStore,
  OutboxWritten,
  RowRequest,
  StoredRow,
} from "./outbox/outbox-store.ts";
export { createFleetOutbox } from "./outbox/stored-outbox.ts";
