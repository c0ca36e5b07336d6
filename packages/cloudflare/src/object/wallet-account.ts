import type { WalletKind } from "@creditgate/core";
import {
  type Account,
  type AccountFigures,
  type BalanceRequest,
  type BalanceUpdate,
  Headroom,
  type Hold,
  type RefreshPermit,
  type Unconfirmed,
} from "@creditgate/core/adapter";
import {
  capacityOf,
  emptyRequest,
  type SyncRequest,
  type SyncResponse,
  snapshotOf,
  type Terms,
} from "@creditgate/fleet";
import type { StoredAccount } from "./stored-account.ts";

const most = Number.MAX_SAFE_INTEGER;

/** The reservation of all usage that the service has not acknowledged. Works are called otherwise: their ids are those of a gate. */
const usageId = "usage";

/** Whole milliseconds. */
export interface WalletTerms extends Terms {
  /** A hold that is not renewed for so long counts as spent. */
  readonly abandonMs: number;
}

/**
 * The account of one wallet, or of one of its budgets, in the wallet's object. Each hold is a reservation of its own, and the usage
 * that waits in the outbox is one more: all of that is stored, and there after an eviction.
 */
export class WalletAccount extends Headroom implements Account {
  readonly #stored: StoredAccount;
  readonly #terms: () => WalletTerms;
  /** The holds that this memory has been asked for, by the ids of their works. */
  readonly #holds = new Map<string, Hold>();
  readonly #works = new WeakMap<Hold, string>();
  #requestedAt = Number.NEGATIVE_INFINITY;

  constructor(stored: StoredAccount, terms: () => WalletTerms) {
    super();
    this.#stored = stored;
    this.#terms = terms;
  }

  get stamp(): number | undefined {
    const { epoch, stamp } = this.#stored.figures;
    // What was read before an eviction is not known to this memory.
    return epoch === this.#stored.epoch ? (stamp ?? undefined) : undefined;
  }

  /** Of a budget. */
  get period(): number | undefined {
    return this.#stored.period;
  }

  hold(
    amount: number,
    kind: WalletKind,
    notBefore: number,
    workId: string = crypto.randomUUID(),
    least: number = amount,
  ): Hold | AccountFigures {
    const known = this.find(workId);
    if (known !== undefined) return known;
    if (this.stamp === undefined || this.stamp < notBefore) return this.figures(kind);
    const { abandonMs } = this.#terms();
    const { reservation } = this.#sync(workId, { kind, first: least, need: amount, abandonMs });
    const hold =
      reservation < least ? undefined : this.take(Math.min(reservation, amount), Number.POSITIVE_INFINITY);
    if (hold === undefined) {
      this.#stored.free(workId);
      return this.figures(kind);
    }
    this.#keep(workId, hold);
    return hold;
  }

  /** The hold of this work, also of one that was let in before an eviction. */
  find(workId: string): Hold | undefined {
    const known = this.#holds.get(workId);
    if (known !== undefined) return known;
    const reservation = workId === usageId ? undefined : this.#stored.figures.reservations.get(workId);
    if (reservation === undefined || reservation.amount === 0) return undefined;
    const hold = this.take(reservation.amount, Number.POSITIVE_INFINITY);
    if (hold !== undefined) this.#keep(workId, hold);
    return hold;
  }

  /** The work goes on. */
  renew(workId: string): void {
    this.#keepOf(workId, this.#stored.figures.reservations.get(workId)?.amount ?? 0);
  }

  override settle(hold: Hold | undefined, amounts: readonly number[]): readonly Unconfirmed[] {
    const usages = super.settle(hold, amounts);
    this.syncUsage();
    return usages;
  }

  override release(hold: Hold, rest = 0): void {
    super.release(hold, rest);
    const workId = this.#works.get(hold);
    if (workId === undefined || this.#holds.get(workId) !== hold) return;
    if (rest > 0) this.#keepOf(workId, rest);
    else {
      this.#holds.delete(workId);
      this.#stored.free(workId);
    }
  }

  override correct(usage: Unconfirmed, amount: number): void {
    super.correct(usage, amount);
    this.syncUsage();
  }

  acknowledge(usage: Unconfirmed, lagMs: number, byQueue = false): void {
    const share = this.end(usage);
    if (share === undefined) return;
    if (share.isBeyond) this.beyond--;
    else this.used -= share.amount;
    const terms = { ...this.#terms(), lagMs: Math.ceil(lagMs) };
    const acked = share.isBeyond ? most : share.amount;
    this.syncUsage({ acked, queued: byQueue && !share.isBeyond ? acked : 0, terms });
  }

  beginRefresh(): RefreshPermit {
    const { now } = this.#stored;
    // The order of two requests of one instant would be unknown, and a clock that is behind may stand still for long.
    this.#requestedAt = now > this.#requestedAt ? now : this.#stored.advance();
    return { go: { stamp: this.#requestedAt } };
  }

  install({ stamp }: BalanceRequest, update: BalanceUpdate | undefined, maxStaleMs: number): void {
    if (update === undefined) return;
    const terms = { ...this.#terms(), maxStaleMs: Math.floor(maxStaleMs) };
    this.syncUsage({ snapshot: snapshotOf(update, { stamp, epoch: this.#stored.epoch }), terms });
  }

  figures(kind: WalletKind): AccountFigures {
    const { figures } = this.#stored;
    const { out, used, queued, extended, shownPrepaid, shownPostpaid } = figures;
    const waiting = figures.reservations.get(usageId)?.amount ?? 0;
    const isRead = this.stamp !== undefined;
    const shown = kind === "prepaid" ? shownPrepaid : shownPostpaid;
    return {
      admitted: false,
      capacity: isRead ? capacityOf(kind === "prepaid" ? figures.prepaid : figures.postpaid) : undefined,
      held: out - waiting,
      unconfirmed: waiting + used - shown,
      recent: isRead && extended ? Math.max(0, used - queued - shownPrepaid) : 0,
      stamp: this.stamp,
    };
  }

  flush(): void {}

  idle(now: number): boolean {
    const { reservations, windows, lagMs } = this.#stored.figures;
    if (this.awaited > 0 || reservations.size > 0) return false;
    for (const end of windows.keys()) if (end + lagMs >= now) return false;
    return true;
  }

  /** Says what waits for the service. Without more it also turns holds into usage that were abandoned. */
  syncUsage(more: Partial<SyncRequest> = {}): void {
    const base = this.beyond > 0 ? most : this.used;
    this.#sync(usageId, { base, keep: base, claim: base, ...more });
  }

  #keep(workId: string, hold: Hold): void {
    this.#holds.set(workId, hold);
    this.#works.set(hold, workId);
  }

  /** So much of the hold stays, and is renewed. */
  #keepOf(workId: string, amount: number): void {
    if (amount === 0) return;
    const { abandonMs } = this.#terms();
    this.#sync(workId, { base: amount, keep: amount, claim: amount, abandonMs });
  }

  #sync(id: string, fields: Partial<SyncRequest>): SyncResponse {
    const seq = (this.#stored.figures.reservations.get(id)?.seq ?? 0) + 1;
    const { epoch, now: at } = this.#stored;
    return this.#stored.step({
      ...emptyRequest,
      epoch,
      at,
      register: true,
      terms: this.#terms(),
      ...fields,
      id,
      seq,
    });
  }
}
