import {
  type AccountState,
  addUsage,
  dropWindow,
  minus,
  type Reservation,
  setReservation,
} from "./account-state.ts";
import { beginEpoch } from "./epoch.ts";
import type { Snapshot, StoredCapacity, SyncRequest, SyncResponse } from "./shared-store.ts";

/** What a store reads beside the account, in the same atomic step. */
export interface StoreInstant {
  /** Whole milliseconds. It may step back: the account's time does not. */
  readonly clock: number;
  /** Of the memory of the store: another one whenever something may have been forgotten. */
  readonly epoch: string;
  /** When that began, by the time of the account; `Number.MIN_SAFE_INTEGER` where nothing can have been before it. */
  readonly born: number;
}

const most = Number.MAX_SAFE_INTEGER;

/** What is said of a sync that has no effect. */
const unchanged = { calm: false, denied: false, waiting: 0, refresh: null } as const;

/** The most reservations that one step clears away, the ones that are due longest first. */
const mostCleared = 20;

/**
 * The one step of a shared store, without any I/O: what the sync of a process changes in the account, and what it is
 * answered. Every store does the same, in this order; `testSharedStore` holds it against this.
 */
export function exchange(
  account: AccountState,
  request: SyncRequest,
  { clock, epoch, born }: StoreInstant,
): SyncResponse {
  const { terms } = request;
  const now = timeAt(account, clock);
  account.now = now;
  account.clock = clock;
  if (account.epoch !== epoch) beginEpoch(account, epoch, terms.windowMs);
  // Processes may differ for a while: a shorter lag must not drop what was acknowledged under a longer one.
  const lagMs = account.windows.size > 0 ? Math.max(account.lagMs, terms.lagMs) : terms.lagMs;
  account.lagMs = lagMs;
  const own = account.reservations.get(request.id);
  if (mustRegister(account, request, own))
    return respond(account, request, born, { status: "register", ...unchanged });
  if (own !== undefined && request.seq <= own.seq)
    return respond(account, request, born, { status: "repeated", ...unchanged });

  if (request.snapshot?.epoch === epoch) install(account, request.snapshot, born, terms.maxStaleMs);
  if (request.failed !== undefined && request.failed === account.requestAt) account.requestDone = true;
  addUsage(account, now, terms.windowMs, request.acked, request.queued);
  for (const id of request.retire ?? []) retire(account, id, now + terms.leaseMs);
  clearAway(account, request.id, terms.windowMs);
  const verdict = grant(account, request, born);
  return respond(account, request, born, { status: "ok", ...verdict, refresh: refreshFor(account, request) });
}

/** A process that has, or wants, more than the store knows of says first what it has: in a sync of now, which no late copy is. */
function mustRegister(
  { epoch, now }: AccountState,
  request: SyncRequest,
  own: Reservation | undefined,
): boolean {
  if (request.epoch !== null && request.epoch !== epoch) return true;
  // A reservation of 0 is forgotten after a lease: until then its number identifies copies.
  if (own !== undefined || request.keep + request.acked + request.need + request.want === 0) return false;
  return isLate(now, request) || (!request.register && request.keep + request.acked > 0);
}

/** Whether the sync may be a copy of one that was said before reservations were forgotten. */
function isLate(now: number, { at, terms }: SyncRequest): boolean {
  return at === null || now >= at + terms.leaseMs;
}

/** Takes a newer balance. What is certain to be in it is forgotten; what it shows otherwise is V. */
function install(account: AccountState, snapshot: Snapshot, born: number, maxStaleMs: number): void {
  const { now } = account;
  const { stamp, extended } = snapshot;
  if (stamp > now || now - stamp > maxStaleMs) return;
  if (account.stamp !== null && stamp <= account.stamp) return;
  // Before that, a fall may be the debit of usage that the epoch before knew, and this one does not.
  const isOfThisEpoch = account.stamp !== null && account.stamp > born + account.lagMs;
  const comparable =
    isOfThisEpoch &&
    !extended &&
    !account.extended &&
    stamp > account.installedAt &&
    stamp - account.countedFrom <= maxStaleMs;
  const { used } = account;
  account.shownPrepaid = comparable
    ? fallen(account.prepaid, snapshot.prepaid, account.shownPrepaid, used)
    : 0;
  account.shownPostpaid = comparable
    ? fallen(account.postpaid, snapshot.postpaid, account.shownPostpaid, used)
    : 0;
  account.prepaid = snapshot.prepaid;
  account.postpaid = snapshot.postpaid;
  account.extended = extended;
  account.stamp = stamp;
  account.installedAt = now;
  let counted = 0;
  for (const [end, window] of account.windows) {
    if (end + account.lagMs < stamp) {
      dropWindow(account, end, window);
      account.shownPrepaid = Math.max(0, account.shownPrepaid - window.amount);
      account.shownPostpaid = Math.max(0, account.shownPostpaid - window.amount);
      // They stay until the lag is over: the next answer may come from a service that is not extended.
    } else if (end < stamp) counted = Math.min(most, counted + window.amount - window.queued);
  }
  if (extended) account.shownPrepaid = account.shownPostpaid = account.used === most ? 0 : counted;
  else if (account.shownPrepaid + account.shownPostpaid === 0) account.countedFrom = stamp;
  if (account.requestAt === stamp) account.requestDone = true;
}

/** Nothing but debits makes funds fall, so what they fell by is usage that they show from now on. */
function fallen(before: StoredCapacity | null, after: StoredCapacity, shown: number, used: number): number {
  // Without a number, or a limit, there is nothing to compare; nor where the sum of the usage is not exact.
  if (typeof before !== "number" || typeof after !== "number") return 0;
  if (before === most || after === most || used === most) return 0;
  return Math.min(shown + Math.max(0, before - after), used);
}

/** What the process of this id had is in its successor's sync. A late sync of it must change nothing. */
function retire(account: AccountState, id: string, expiresAt: number): void {
  setReservation(account, id, { amount: 0, free: 0, seq: most, expiresAt, goneAt: null, recalls: 0 });
}

/** Forgets reservations of 0 that are due. What a process had that is silent for too long becomes usage: it may have been spent. */
function clearAway(account: AccountState, id: string, windowMs: number): void {
  const due: { readonly id: string; readonly reservation: Reservation; readonly at: number }[] = [];
  for (const [other, reservation] of account.reservations) {
    const at = reservation.amount > 0 ? reservation.goneAt : reservation.expiresAt;
    if (other !== id && at !== null && at <= account.now) due.push({ id: other, reservation, at });
  }
  due.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  for (const { id: other, reservation, at } of due.slice(0, mostCleared)) {
    setReservation(account, other, undefined);
    addUsage(account, at, windowMs, reservation.amount);
  }
}

/** Whether the store knows enough to grant. */
function isCalm(
  { now, stamp, extended, lagMs }: AccountState,
  born: number,
  terms: SyncRequest["terms"],
): boolean {
  if (stamp === null || now - stamp > terms.maxStaleMs) return false;
  // Processes may have reservations of the epoch before that this one does not know.
  if (now < born + terms.leaseMs) return false;
  // Nor does it know all usage of that epoch, and its debits may be missing in the balance.
  return stamp > born + (extended ? 0 : lagMs);
}

/** The new reservation of the sync's process. */
function grant(
  account: AccountState,
  request: SyncRequest,
  born: number,
): { readonly calm: boolean; readonly denied: boolean; readonly waiting: number } {
  const { id, kind, base, keep, claim, first, need, want, terms } = request;
  const { now } = account;
  const own = account.reservations.get(id);
  const isOwnInForce = own !== undefined && own.amount > 0;
  const othersInForce = account.inForce - (isOwnInForce ? 1 : 0);
  const others = isOwnInForce ? minus(account.out, own.amount, othersInForce) : account.out;
  const calm = isCalm(account, born, terms);
  const capacity = kind === "prepaid" ? account.prepaid : account.postpaid;
  const shown = kind === "prepaid" ? account.shownPrepaid : account.shownPostpaid;
  const room = calm && typeof capacity === "number" ? capacity - others - (account.used - shown) : -most;
  const denied = calm && need > 0 && base + first > room;
  let amount = request.register && now < born + terms.leaseMs ? Math.max(keep, claim) : keep;
  let needed = base;
  if (calm && !denied) {
    needed = Math.min(base + need, Math.max(base, room));
    const rest = Math.max(0, room - needed);
    const parts = 2 * (othersInForce + 1);
    // Whole division: a quotient in floating point may be rounded up.
    amount = Math.max(amount, needed + Math.min(want, (rest - (rest % parts)) / parts));
  }
  // A late sync of a process without a reservation stores no number: by it, a later copy would count as new.
  if (own !== undefined || !isLate(now, request)) {
    setReservation(account, id, {
      amount,
      free: amount - needed,
      seq: request.seq,
      expiresAt: now + terms.leaseMs,
      goneAt: amount > 0 && request.abandonMs !== null ? now + request.abandonMs : null,
      recalls: Math.max(own?.recalls ?? account.recalls, request.recalled ?? 0),
    });
  }
  if (!denied) return { calm, denied, waiting: 0 };
  if (request.recall) account.recalls++;
  let waiting = 0;
  for (const [other, { free, recalls, expiresAt }] of account.reservations) {
    if (other !== id && free > 0 && recalls < account.recalls && expiresAt > now) waiting++;
  }
  return { calm, denied, waiting };
}

/** At most one process reads the balance at a time. */
function refreshFor(account: AccountState, { refresh, terms }: SyncRequest): SyncResponse["refresh"] {
  if (refresh === undefined) return null;
  const { now, requestAt } = account;
  if (account.stamp !== null && account.stamp >= (refresh === "now" ? now : refresh)) return "here";
  if (requestAt !== null) {
    if (!account.requestDone && now < requestAt + terms.requestMs) return "wait";
    if (now < requestAt + terms.minRefreshMs) return "wait";
  }
  account.requestAt = now;
  account.requestDone = false;
  return "go";
}

function respond(
  account: AccountState,
  { id }: SyncRequest,
  born: number,
  verdict: Pick<SyncResponse, "status" | "calm" | "denied" | "waiting" | "refresh">,
): SyncResponse {
  const { epoch, now, stamp, prepaid, postpaid, extended, out, used, queued, shownPrepaid, shownPostpaid } =
    account;
  return {
    now,
    epoch,
    born,
    reservation: account.reservations.get(id)?.amount ?? 0,
    recalls: account.recalls,
    stamp,
    prepaid,
    postpaid,
    extended,
    out,
    used,
    shownPrepaid,
    shownPostpaid,
    recent: extended ? Math.max(0, used - queued - shownPrepaid) : 0,
    ...verdict,
  };
}

/**
 * The time of an account, by the clock of its store: it never steps back. While the clock is behind, for it has stepped back, the time goes
 * on as the clock does: if it stood still, a balance of long ago would count as fresh until the clock has caught up.
 */
export function timeAt(
  { now, clock }: { readonly now: number; readonly clock: number },
  present: number,
): number {
  return present >= now ? present : now + Math.max(0, present - clock);
}
