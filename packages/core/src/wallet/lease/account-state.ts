import type { StoredCapacity } from "./shared-store.ts";

/** The block of one process. One of 0 stays for a while, so that a late copy of an earlier word does not bring it back. */
export interface Block {
  readonly amount: number;
  /** What its process has beyond what it used and needed when it was last heard. */
  readonly free: number;
  /** The number of its process's last word. */
  readonly seq: number;
  /** Until then a recall waits for the process; a block of 0 is forgotten then. */
  readonly expiresAt: number;
  /** From then on the block counts as usage; `null`: never. */
  readonly goneAt: number | null;
  /** The last recall that the process has answered. */
  readonly recalls: number;
}

/** Usage that was acknowledged within one tick. */
export interface Tick {
  readonly amount: number;
  /** The part that only a queue has. */
  readonly queued: number;
}

/** What a store knows of one account. The letters are those of the proof (ARCHITECTURE.md). Instants are the store's. */
export interface AccountState {
  /** The latest instant that a step was done at. */
  now: number;
  /** What the clock of the store showed then. */
  clock: number;
  /** Of the store's memory; empty before the first step. */
  epoch: string;
  /** S. */
  prepaid: StoredCapacity | null;
  postpaid: StoredCapacity | null;
  tells: boolean;
  /** g0. */
  stamp: number | null;
  installedAt: number;
  /** The snapshot from which on the falls have been counted that are shown now. */
  countedFrom: number;
  /** V. */
  shownPrepaid: number;
  shownPostpaid: number;
  /** The longest lag of the usage in `ticks`: L. */
  lagMs: number;
  /** U: the sum of `ticks`. At 2^53 - 1 it stays there until there are none. */
  used: number;
  /** The part of `used` that only a queue has; likewise. */
  queued: number;
  /** By the end of the tick. */
  readonly ticks: Map<number, Tick>;
  /** H: the sum of `blocks`; likewise. */
  out: number;
  /** How many blocks are above 0. */
  inForce: number;
  /** By the id of the process. */
  readonly blocks: Map<string, Block>;
  recalls: number;
  /** When the last balance request left; `null` for none in this epoch. */
  requestAt: number | null;
  /** Whether it has been answered, or has failed. */
  requestDone: boolean;
}

/** An account that no process has spoken of. */
export function createAccountState(): AccountState {
  return {
    now: Number.MIN_SAFE_INTEGER,
    clock: Number.MAX_SAFE_INTEGER,
    epoch: "",
    prepaid: null,
    postpaid: null,
    tells: false,
    stamp: null,
    installedAt: 0,
    countedFrom: 0,
    shownPrepaid: 0,
    shownPostpaid: 0,
    lagMs: 0,
    used: 0,
    queued: 0,
    ticks: new Map(),
    out: 0,
    inForce: 0,
    blocks: new Map(),
    recalls: 0,
    requestAt: null,
    requestDone: false,
  };
}

const most = Number.MAX_SAFE_INTEGER;

/** The sum, which stays exact: beyond the safe range it is the largest there is. */
export function plus(sum: number, part: number): number {
  return part > most - sum ? most : sum + part;
}

/** The sum without one of its parts. The largest there is may stand for more, so it stays until no part is left. */
export function minus(sum: number, part: number, partsLeft: number): number {
  if (partsLeft === 0) return 0;
  return sum === most ? most : sum - part;
}

/** Puts the block in the place of the process's present one; `undefined` forgets it. */
export function setBlock(account: AccountState, id: string, block: Block | undefined): void {
  const before = account.blocks.get(id)?.amount ?? 0;
  if (before > 0) account.out = minus(account.out, before, --account.inForce);
  if (block === undefined) {
    account.blocks.delete(id);
    return;
  }
  account.blocks.set(id, block);
  if (block.amount === 0) return;
  account.inForce++;
  account.out = plus(account.out, block.amount);
}

/** Usage that was acknowledged at this instant. The tick ends later, so it counts for longer at most. */
export function addUsage(
  account: AccountState,
  at: number,
  tickMs: number,
  amount: number,
  queued = 0,
): void {
  if (amount === 0) return;
  const end = Math.ceil(at / tickMs) * tickMs;
  const tick = account.ticks.get(end);
  account.ticks.set(end, {
    amount: plus(tick?.amount ?? 0, amount),
    queued: plus(tick?.queued ?? 0, queued),
  });
  account.used = plus(account.used, amount);
  account.queued = plus(account.queued, queued);
}

/** Forgets the usage of this tick. */
export function dropTick(account: AccountState, end: number, { amount, queued }: Tick): void {
  account.ticks.delete(end);
  account.used = minus(account.used, amount, account.ticks.size);
  account.queued = minus(account.queued, queued, account.ticks.size);
}
