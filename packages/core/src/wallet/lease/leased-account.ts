import type { WalletKind } from "../capacity.ts";
import { Headroom } from "../headroom.ts";
import type {
  Account,
  BalanceRequest,
  Departure,
  Hold,
  Standing,
  Unconfirmed,
  WalletNews,
} from "../ledger.ts";
import { AcknowledgedUsage } from "./acknowledged-usage.ts";
import { AwaitedFlushes } from "./awaited-flushes.ts";
import { Beat } from "./beat.ts";
import { type AccountParts, composeWord, type Saying } from "./composed-word.ts";
import { Conversation } from "./conversation.ts";
import { LastWord } from "./last-word.ts";
import { type Heard, type LeaseContext, pollMs } from "./lease-context.ts";
import { LeasedBlock } from "./leased-block.ts";
import { Predecessors } from "./predecessors.ts";
import type { Answer } from "./shared-store.ts";
import { StoredBalance } from "./stored-balance.ts";
import { WaitingHolds } from "./waiting-holds.ts";

const most = Number.MAX_SAFE_INTEGER;

/**
 * What one process has of an account in a shared store: a block of credits, in which its holds and its unacknowledged usage
 * lie. Holds that fit are admitted at once; the others wait for a word of this account to be answered. At most one word is on
 * its way: what comes meanwhile is said together in the next.
 */
export class LeasedAccount extends Headroom implements Account {
  readonly #context: LeaseContext;
  readonly #parts: AccountParts;
  readonly #flushes = new AwaitedFlushes();
  readonly #lastWord: LastWord;
  /** Counted in `used`. */
  readonly #acknowledged = new AcknowledgedUsage();
  readonly #conversation: Conversation;
  /** When less than this is free the next block is asked for. */
  #low = 0;
  #lowSince = Number.NEGATIVE_INFINITY;

  constructor(account: string, context: LeaseContext) {
    super();
    this.#context = context;
    const speak = () => this.#conversation.speak();
    this.#parts = {
      context,
      block: new LeasedBlock(context),
      waiting: new WaitingHolds(context, {
        mayUse: (notBefore) => this.#mayUse(notBefore),
        take: (amount, least) => this.take(amount, this.#parts.block.limit, least),
        standing: (kind) => this.standing(kind),
        poll: () => this.#conversation.poll(),
      }),
      beat: new Beat(context, () => {
        if (this.#hasPart) speak();
      }),
      balance: new StoredBalance(context, speak),
      predecessors: new Predecessors(account, context, speak),
    };
    this.#lastWord = new LastWord(context, () => !this.#hasPart, speak);
    const { waiting, beat, balance } = this.#parts;
    this.#conversation = new Conversation(account, context, {
      isUrgent: () => !waiting.none || balance.isUnsaid,
      hasPart: () => this.#hasPart,
      mayGet: () => this.#hasPart || !waiting.none || beat.demand > 0,
      compose: () => this.#compose(),
      hear: (saying, answer) => this.#hear(saying, answer),
      rest: () => this.#keepTime(),
    });
  }

  get stamp(): number | undefined {
    return this.#parts.balance.stamp;
  }

  hold(
    amount: number,
    kind: WalletKind,
    notBefore: number,
    _workId?: string,
    least: number = amount,
  ): Hold | Promise<Hold | Standing> {
    const { waiting, beat } = this.#parts;
    if (waiting.none) {
      const hold = this.#admit(amount, kind, notBefore);
      if (hold !== undefined) return hold;
    }
    beat.ask(amount);
    const answered = waiting.wait({ amount, least, kind, notBefore });
    this.#conversation.speak();
    return answered;
  }

  override settle(hold: Hold | undefined, amounts: readonly number[]): readonly Unconfirmed[] {
    const usages = super.settle(hold, amounts);
    this.#tellFree();
    return usages;
  }

  override release(hold: Hold): void {
    super.release(hold);
    this.#keepTime();
    this.#tellFree();
  }

  override correct(usage: Unconfirmed, amount: number): void {
    super.correct(usage, amount);
    this.#tellFree();
  }

  acknowledge(usage: Unconfirmed, lagMs: number, byQueue = false): void {
    const share = this.end(usage);
    if (share === undefined) return;
    this.#acknowledged.add(share, byQueue, this.#context.clock.now() + lagMs);
    this.#keepTime();
  }

  recover(amounts: readonly number[], predecessors: readonly string[]): readonly Unconfirmed[] {
    this.#parts.predecessors.add(predecessors);
    const usages = this.settle(undefined, amounts);
    // Not at once: until all that earlier processes have left is in the base, their blocks stand for it.
    this.#keepTime();
    return usages;
  }

  depart(since: number): Promise<Departure> {
    return this.#parts.balance.depart(since);
  }

  install(request: BalanceRequest, news: WalletNews | undefined): Promise<void> {
    return this.#parts.balance.install(request, news);
  }

  standing(kind: WalletKind): Standing {
    return this.#parts.balance.standing(kind, this.held, this.used);
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
    if (!this.#isUnsaid(flush)) return;
    const flushed = this.#flushes.add(flush);
    if (hurries) this.#conversation.speak();
    return flushed;
  }

  idle(now: number): boolean {
    const { block, waiting, predecessors } = this.#parts;
    if (this.#outstanding > 0 || this.beyond > 0 || this.awaited > 0 || block.amount > 0) return false;
    if (this.#conversation.isSpeaking || !this.#acknowledged.isSettled(now)) return false;
    return waiting.none && predecessors.none;
  }

  /** Says nothing any more. */
  stop(): void {
    this.#conversation.stop();
    this.#parts.beat.stop();
    this.#lastWord.cancel();
    this.#parts.predecessors.stop();
  }

  /** Holds and usage that is not moved out of the block. */
  get #outstanding(): number {
    return Math.min(most, this.held + this.used);
  }

  /** Whether the store must hear of this process from time to time. */
  get #hasPart(): boolean {
    const { block, predecessors } = this.#parts;
    return block.amount > 0 || this.#outstanding > 0 || this.beyond > 0 || !predecessors.none;
  }

  #mayUse(notBefore: number): boolean {
    const { stamp } = this;
    return stamp !== undefined && stamp >= notBefore && this.#parts.block.isValid;
  }

  #admit(amount: number, kind: WalletKind, notBefore: number): Hold | undefined {
    const { block, beat } = this.#parts;
    if (kind !== block.kind || !this.#mayUse(notBefore)) return undefined;
    const hold = this.take(amount, block.limit);
    if (hold === undefined) return undefined;
    beat.ask(amount);
    if (block.limit - this.held - this.used < this.#low) this.#askBehind();
    return hold;
  }

  /** The next block is asked for while there is still something left of this one. */
  #askBehind(): void {
    const now = this.#context.clock.now();
    if (this.#conversation.isSpeaking || now < this.#lowSince + pollMs) return;
    this.#lowSince = now;
    this.#conversation.speak();
  }

  /** Whether something is free of which the store does not know, and which another process may need. */
  get #isFreeUntold(): boolean {
    const { block, balance } = this.#parts;
    if (block.toldFree > 0 || block.amount <= this.#outstanding) return false;
    return balance.isScarce(block.kind, block.amount);
  }

  /** Else another process would be denied until the next beat: it waits for no block of which nothing is free. */
  #tellFree(): void {
    if (!this.#isFreeUntold) return;
    // Work that settles gives its hold back first, and then has usage in its place.
    void Promise.resolve().then(() => {
      if (this.#isFreeUntold) this.#conversation.speak();
    });
  }

  #compose(): Saying {
    const moving = this.#acknowledged.take();
    const base = this.beyond > moving.beyond ? most : Math.max(0, this.#outstanding - moving.amount);
    const isOver = this.#flushes.giveBack || this.#lastWord.isDue;
    return composeWord(this.#parts, { base, moving, isOver });
  }

  #hear(saying: Saying, answer: Answer): void {
    const { word, sentAt, sentWall } = saying;
    const heard = { answer, sentAt, sentWall, heardAt: this.#context.clock.now() };
    this.#parts.block.hearRecalls(answer);
    this.#parts.balance.hear(heard);
    if (answer.status === "register") this.#hearRegister(saying, answer);
    else if (answer.status === "repeated" && answer.block < word.keep) this.#hearRetired(saying);
    else this.#hearDone(saying, heard);
    const hurries = this.#flushes.end((flush) => this.#isUnsaid(flush));
    if (hurries && !this.#conversation.isPolling) this.#conversation.speak();
  }

  /** The store has done what the word says, now or when it came first. */
  #hearDone({ word, moving, said }: Saying, heard: Heard): void {
    const { block, balance, predecessors, waiting, beat } = this.#parts;
    const { answer } = heard;
    this.used -= moving.amount;
    this.beyond -= moving.beyond;
    this.#acknowledged.count(moving);
    block.hear(word, answer);
    block.hearValidity(word, heard);
    this.#low = Math.min(beat.demand, Math.floor((answer.block - word.base) / 2));
    balance.hearSaid(said, heard);
    predecessors.hear(word.retire);
    waiting.hear(word, answer);
    const gives = block.isRecalled && block.amount > this.#outstanding && !waiting.wasDenied;
    const asks = !waiting.none && !this.#conversation.isPolling;
    if (gives || asks || balance.isUnsaid) this.#conversation.speak();
    this.#hearEnd();
  }

  #hearRegister({ word, moving, said }: Saying, answer: Answer): void {
    const { block, balance, predecessors } = this.#parts;
    this.#acknowledged.putBack(moving);
    this.#conversation.speak();
    if (!block.hearRegister(word, answer)) return;
    balance.drop(said.install);
    predecessors.again();
  }

  /** A successor has retired this process although it lives: it is heard again when the store has forgotten that. */
  #hearRetired({ moving }: Saying): void {
    this.#acknowledged.putBack(moving);
    this.#parts.block.invalidate();
    this.#conversation.poll();
  }

  #keepTime(): void {
    if (!this.#hasPart || this.#conversation.isStopped) return;
    const { block, beat, predecessors } = this.#parts;
    const isFree = block.amount > this.#outstanding || !this.#acknowledged.isSaid || !predecessors.none;
    beat.keep(isFree);
  }

  /** The block may have gone back: then one more word is due, or this was it. */
  #hearEnd(): void {
    const isLast = this.#lastWord.hear();
    const isOver = !this.#hasPart && this.#parts.waiting.none && this.#acknowledged.isSaid;
    if (!isOver || !this.#conversation.isNoted) return;
    if (isLast) {
      this.#lastWord.cancel();
      this.#conversation.end();
      return;
    }
    this.#parts.beat.rest();
    this.#lastWord.schedule();
  }

  #isUnsaid({ giveBack, acks }: { readonly giveBack: boolean; readonly acks: number }): boolean {
    if (this.#conversation.isStopped) return false;
    if (!this.#acknowledged.isCounted(acks) || !this.#parts.predecessors.none) return true;
    return giveBack && this.#parts.block.amount > this.#outstanding;
  }
}
