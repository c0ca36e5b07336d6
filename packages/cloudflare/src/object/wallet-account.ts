import type {
  Account,
  Answer,
  BalanceDeparture,
  BalanceRequest,
  Hold,
  Standing,
  Terms,
  Unconfirmed,
  WalletKind,
  WalletNews,
  Word,
} from "@creditgate/core";
import { capacityOf, emptyWord, Headroom, snapshotOf } from "@creditgate/core/parts";
import type { StoredAccount } from "./stored-account.ts";

const most = Number.MAX_SAFE_INTEGER;

/** The block of all usage that the service has not acknowledged. Works are called otherwise: their ids are those of a gate. */
const usageId = "usage";

/** Whole milliseconds. */
export interface WalletTerms extends Terms {
  /** A hold that is not renewed for so long counts as spent. */
  readonly abandonMs: number;
}

/**
 * The account of one wallet, in its object. Each hold is a block of its own, and the usage that waits in the outbox is one more: all of
 * that is stored, and there after an eviction.
 */
export class WalletAccount extends Headroom implements Account {
  readonly #stored: StoredAccount;
  readonly #terms: () => WalletTerms;
  /** The holds that this memory has been asked for, by the ids of their works. */
  readonly #holds = new Map<string, Hold>();
  readonly #works = new WeakMap<Hold, string>();
  #departedAt = Number.NEGATIVE_INFINITY;

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

  hold(
    amount: number,
    kind: WalletKind,
    notBefore: number,
    workId: string = crypto.randomUUID(),
    least: number = amount,
  ): Hold | Standing {
    const known = this.find(workId);
    if (known !== undefined) return known;
    if (this.stamp === undefined || this.stamp < notBefore) return this.standing(kind);
    const { abandonMs } = this.#terms();
    const { block } = this.#say(workId, { kind, first: least, need: amount, abandonMs });
    const hold = block < least ? undefined : this.take(Math.min(block, amount), Number.POSITIVE_INFINITY);
    if (hold === undefined) {
      this.#stored.free(workId);
      return this.standing(kind);
    }
    this.#keep(workId, hold);
    return hold;
  }

  /** The hold of this work, also of one that was let in before an eviction. */
  find(workId: string): Hold | undefined {
    const known = this.#holds.get(workId);
    if (known !== undefined) return known;
    const block = workId === usageId ? undefined : this.#stored.figures.blocks.get(workId);
    if (block === undefined || block.amount === 0) return undefined;
    const hold = this.take(block.amount, Number.POSITIVE_INFINITY);
    if (hold !== undefined) this.#keep(workId, hold);
    return hold;
  }

  /** The work goes on. */
  renew(workId: string): void {
    const amount = this.#stored.figures.blocks.get(workId)?.amount ?? 0;
    if (amount === 0) return;
    const { abandonMs } = this.#terms();
    this.#say(workId, { base: amount, keep: amount, claim: amount, abandonMs });
  }

  override settle(hold: Hold | undefined, amounts: readonly number[]): readonly Unconfirmed[] {
    const usages = super.settle(hold, amounts);
    this.sayUsage();
    return usages;
  }

  override release(hold: Hold): void {
    super.release(hold);
    const workId = this.#works.get(hold);
    if (workId === undefined || this.#holds.get(workId) !== hold) return;
    this.#holds.delete(workId);
    this.#stored.free(workId);
  }

  override correct(usage: Unconfirmed, amount: number): void {
    super.correct(usage, amount);
    this.sayUsage();
  }

  acknowledge(usage: Unconfirmed, lagMs: number, byQueue = false): void {
    const share = this.end(usage);
    if (share === undefined) return;
    if (share.isBeyond) this.beyond--;
    else this.used -= share.amount;
    const terms = { ...this.#terms(), lagMs: Math.ceil(lagMs) };
    const acked = share.isBeyond ? most : share.amount;
    this.sayUsage({ acked, queued: byQueue && !share.isBeyond ? acked : 0, terms });
  }

  recover(amounts: readonly number[]): readonly Unconfirmed[] {
    return this.settle(undefined, amounts);
  }

  depart(): BalanceDeparture {
    const { now } = this.#stored;
    // Of two requests of one instant it could not be told which is newer, and a clock that is behind may stand still for long.
    this.#departedAt = now > this.#departedAt ? now : this.#stored.advance();
    return { go: { stamp: this.#departedAt } };
  }

  install({ stamp }: BalanceRequest, news: WalletNews | undefined, maxStaleMs: number): void {
    if (news === undefined) return;
    const terms = { ...this.#terms(), maxStaleMs: Math.floor(maxStaleMs) };
    this.sayUsage({ snapshot: snapshotOf(news, { stamp, epoch: this.#stored.epoch }), terms });
  }

  standing(kind: WalletKind): Standing {
    const { figures } = this.#stored;
    const { out, used, queued, tells, shownPrepaid, shownPostpaid } = figures;
    const waiting = figures.blocks.get(usageId)?.amount ?? 0;
    const isRead = this.stamp !== undefined;
    const shown = kind === "prepaid" ? shownPrepaid : shownPostpaid;
    return {
      admitted: false,
      capacity: isRead ? capacityOf(kind === "prepaid" ? figures.prepaid : figures.postpaid) : undefined,
      held: out - waiting,
      unconfirmed: waiting + used - shown,
      recent: isRead && tells ? Math.max(0, used - queued - shownPrepaid) : 0,
      stamp: this.stamp,
    };
  }

  flush(): void {}

  idle(now: number): boolean {
    const { blocks, ticks, lagMs } = this.#stored.figures;
    if (this.awaited > 0 || blocks.size > 0) return false;
    for (const end of ticks.keys()) if (end + lagMs >= now) return false;
    return true;
  }

  /** Says what waits for the service. Without more it also turns holds into usage that were abandoned. */
  sayUsage(more: Partial<Word> = {}): void {
    const base = this.beyond > 0 ? most : this.used;
    this.#say(usageId, { base, keep: base, claim: base, ...more });
  }

  #keep(workId: string, hold: Hold): void {
    this.#holds.set(workId, hold);
    this.#works.set(hold, workId);
  }

  #say(id: string, said: Partial<Word>): Answer {
    const seq = (this.#stored.figures.blocks.get(id)?.seq ?? 0) + 1;
    const { epoch, now: at } = this.#stored;
    return this.#stored.step({
      ...emptyWord,
      epoch,
      at,
      register: true,
      terms: this.#terms(),
      ...said,
      id,
      seq,
    });
  }
}
