import { type Clock, tickOf } from "../values/clock.ts";
import type { Capacity, WalletKind } from "./capacity.ts";
import { Headroom } from "./headroom.ts";
import type {
  Account,
  BalanceRequest,
  Departure,
  Hold,
  Ledger,
  Standing,
  Unconfirmed,
  WalletNews,
} from "./ledger.ts";

/** A balance request as this ledger numbers it: k of the proof. */
interface Request extends BalanceRequest {
  readonly number?: number;
}

/** Acknowledged usage, as one sum for each balance request that it came after. */
interface Acknowledged {
  /** The last balance request that had left when it was acknowledged. */
  readonly after: number;
  amount: number;
  /** The part of the amount that only a queue has. */
  queued: number;
  /** Parts that are beyond the range of exact sums. */
  beyond: number;
  /** A snapshot stamped after this shows all of it; one that was asked for at this very instant may not. */
  provenAt: number;
}

/** Changes a capacity, as a guard does for an isolate that is not alone in spending a wallet. */
export type CapacityChange = (capacity: Capacity) => Capacity;

/** The ledger of one process: every step is synchronous, so nothing comes between. */
export function createMemoryLedger(clock: Clock, guard?: CapacityChange): Ledger {
  return { id: crypto.randomUUID(), account: () => new MemoryAccount(clock, guard), close() {} };
}

/**
 * The letters of the proof (ARCHITECTURE.md): S is `#prepaid` or `#postpaid`, g0 `#stamp`, H `held`, U `used`, V `#shown…`.
 */
class MemoryAccount extends Headroom implements Account {
  readonly #clock: Clock;
  readonly #guard: CapacityChange | undefined;
  /** What the wallet can pay by the snapshot, less what is not settled where the service tells. */
  #prepaid: Capacity | undefined;
  #postpaid: Capacity | undefined;
  #stamp = Number.NEGATIVE_INFINITY;
  /** The number of the snapshot's request. */
  #number = -1;
  #tells = false;
  /** When the snapshot came in. */
  #installedAt = 0;
  /** The snapshot from which on the falls have been counted that are shown now. */
  #countedFrom = 0;
  /** How much of the usage the snapshot shows, by what it has fallen by; for a service that tells, by what it includes. */
  #shownPrepaid = 0;
  #shownPostpaid = 0;
  /** Balance requests that have left. */
  #requests = 0;
  /** The oldest first; `undefined` while there is none, for most customers are idle. */
  #acknowledged: Acknowledged[] | undefined;

  constructor(clock: Clock, guard: CapacityChange | undefined) {
    super();
    this.#clock = clock;
    this.#guard = guard;
  }

  get stamp(): number | undefined {
    return this.#stamp === Number.NEGATIVE_INFINITY ? undefined : this.#stamp;
  }

  hold(amount: number, kind: WalletKind, notBefore: number): Hold | Standing {
    const capacity = kind === "prepaid" ? this.#prepaid : this.#postpaid;
    if (typeof capacity !== "number" || this.#stamp < notBefore) return this.standing(kind);
    // Past the safe range sums are no longer exact; no real wallet comes near it.
    const limit = Math.min(capacity + this.#shown(kind), Number.MAX_SAFE_INTEGER);
    return this.take(amount, limit) ?? this.standing(kind);
  }

  acknowledge(usage: Unconfirmed, lagMs: number, byQueue = false): void {
    const share = this.end(usage);
    if (share === undefined) return;
    // The clock may show what was a tick ago: the acknowledgement came that much later than it says.
    const provenAt = this.#clock.now() + tickOf(this.#clock) + lagMs;
    const amount = share.isBeyond ? 0 : share.amount;
    const beyond = share.isBeyond ? 1 : 0;
    const queued = byQueue ? amount : 0;
    this.#acknowledged ??= [];
    const last = this.#acknowledged.at(-1);
    if (last?.after !== this.#requests) {
      this.#acknowledged.push({ after: this.#requests, amount, queued, beyond, provenAt });
      return;
    }
    last.amount += amount;
    last.queued += queued;
    last.beyond += beyond;
    last.provenAt = Math.max(last.provenAt, provenAt);
  }

  override correct(usage: Unconfirmed, amount: number): void {
    super.correct(usage, amount);
    // No more than there is: else what others have spent would leave room for work.
    this.#shownPrepaid = Math.min(this.#shownPrepaid, this.used);
    this.#shownPostpaid = Math.min(this.#shownPostpaid, this.used);
  }

  recover(amounts: readonly number[]): readonly Unconfirmed[] {
    return this.settle(undefined, amounts);
  }

  depart(): Departure {
    const go: Request = { stamp: this.#clock.now(), number: ++this.#requests };
    return { go };
  }

  install({ stamp, number = 0 }: Request, news: WalletNews | undefined, maxStaleMs: number): void {
    if (news === undefined) return;
    if (stamp < this.#stamp || (stamp === this.#stamp && number <= this.#number)) return;
    const tells = news.unsettled !== undefined;
    const prepaid = this.#spendable(news.prepaid, news.unsettled);
    const postpaid = this.#spendable(news.postpaid, news.unsettled);
    // Usage that is not settled has not fallen yet, so beside a service that tells there is nothing to compare.
    const comparable =
      this.#guard === undefined &&
      !tells &&
      !this.#tells &&
      stamp > this.#installedAt &&
      stamp - this.#countedFrom <= maxStaleMs;
    this.#shownPrepaid = comparable ? this.#fallen(this.#prepaid, prepaid, this.#shownPrepaid) : 0;
    this.#shownPostpaid = comparable ? this.#fallen(this.#postpaid, postpaid, this.#shownPostpaid) : 0;
    this.#prepaid = prepaid;
    this.#postpaid = postpaid;
    this.#stamp = stamp;
    this.#number = number;
    this.#tells = tells;
    this.#installedAt = this.#clock.now();
    this.#forget(stamp);
    if (tells) this.#shownPrepaid = this.#shownPostpaid = this.#included(number);
    else if (this.#shownPrepaid + this.#shownPostpaid === 0) this.#countedFrom = stamp;
  }

  standing(kind: WalletKind): Standing {
    const shown = this.#shown(kind);
    return {
      admitted: false,
      capacity: kind === "prepaid" ? this.#prepaid : this.#postpaid,
      held: this.held,
      unconfirmed: this.used - shown,
      recent: this.#tells ? this.#sum(({ after }) => after >= this.#number) : 0,
      stamp: this.stamp,
    };
  }

  flush(): void {}

  idle(now: number): boolean {
    if (this.held > 0 || this.awaited > 0) return false;
    return this.#acknowledged?.every(({ provenAt }) => provenAt < now) ?? true;
  }

  #shown(kind: WalletKind): number {
    return kind === "prepaid" ? this.#shownPrepaid : this.#shownPostpaid;
  }

  #spendable(capacity: Capacity, unsettled = 0): Capacity {
    if (typeof capacity !== "number") return capacity;
    const spendable = Math.max(capacity - unsettled, Number.MIN_SAFE_INTEGER);
    return this.#guard === undefined ? spendable : this.#guard(spendable);
  }

  /** Nothing but debits makes funds fall, so what they fell by is usage that they show from now on. */
  #fallen(before: Capacity | undefined, after: Capacity, shown: number): number {
    const fall = Number(before) - Number(after);
    // Without a number, or a limit, there is nothing to compare.
    if (!Number.isSafeInteger(fall)) return 0;
    return Math.min(shown + Math.max(0, fall), this.used);
  }

  /** Drops what a snapshot of this stamp is certain to show, whoever tells. */
  #forget(stamp: number): void {
    if (this.#acknowledged === undefined) return;
    const left: Acknowledged[] = [];
    for (const sum of this.#acknowledged) {
      if (sum.provenAt >= stamp) {
        left.push(sum);
        continue;
      }
      this.used -= sum.amount;
      this.beyond -= sum.beyond;
      this.#shownPrepaid = Math.max(0, this.#shownPrepaid - sum.amount);
      this.#shownPostpaid = Math.max(0, this.#shownPostpaid - sum.amount);
    }
    this.#acknowledged = left.length > 0 ? left : undefined;
  }

  /** What a service that tells has counted in its answer to this request: what it had acknowledged before. */
  #included(number: number): number {
    return this.#sum(({ after }) => after < number);
  }

  /** Of what the service itself has acknowledged: it may not know of what a queue has. */
  #sum(counts: (sum: Acknowledged) => boolean): number {
    let total = 0;
    for (const sum of this.#acknowledged ?? []) if (counts(sum)) total += sum.amount - sum.queued;
    return total;
  }
}
