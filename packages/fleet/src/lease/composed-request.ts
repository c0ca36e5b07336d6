import type { LeaseContext } from "./lease-context.ts";
import type { LeasedReservation } from "./leased-reservation.ts";
import type { MovingUsage } from "./moving-usage.ts";
import type { Predecessors } from "./predecessors.ts";
import type { SyncRequest } from "./shared-store.ts";
import type { BalanceFields, StoredBalance } from "./stored-balance.ts";
import type { SyncTimer } from "./sync-timer.ts";
import type { WaitingHolds } from "./waiting-holds.ts";

const most = Number.MAX_SAFE_INTEGER;

/** What an account speaks of. */
export interface AccountParts {
  readonly context: LeaseContext;
  readonly reservation: LeasedReservation;
  readonly waiting: WaitingHolds;
  readonly timer: SyncTimer;
  readonly balance: StoredBalance;
  readonly predecessors: Predecessors;
}

/** What an account has outstanding when a sync is composed. */
export interface RequestFigures {
  /** Holds and unacknowledged usage. */
  readonly base: number;
  /** Acknowledged since the sync before. */
  readonly moving: MovingUsage;
  /** Whether the process needs nothing beyond `base` any more. */
  readonly isOver: boolean;
}

/** A sync on its way. */
export interface SentRequest {
  readonly request: SyncRequest;
  readonly moving: MovingUsage;
  readonly balanceFields: BalanceFields;
  readonly sentAt: number;
  readonly sentWall: number;
}

/** All that there is to say, as one sync. From now on the reservation is used only as far as the sync keeps it. */
export function composeRequest(
  { context, reservation, waiting, timer, balance, predecessors }: AccountParts,
  { base, moving, isOver }: RequestFigures,
): SentRequest {
  const { id, clock, wallClock, leases, abandonMs, terms } = context;
  const seq = context.nextSeq();
  const acked = moving.beyond > 0 ? most : moving.amount;
  const left = Math.max(base, reservation.amount - acked);
  const { first, need, recall } = waiting.fieldsFor(seq);
  const isIdle = timer.isIdle && need === 0;
  const isDenied = waiting.wasDenied && need > 0;
  const givesBack = !leases || isOver || reservation.isRecalled || isIdle || isDenied;
  const keep = givesBack || reservation.mustRegister ? base : left;
  const balanceFields = balance.fieldsFor(reservation.epoch);
  const request: SyncRequest = {
    id,
    seq,
    epoch: reservation.epoch,
    at: balance.storeTime(reservation.epoch),
    register: reservation.mustRegister,
    kind: waiting.first?.kind ?? reservation.kind,
    base,
    keep,
    claim: reservation.mustRegister && reservation.isValid ? left : keep,
    acked,
    queued: Math.min(acked, moving.queued),
    first,
    need,
    want: givesBack || reservation.isYielding ? 0 : Math.min(most, 2 * timer.demand),
    abandonMs,
    recall,
    ...(keep === base && { recalled: reservation.recallsSeen }),
    ...balanceFields.fields,
    ...predecessors.fieldsFor(),
    terms,
  };
  reservation.send(keep, moving);
  return { request, moving, balanceFields, sentAt: clock.now(), sentWall: wallClock() };
}
