import type { Clock } from "@creditgate/core";
import { type AccountState, createAccountState } from "./account-state.ts";
import { exchange } from "./exchange.ts";
import type { SharedStore } from "./shared-store.ts";

/** Options of {@link createMemoryStore}. */
export interface MemoryStoreOptions {
  readonly clock: Clock;
}

/**
 * A store in the memory of one process, for tests: what all gates on it do together is exact, and ends with the process.
 * Nothing can have been before it, so it has no quarantine.
 */
export function createMemoryStore({ clock }: MemoryStoreOptions): SharedStore {
  const accounts = new Map<string, AccountState>();
  const epoch = crypto.randomUUID();
  return {
    async exchange(account, request) {
      const state = accounts.get(account) ?? createAccountState();
      accounts.set(account, state);
      return exchange(state, request, {
        clock: Math.floor(clock.now()),
        epoch,
        born: Number.MIN_SAFE_INTEGER,
      });
    },
  };
}
