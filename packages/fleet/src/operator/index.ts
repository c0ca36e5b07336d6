export { type Command, exitCodeOf, type OptionKinds, readCommand, type Terminal } from "./command.ts";
export { createFleetOperator, type FleetOperatorOptions } from "./fleet-operator.ts";
export type { LedgerOperator, StoredReservation } from "./ledger-operator.ts";
export { outboxOptions, outboxUsage, runOutboxCommand } from "./outbox-commands.ts";
export type { Decided, ItemState, OutboxItem, OutboxOperator, Resolution } from "./outbox-operator.ts";
export { type OperatedStore, runStoreProgram, type StoreProgram } from "./store-commands.ts";
