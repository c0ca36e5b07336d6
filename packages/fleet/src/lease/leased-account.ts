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
import { AcknowledgedUsage } from "./acknowledged-usage.ts";
import { type AccountParts, composeRequest, type SentRequest } from "./composed-request.ts";
import { FinalSync } from "./final-sync.ts";
import { type LeaseContext, pollMs, type Received } from "./lease-context.ts";
import { LeasedReservation } from "./leased-reservation.ts";
import { Predecessors } from "./predecessors.ts";
import type { SyncResponse } from "./shared-store.ts";
import { StoredBalance } from "./stored-balance.ts";
import { SyncLoop } from "./sync-loop.ts";
import { SyncTimer } from "./sync-timer.ts";
import { WaitingHolds } from "./waiting-holds.ts";

const most = Number.MAX_SAFE_INTEGER;

/**
 * What one process has of an account in a shared store: a reservation of credits, in which its holds and its unacknowledged usage
 * lie. Holds that fit are admitted at once; the others wait for a sync of this account to be answered. At most one sync is on
 * its way: what comes meanwhile is said together in the next.
 */
export class LeasedAccount extends Headroom implements Account {
  readonly #context: LeaseContext;
  readonly #parts: AccountParts;
  readonly #flushes = new AwaitedFlushes();
  readonly #finalSync: FinalSync;
  /** Counted in `used`. */
  readonly #acknowledged = new AcknowledgedUsage();
  readonly #loop: SyncLoop;
  /** When less than this is free the next reservation is asked for. */
  #low = 0;
  #lowSince = Number.NEGATIVE_INFINITY;

  constructor(account: string, context: LeaseContext) {
    super();
    this.#context = context;
    const sync = () => this.#loop.sync();
    this.#parts = {
      context,
      reservation: new LeasedReservation(context),
      waiting: new WaitingHolds(context, {
        mayUse: (notBefore) => this.#mayUse(notBefore),
        take: (amount, least) => this.take(amount, this.#parts.reservation.limit, least),
        figures: (kind) => this.figures(kind),
        poll: () => this.#loop.poll(),
      }),
      timer: new SyncTimer(context, () => {
        if (this.#hasPart) sync();
      }),
      balance: new StoredBalance(context, sync),
      predecessors: new Predecessors(account, context, sync),
    };
    this.#finalSync = new FinalSync(context, () => !this.#hasPart, sync);
    const { waiting, timer, balance } = this.#parts;
    this.#loop = new SyncLoop(account, context, {
      isUrgent: () => !waiting.none || balance.isPending,
      hasPart: () => this.#hasPart,
      mayGet: () => this.#hasPart || !waiting.none || timer.demand > 0,
      compose: () => this.#compose(),
      receive: (sent, response) => this.#receive(sent, response),
      rest: () => this.#keepTime(),
    });
  }

  get stamp(): number | undefined {
    return this.#parts.balance.stamp;
  }

  get period(): number | undefined {
    return this.#parts.balance.period;
  }

  hold(
    amount: number,
    kind: WalletKind,
    notBefore: number,
    _workId?: string,
    least: number = amount,
  ): Hold | Promise<Hold | AccountFigures> {
    const { waiting, timer } = this.#parts;
    if (waiting.none) {
      const hold = this.#admit(amount, kind, notBefore);
      if (hold !== undefined) return hold;
    }
    timer.ask(amount);
    const answered = waiting.wait({ amount, least, kind, notBefore });
    this.#loop.sync();
    return answered;
  }

  override settle(hold: Hold | undefined, amounts: readonly number[]): readonly Unconfirmed[] {
    const usages = super.settle(hold, amounts);
    this.#reportFree();
    return usages;
  }

  override release(hold: Hold, rest?: number): void {
    super.release(hold, rest);
    this.#keepTime();
    this.#reportFree();
  }

  override correct(usage: Unconfirmed, amount: number): void {
    super.correct(usage, amount);
    this.#reportFree();
  }

  acknowledge(usage: Unconfirmed, lagMs: number, byQueue = false): void {
    const share = this.end(usage);
    if (share === undefined) return;
    this.#acknowledged.add(share, byQueue, this.#context.clock.now() + lagMs);
    this.#keepTime();
  }

  override recover(amounts: readonly number[], predecessors: readonly string[]): readonly Unconfirmed[] {
    this.#parts.predecessors.add(predecessors);
    const usages = this.settle(undefined, amounts);
    // Not at once: until the usage of earlier processes is in the base, their reservations stand for it.
    this.#keepTime();
    return usages;
  }

  beginRefresh(since: number): Promise<RefreshPermit> {
    return this.#parts.balance.beginRefresh(since);
  }

  install(request: BalanceRequest, update: BalanceUpdate | undefined): Promise<void> {
    return this.#parts.balance.install(request, update);
  }

  figures(kind: WalletKind): AccountFigures {
    return this.#parts.balance.figures(kind, this.held, this.used);
  }

  flush(giveBack: boolean): void | Promise<void> {
    return this.#flush(giveBack, true);
  }

  /** Resolves when the store counts all that is acknowledged now; it will, sooner or later. */
  counted(): void | Promise<void> {
    return this.#flush(false, false);
  }

  #flush(giveBack: boolean, hurries: boolean): void | Promise<void> {
    const flush = { giveBack, hurries, acks: this.#acknowledged.acks };
    if (!this.#isPending(flush)) return;
    const flushed = this.#flushes.add(flush);
    if (hurries) this.#loop.sync();
    return flushed;
  }

  idle(now: number): boolean {
    const { reservation, waiting, predecessors } = this.#parts;
    if (this.#outstanding > 0 || this.beyond > 0 || this.awaited > 0 || reservation.amount > 0) return false;
    if (this.#loop.isRunning || !this.#acknowledged.isSettled(now)) return false;
    return waiting.none && predecessors.none;
  }

  /** Says nothing any more. */
  stop(): void {
    this.#loop.stop();
    this.#parts.timer.stop();
    this.#finalSync.cancel();
    this.#parts.predecessors.stop();
  }

  /** Holds and usage that is not moved out of the reservation. */
  get #outstanding(): number {
    return Math.min(most, this.held + this.used);
  }

  /** Whether this process must send a sync request from time to time. */
  get #hasPart(): boolean {
    const { reservation, predecessors } = this.#parts;
    return reservation.amount > 0 || this.#outstanding > 0 || this.beyond > 0 || !predecessors.none;
  }

  #mayUse(notBefore: number): boolean {
    const { stamp } = this;
    const { reservation, balance } = this.#parts;
    if (stamp === undefined || stamp < notBefore || !reservation.isValid) return false;
    return !balance.isRefused(reservation.kind);
  }

  #admit(amount: number, kind: WalletKind, notBefore: number): Hold | undefined {
    const { reservation, timer } = this.#parts;
    if (kind !== reservation.kind || !this.#mayUse(notBefore)) return undefined;
    const hold = this.take(amount, reservation.limit);
    if (hold === undefined) return undefined;
    timer.ask(amount);
    if (reservation.limit - this.held - this.used < this.#low) this.#askBehind();
    return hold;
  }

  /** The next reservation is asked for while there is still something left of this one. */
  #askBehind(): void {
    const now = this.#context.clock.now();
    if (this.#loop.isRunning || now < this.#lowSince + pollMs) return;
    this.#lowSince = now;
    this.#loop.sync();
  }

  /** Whether something is free of which the store does not know, and which another process may need. */
  get #hasUnreportedFree(): boolean {
    const { reservation, balance } = this.#parts;
    if (reservation.reportedFree > 0 || reservation.amount <= this.#outstanding) return false;
    return balance.isScarce(reservation.kind, reservation.amount);
  }

  /** Else another process would be denied until the next sync: it waits for no reservation of which nothing is free. */
  #reportFree(): void {
    if (!this.#hasUnreportedFree) return;
    // Work that settles gives its hold back first, and then has usage in its place.
    void Promise.resolve().then(() => {
      if (this.#hasUnreportedFree) this.#loop.sync();
    });
  }

  #compose(): SentRequest {
    const moving = this.#acknowledged.take();
    const base = this.beyond > moving.beyond ? most : Math.max(0, this.#outstanding - moving.amount);
    const isOver = this.#flushes.giveBack || this.#finalSync.isDue;
    return composeRequest(this.#parts, { base, moving, isOver });
  }

  #receive(sent: SentRequest, response: SyncResponse): void {
    const { request, sentAt, sentWall } = sent;
    const received = { response, sentAt, sentWall, receivedAt: this.#context.clock.now() };
    this.#parts.reservation.receiveRecalls(response);
    this.#parts.balance.receive(received);
    if (response.status === "register") this.#receiveRegister(sent, response);
    else if (response.status === "repeated" && response.reservation < request.keep)
      this.#receiveRetired(sent);
    else this.#receiveDone(sent, received);
    const hurries = this.#flushes.end((flush) => this.#isPending(flush));
    if (hurries && !this.#loop.isPolling) this.#loop.sync();
  }

  /** The store has done what the sync says, now or when it came first. */
  #receiveDone({ request, moving, balanceFields }: SentRequest, received: Received): void {
    const { reservation, balance, predecessors, waiting, timer } = this.#parts;
    const { response } = received;
    this.used -= moving.amount;
    this.beyond -= moving.beyond;
    this.#acknowledged.count(moving);
    reservation.receive(request, response);
    reservation.receiveValidity(request, received);
    this.#low = Math.min(timer.demand, Math.floor((response.reservation - request.base) / 2));
    balance.receiveSent(balanceFields, received);
    predecessors.receive(request.retire);
    waiting.receive(request, response);
    const gives = reservation.isRecalled && reservation.amount > this.#outstanding && !waiting.wasDenied;
    const asks = !waiting.none && !this.#loop.isPolling;
    // A successor may have retired this process, which had nothing: what it says next has no effect either.
    if (gives || asks || balance.isPending) this.#syncAfter(response.status === "repeated");
    this.#receiveEnd();
  }

  #receiveRegister({ request, moving, balanceFields }: SentRequest, response: SyncResponse): void {
    const { reservation, balance, predecessors } = this.#parts;
    // A store that has forgotten once more may do so again: none of the syncs before was the last one.
    this.#finalSync.receive();
    this.#acknowledged.putBack(moving);
    // Twice in a row: the store answers later than a lease, or two of them answer in turns.
    this.#syncAfter(reservation.mustRegister);
    if (!reservation.receiveRegister(request, response)) return;
    balance.drop(balanceFields.install);
    predecessors.again();
  }

  /** A successor has retired this process although it lives. Its syncs count again when the store has forgotten that. */
  #receiveRetired({ moving }: SentRequest): void {
    this.#acknowledged.putBack(moving);
    this.#parts.reservation.invalidate();
    this.#loop.poll();
  }

  /** The next sync, at once or in a moment: one after the other without a pause would never end while the store answers the same. */
  #syncAfter(rests: boolean): void {
    if (rests) this.#loop.poll();
    else this.#loop.sync();
  }

  #keepTime(): void {
    if (!this.#hasPart || this.#loop.isStopped) return;
    const { reservation, timer, predecessors } = this.#parts;
    const isFree = reservation.amount > this.#outstanding || !this.#acknowledged.isSent || !predecessors.none;
    timer.keep(isFree);
  }

  /** The reservation may have gone back: then one more sync is due, or this was it. */
  #receiveEnd(): void {
    const isLast = this.#finalSync.receive();
    const isOver = !this.#hasPart && this.#parts.waiting.none && this.#acknowledged.isSent;
    if (!isOver || !this.#loop.isNoted) return;
    if (isLast) {
      this.#finalSync.cancel();
      this.#loop.end();
      return;
    }
    this.#parts.timer.rest();
    this.#finalSync.schedule();
  }

  #isPending({ giveBack, acks }: { readonly giveBack: boolean; readonly acks: number }): boolean {
    if (this.#loop.isStopped) return false;
    if (!this.#acknowledged.isCounted(acks) || !this.#parts.predecessors.none) return true;
    return giveBack && this.#parts.reservation.amount > this.#outstanding;
  }
}

interface AwaitedFlush {
  readonly giveBack: boolean;
  /** Whether it is worth a sync of its own. */
  readonly hurries: boolean;
  /** The acknowledgements that must be counted. */
  readonly acks: number;
}

/** Calls that wait until the store knows what the process has acknowledged, or has what it does not use. */
export class AwaitedFlushes {
  #all: readonly (AwaitedFlush & { readonly done: () => void })[] = [];

  /** Whether one of them gives back what the process does not use. */
  get giveBack(): boolean {
    return this.#all.some(({ giveBack }) => giveBack);
  }

  /** Resolves when {@link AwaitedFlushes.end} finds nothing unsaid of it. */
  add(flush: AwaitedFlush): Promise<void> {
    return new Promise((resolve) => {
      this.#all = [...this.#all, { ...flush, done: resolve }];
    });
  }

  /** Ends those of which nothing is unsaid any more. Returns whether one of the others hurries. */
  end(isPending: (flush: AwaitedFlush) => boolean): boolean {
    const ended = this.#all.filter((flush) => !isPending(flush));
    this.#all = this.#all.filter(isPending);
    for (const { done } of ended) done();
    return this.#all.some(({ hurries }) => hurries);
  }
}
