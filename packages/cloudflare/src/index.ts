export { CreditWallets, type CreditWalletsOptions, type ObjectContext } from "./credit-wallets.ts";
export type { StoredReport, WalletStatus } from "./object/messages.ts";
export type { ObjectStorage, SqlValue } from "./object/storage.ts";
export type { WalletEvents } from "./object/wallet-events.ts";
export { type DurableObjectsOptions, fromDurableObjects } from "./worker/from-durable-objects.ts";
export type { CalledObject, ObjectNamespace } from "./worker/namespace.ts";
