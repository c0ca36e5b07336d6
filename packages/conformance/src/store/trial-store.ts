import type { AccountState, createAccountState, exchange } from "@creditgate/fleet";
import { loseOf, type SharedStoreOnTrial } from "./model.ts";

/** The step of a store, and the state that it changes. */
export interface StoreStep {
  readonly createAccountState: typeof createAccountState;
  readonly exchange: typeof exchange;
}

/** A store in memory on this step, with all that the contract of shared stores asks of a trial. */
export function createTrialStore(step: StoreStep): SharedStoreOnTrial {
  const accounts = new Map<string, AccountState>();
  let now = 1_000;
  let run = 1;
  let born = now;
  const restart = () => {
    run++;
    // Accounts whose clock has stepped back are ahead of it.
    born = Math.max(now, ...[...accounts.values()].map((account) => account.now));
  };
  return {
    store: {
      async exchange(account, request) {
        const state = accounts.get(account) ?? step.createAccountState();
        accounts.set(account, state);
        return step.exchange(state, request, { clock: now, epoch: String(run), born });
      },
    },
    advance(ms) {
      now += ms;
    },
    stepBack(ms) {
      now -= ms;
    },
    restart,
    lose(account, part) {
      const state = accounts.get(account);
      if (state !== undefined) loseOf(state, part);
      restart();
    },
  };
}
