import { type Clock, resolutionOf } from "../values/clock.ts";
import type { BalanceUpdate, Capacity, WalletKind } from "./capacity.ts";
import { Headroom } from "./headroom.ts";
import type {
  Account,
  AccountFigures,
  BalanceRequest,
  Hold,
  Ledger,
  RefreshPermit,
  Unconfirmed,
} from "./ledger.ts";

/** A balance request as this ledger numbers it: k of the proof. */
interface Request extends BalanceRequest {
  readonly number?: number;
}

/** Acknowledged usage, as one sum for each balance request that it came after. */
interface Acknowledged {
  /** The last balance request that had been sent when it was acknowledged. */
  readonly after: number;
  amount: number;
  /** The part of the amount that only a queue has. */
  queued: number;
  /** Parts that are beyond the range of exact sums. */
  beyond: number;
  /** A snapshot stamped after this shows all of it; one that was asked for at this very instant may not. */
  provenAt: number;
  /** The sum before it: a list of links takes the least where most customers have one sum, or none. */
  older: Acknowledged | undefined;
}

/** V: how much of the usage the snapshot shows, by the fall of the balance; for an extended service, by what it includes. */
interface Shown {
  prepaid: number;
  postpaid: number;
  /** The snapshot from which on the falls have been counted. */
  readonly countedFrom: number;
}

/** What all accounts of a ledger have in common. */
interface Shared {
  readonly clock: Clock;
  readonly guard: CapacityChange | undefined;
}

/** Changes a capacity, as a guard does for an isolate that is not alone in spending a wallet. */
export type CapacityChange = (capacity: Capacity) => Capacity;

/** The ledger of one process: every step is synchronous, so nothing comes between. */
export function createMemoryLedger(clock: Clock, guard?: CapacityChange): Ledger {
  const shared = { clock, guard };
  const account = () => new MemoryAccount(shared);
  return { id: crypto.randomUUID(), account, budget: account, close() {} };
}

/**
 * The letters of the proof (docs/design/proof.md): S is `#prepaid` or `#postpaid`, g0 `#stamp`, H `held`, U `used`, V `#shown`.
 * Each field counts for every customer in memory, and a class with `#methods()` has a field more.
 */
class MemoryAccount extends Headroom implements Account {
  readonly #shared: Shared;
  /** What the wallet can pay by the snapshot, less the unsettled usage of an extended service. */
  #prepaid: Capacity | undefined;
  #postpaid: Capacity | undefined;
  #stamp = Number.NEGATIVE_INFINITY;
  /** The number of the snapshot's request. */
  #number = -1;
  #extended = false;
  /** Where the snapshot shows none of the usage there is no V. */
  #shown: Shown | undefined;
  /** Balance requests that have been sent, now and when the snapshot came in. */
  #requests = 0;
  #requestsBefore = 0;
  /** The latest sum. */
  #acknowledged: Acknowledged | undefined;

  constructor(shared: Shared) {
    super();
    this.#shared = shared;
  }

  get stamp(): number | undefined {
    return this.#stamp === Number.NEGATIVE_INFINITY ? undefined : this.#stamp;
  }

  hold(
    amount: number,
    kind: WalletKind,
    notBefore: number,
    _workId?: string,
    least?: number,
  ): Hold | AccountFigures {
    const limit = this.limit(kind, notBefore);
    return (limit === undefined ? undefined : this.take(amount, limit, least)) ?? this.figures(kind);
  }

  /** `undefined` where the snapshot is too old, or shows no number. */
  protected limit(kind: WalletKind, notBefore: number): number | undefined {
    const capacity = kind === "prepaid" ? this.#prepaid : this.#postpaid;
    if (typeof capacity !== "number" || this.#stamp < notBefore) return undefined;
    // Past the safe range sums are no longer exact; no real wallet comes near it.
    return Math.min(capacity + (this.#shown?.[kind] ?? 0), Number.MAX_SAFE_INTEGER);
  }

  acknowledge(usage: Unconfirmed, lagMs: number, byQueue = false): void {
    const share = this.end(usage);
    if (share === undefined) return;
    // The clock may lag by its resolution, so the acknowledgement may be that much younger.
    const { clock } = this.#shared;
    const provenAt = clock.now() + resolutionOf(clock) + lagMs;
    const amount = share.isBeyond ? 0 : share.amount;
    const beyond = share.isBeyond ? 1 : 0;
    const queued = byQueue ? amount : 0;
    const last = this.#acknowledged;
    if (last?.after !== this.#requests) {
      this.#acknowledged = { after: this.#requests, amount, queued, beyond, provenAt, older: last };
      return;
    }
    last.amount += amount;
    last.queued += queued;
    last.beyond += beyond;
    last.provenAt = Math.max(last.provenAt, provenAt);
  }

  override correct(usage: Unconfirmed, amount: number): void {
    super.correct(usage, amount);
    // No more than there is: else others' spending would leave room for work.
    const shown = this.#shown;
    if (shown === undefined) return;
    shown.prepaid = Math.min(shown.prepaid, this.used);
    shown.postpaid = Math.min(shown.postpaid, this.used);
  }

  beginRefresh(): RefreshPermit {
    const go: Request = { stamp: this.#shared.clock.now(), number: ++this.#requests };
    return { go };
  }

  install({ stamp, number = 0 }: Request, update: BalanceUpdate | undefined, maxStaleMs: number): void {
    if (update === undefined) return;
    if (stamp < this.#stamp || (stamp === this.#stamp && number <= this.#number)) return;
    const { guard } = this.#shared;
    const extended = update.unsettled !== undefined;
    const prepaid = spendable(update.prepaid, update.unsettled, guard);
    const postpaid = spendable(update.postpaid, update.unsettled, guard);
    // While nothing is shown the falls count from one snapshot to the next.
    const countedFrom = this.#shown?.countedFrom ?? this.#stamp;
    // Unsettled usage has not reduced the balance yet, so with an extended service there is nothing to compare.
    const comparable =
      guard === undefined &&
      !extended &&
      !this.#extended &&
      number > this.#requestsBefore &&
      stamp - countedFrom <= maxStaleMs;
    const shown = {
      prepaid: comparable ? fallen(this.#prepaid, prepaid, this.#shown?.prepaid, this.used) : 0,
      postpaid: comparable ? fallen(this.#postpaid, postpaid, this.#shown?.postpaid, this.used) : 0,
      countedFrom,
    };
    this.#prepaid = prepaid;
    this.#postpaid = postpaid;
    this.#stamp = stamp;
    this.#number = number;
    this.#extended = extended;
    this.#requestsBefore = this.#requests;
    this.forget(stamp, shown);
    // What it had acknowledged before the request, the answer counts.
    if (extended) shown.prepaid = shown.postpaid = sumOf(this.#acknowledged, ({ after }) => after < number);
    this.#shown = shown.prepaid + shown.postpaid > 0 ? shown : undefined;
  }

  figures(kind: WalletKind): AccountFigures {
    const shown = this.#shown?.[kind] ?? 0;
    return {
      admitted: false,
      capacity: kind === "prepaid" ? this.#prepaid : this.#postpaid,
      held: this.held,
      unconfirmed: this.used - shown,
      recent: this.#extended ? sumOf(this.#acknowledged, ({ after }) => after >= this.#number) : 0,
      stamp: this.stamp,
    };
  }

  flush(): void {}

  idle(now: number): boolean {
    if (this.held > 0 || this.awaited > 0) return false;
    for (let sum = this.#acknowledged; sum !== undefined; sum = sum.older)
      if (sum.provenAt >= now) return false;
    return true;
  }

  /** Drops what a snapshot of this stamp is certain to show, with or without an extended service. */
  protected forget(stamp: number, shown: Shown): void {
    let newer: Acknowledged | undefined;
    for (let sum = this.#acknowledged; sum !== undefined; sum = sum.older) {
      if (sum.provenAt >= stamp) {
        newer = sum;
        continue;
      }
      if (newer === undefined) this.#acknowledged = sum.older;
      else newer.older = sum.older;
      this.used -= sum.amount;
      this.beyond -= sum.beyond;
      shown.prepaid = Math.max(0, shown.prepaid - sum.amount);
      shown.postpaid = Math.max(0, shown.postpaid - sum.amount);
    }
  }
}

function spendable(capacity: Capacity, unsettled = 0, guard?: CapacityChange): Capacity {
  if (typeof capacity !== "number") return capacity;
  const left = Math.max(capacity - unsettled, Number.MIN_SAFE_INTEGER);
  return guard === undefined ? left : guard(left);
}

/** Nothing but debits makes funds fall, so what they fell by is usage that they show from now on. */
function fallen(before: Capacity | undefined, after: Capacity, shown = 0, used = 0): number {
  const fall = Number(before) - Number(after);
  // Without a number, or a limit, there is nothing to compare.
  if (!Number.isSafeInteger(fall)) return 0;
  return Math.min(shown + Math.max(0, fall), used);
}

/** Of what the service itself has acknowledged: it may not know of what a queue has. */
function sumOf(latest: Acknowledged | undefined, counts: (sum: Acknowledged) => boolean): number {
  let total = 0;
  for (let sum = latest; sum !== undefined; sum = sum.older)
    if (counts(sum)) total += sum.amount - sum.queued;
  return total;
}
