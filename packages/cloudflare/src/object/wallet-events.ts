import type { GateEventMap } from "@creditgate/core";

/** What an object emits about the usage that it delivers, and the balances that it reads. */
export type WalletEvents = {
  readonly [Name in "delivered" | "parked" | "dead" | "degraded"]?: (event: GateEventMap[Name]) => void;
};

const names: Readonly<Record<keyof WalletEvents, true>> = {
  delivered: true,
  parked: true,
  dead: true,
  degraded: true,
};

/** The names of all events. */
export const walletEventNames: typeof names = names;
