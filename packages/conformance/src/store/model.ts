import type { Awaitable } from "@creditgate/core";
import {
  type AccountState,
  createAccountState,
  exchange,
  type SharedStore,
  type SyncRequest,
  type SyncResponse,
} from "@creditgate/fleet";

/** What a store may lose of one account: its figures, its reservations, its windows, or all of it. */
export type AccountPart = "figures" | "reservations" | "windows" | "account";

/** A store on trial, and power over its time. */
export interface SharedStoreOnTrial {
  readonly store: SharedStore;
  /**
   * Lets the time of the store go on by this many milliseconds, or a little more: by a wait, or by an offset to the store's clock
   * that only tests can set. What the store says in `now` is what counts.
   */
  advance(ms: number): Awaitable<void>;
  /** The clock of the store steps back by this many milliseconds. */
  stepBack?(ms: number): Awaitable<void>;
  /** The store loses its memory of what it is, as by a restart, and keeps its accounts: a new epoch. */
  restart?(): Awaitable<void>;
  /** A part of the account is gone, as by a key or a row that is deleted by hand: a new epoch of that account. */
  lose?(account: string, part: AccountPart): Awaitable<void>;
  /** Ends what was opened for the store, once that is closed. */
  close?(): Awaitable<void>;
}

/** An account as the model has it. */
interface ModelledAccount {
  readonly state: AccountState;
  born: number;
  /** Whether the store's next answer is of another epoch. */
  isRenewed: boolean;
}

/** Sends syncs to a store, and does the same step itself: at the time that the store says it was done at. */
export class ModelledStore {
  readonly #store: SharedStore;
  readonly #accounts = new Map<string, ModelledAccount>();

  constructor(store: SharedStore) {
    this.#store = store;
  }

  /** The store has lost its memory: each account's next answer is of another epoch. */
  expectNewEpoch(): void {
    for (const account of this.#accounts.values()) account.isRenewed = true;
  }

  /** The store has lost this of the account, which is of another epoch therefore. */
  lose(name: string, part: AccountPart): void {
    const account = this.#accounts.get(name);
    if (account === undefined) return;
    loseOf(account.state, part);
    account.isRenewed = true;
  }

  /** The answer of the store. Throws unless the model answers the same. */
  async exchange(name: string, request: SyncRequest): Promise<SyncResponse> {
    const account = this.#accounts.get(name) ?? { state: createAccountState(), born: 0, isRenewed: true };
    this.#accounts.set(name, account);
    const answer = await this.#store.exchange(name, request);
    checkInstant(account, answer);
    const { now, epoch, born } = answer;
    const expected = exchange(account.state, request, { clock: now, epoch, born });
    const differences: string[] = [];
    for (const field of Object.keys(expected) as (keyof SyncResponse)[]) {
      // Not Object.is: a store has no negative zero.
      if (answer[field] !== expected[field])
        differences.push(`${field}: expected ${expected[field]}, received ${answer[field]}`);
    }
    if (differences.length === 0) return answer;
    const place = `at ${now} in epoch ${epoch} since ${born}`;
    throw new Error(`${differences.join("; ")}; ${place}, sync ${JSON.stringify(request)}`);
  }
}

/** What a store does to an account that loses a part of itself. Its time stays: that is the store's. */
export function loseOf(state: AccountState, part: AccountPart): void {
  if (part === "reservations" || part === "account") state.reservations.clear();
  if (part === "windows" || part === "account") state.windows.clear();
  if (part === "reservations" || part === "windows") return;
  const { now, clock, reservations, windows } = state;
  Object.assign(state, createAccountState(), { now, clock, reservations, windows });
}

/** What the model takes from the store must make sense by itself. */
function checkInstant(account: ModelledAccount, { now, epoch, born }: SyncResponse): void {
  const { state } = account;
  if (!Number.isSafeInteger(now)) throw new Error(`now: expected whole milliseconds, received ${now}`);
  if (now < state.now) throw new Error(`now: expected ${state.now} or more, received ${now}`);
  if (born > now) throw new Error(`born: expected ${now} or less, received ${born}`);
  if (account.isRenewed) {
    if (epoch === state.epoch) throw new Error(`epoch: expected another one than ${epoch}`);
    account.isRenewed = false;
    account.born = born;
  }
  if (state.epoch !== "" && born !== account.born) {
    throw new Error(`born: expected ${account.born}, received ${born}`);
  }
}
