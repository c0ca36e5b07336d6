import type { StoredCapacity } from "./shared-store.ts";

/** The reservation of one process. One of 0 stays for a while, so that a late copy of an earlier sync does not bring it back. */
export interface Reservation {
  readonly amount: number;
  /** What its process had beyond its usage and needs at its last sync. */
  readonly free: number;
  /** The number of its process's last sync. */
  readonly seq: number;
  /** Until then a recall waits for the process; a reservation of 0 is forgotten then. */
  readonly expiresAt: number;
  /** From then on the reservation counts as usage; `null`: never. */
  readonly goneAt: number | null;
  /** The last recall that the process has answered. */
  readonly recalls: number;
}

/** Usage that was acknowledged within one window. */
export interface UsageWindow {
  readonly amount: number;
  /** The part that only a queue has. */
  readonly queued: number;
}

/** What a store knows of one account. The letters are those of the proof (docs/design/proof.md). Instants are the store's. */
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
  extended: boolean;
  /** g0. */
  stamp: number | null;
  installedAt: number;
  /** The snapshot from which on the falls have been counted that are shown now. */
  countedFrom: number;
  /** V. */
  shownPrepaid: number;
  shownPostpaid: number;
  /** The longest lag of the usage in `windows`: L. */
  lagMs: number;
  /** U: the sum of `windows`. At 2^53 - 1 it stays there until there are none. */
  used: number;
  /** The part of `used` that only a queue has; likewise. */
  queued: number;
  /** By the end of the window. */
  readonly windows: Map<number, UsageWindow>;
  /** H: the sum of `reservations`; likewise. */
  out: number;
  /** How many reservations are above 0. */
  inForce: number;
  /** By the id of the process. */
  readonly reservations: Map<string, Reservation>;
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
    extended: false,
    stamp: null,
    installedAt: 0,
    countedFrom: 0,
    shownPrepaid: 0,
    shownPostpaid: 0,
    lagMs: 0,
    used: 0,
    queued: 0,
    windows: new Map(),
    out: 0,
    inForce: 0,
    reservations: new Map(),
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

/** Puts the reservation in the place of the process's present one; `undefined` forgets it. */
export function setReservation(
  account: AccountState,
  id: string,
  reservation: Reservation | undefined,
): void {
  const before = account.reservations.get(id)?.amount ?? 0;
  if (before > 0) account.out = minus(account.out, before, --account.inForce);
  if (reservation === undefined) {
    account.reservations.delete(id);
    return;
  }
  account.reservations.set(id, reservation);
  if (reservation.amount === 0) return;
  account.inForce++;
  account.out = plus(account.out, reservation.amount);
}

/** Usage that was acknowledged at this instant. The window ends later, so it counts for longer at most. */
export function addUsage(
  account: AccountState,
  at: number,
  windowMs: number,
  amount: number,
  queued = 0,
): void {
  if (amount === 0) return;
  const end = Math.ceil(at / windowMs) * windowMs;
  const window = account.windows.get(end);
  account.windows.set(end, {
    amount: plus(window?.amount ?? 0, amount),
    queued: plus(window?.queued ?? 0, queued),
  });
  account.used = plus(account.used, amount);
  account.queued = plus(account.queued, queued);
}

/** Forgets the usage of this window. */
export function dropWindow(account: AccountState, end: number, { amount, queued }: UsageWindow): void {
  account.windows.delete(end);
  account.used = minus(account.used, amount, account.windows.size);
  account.queued = minus(account.queued, queued, account.windows.size);
}
