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
import { AwaitedFlushes } from "./awaited-flushes.ts";
import { Beat } from "./beat.ts";
import { type AccountParts, composeWord, type Saying } from "./composed-word.ts";
import { LastWord } from "./last-word.ts";
import { type Heard, type LeaseContext, pollMs } from "./lease-context.ts";
import { LeasedBlock } from "./leased-block.ts";
import { MovingUsage } from "./moving-usage.ts";
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
  readonly #account: string;
  readonly #context: LeaseContext;
  readonly #parts: AccountParts;
  readonly #flushes = new AwaitedFlushes();
  readonly #lastWord: LastWord;
  /** Acknowledged, and still in the block. Counted in `used`. */
  #acked = new MovingUsage();
  #acks = 0;
  /** How many of them the store has counted. */
  #counted = 0;
  /** The service shows by then what was acknowledged. */
  #settledAt = Number.NEGATIVE_INFINITY;
  #isSpeaking = false;
  #speaksAgain = false;
  #isPolling = false;
  #isNoted = false;
  /** When less than this is free the next block is asked for. */
  #low = 0;
  #lowSince = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  constructor(account: string, context: LeaseContext) {
    super();
    this.#account = account;
    this.#context = context;
    const speak = () => this.#speak();
    this.#parts = {
      context,
      block: new LeasedBlock(context),
      waiting: new WaitingHolds(context, {
        mayUse: (notBefore) => this.#mayUse(notBefore),
        take: (amount, least) => this.take(amount, this.#parts.block.limit, least),
        standing: (kind) => this.standing(kind),
        poll: () => this.#poll(),
      }),
      beat: new Beat(context, () => {
        if (this.#hasPart) speak();
      }),
      balance: new StoredBalance(context, speak),
      predecessors: new Predecessors(account, context, speak),
    };
    this.#lastWord = new LastWord(context, () => !this.#hasPart, speak);
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
    this.#speak();
    return answered;
  }

  override release(hold: Hold): void {
    super.release(hold);
    this.#keepTime();
  }

  acknowledge(usage: Unconfirmed, lagMs: number, byQueue = false): void {
    const share = this.end(usage);
    if (share === undefined) return;
    this.#acked.add(share, byQueue, ++this.#acks);
    this.#settledAt = Math.max(this.#settledAt, this.#context.clock.now() + lagMs);
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
    const flush = { giveBack, hurries, acks: this.#acks };
    if (!this.#isUnsaid(flush)) return;
    const flushed = this.#flushes.add(flush);
    if (hurries) this.#speak();
    return flushed;
  }

  idle(now: number): boolean {
    const { block, waiting, predecessors } = this.#parts;
    if (this.#outstanding > 0 || this.beyond > 0 || this.awaited > 0 || block.amount > 0) return false;
    return !this.#isSpeaking && waiting.none && predecessors.none && this.#settledAt < now;
  }

  /** Says nothing any more. */
  stop(): void {
    this.#isStopped = true;
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
    if (this.#isSpeaking || now < this.#lowSince + pollMs) return;
    this.#lowSince = now;
    this.#speak();
  }

  /** Says what there is to say: now, or when the word on its way is answered. */
  #speak(): void {
    this.#speaksAgain = true;
    if (this.#isSpeaking || this.#isStopped) return;
    this.#isSpeaking = true;
    void this.#converse();
  }

  async #converse(): Promise<void> {
    const { words } = this.#context;
    const { waiting, beat, balance } = this.#parts;
    // Holds that are asked for in one turn go together.
    await undefined;
    while (this.#speaksAgain && !this.#isStopped) {
      const mayGet = this.#hasPart || !waiting.none || beat.demand > 0;
      if (mayGet && !this.#isNoted && !(await this.#note())) break;
      const { saying, answer } = await words.say(this.#account, {
        isUrgent: () => !waiting.none || balance.isUnsaid,
        compose: () => {
          this.#speaksAgain = false;
          return this.#compose();
        },
      });
      if (this.#isStopped) break;
      this.#hear(saying, answer);
      const hurries = this.#flushes.end((flush) => this.#isUnsaid(flush));
      if (hurries && !this.#isPolling) this.#speak();
    }
    this.#isSpeaking = false;
    this.#keepTime();
  }

  /** The store must hear nothing of a process that its successor cannot find. */
  async #note(): Promise<boolean> {
    try {
      await this.#context.note(this.#account);
      this.#isNoted = true;
    } catch {
      // Tried again with the next word: until then nothing is admitted.
      this.#poll();
    }
    return this.#isNoted;
  }

  #compose(): Saying {
    const moving = this.#acked;
    this.#acked = new MovingUsage();
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
  }

  /** The store has done what the word says, now or when it came first. */
  #hearDone({ word, moving, said }: Saying, heard: Heard): void {
    const { block, balance, predecessors, waiting, beat } = this.#parts;
    const { answer } = heard;
    this.used -= moving.amount;
    this.beyond -= moving.beyond;
    this.#counted = Math.max(this.#counted, moving.upTo);
    block.hear(word, answer);
    block.hearValidity(word, heard);
    this.#low = Math.min(beat.demand, Math.floor((answer.block - word.base) / 2));
    balance.hearSaid(said, heard);
    predecessors.hear(word.retire);
    waiting.hear(word, answer);
    const gives = block.isRecalled && block.amount > this.#outstanding && !waiting.wasDenied;
    const asks = !waiting.none && !this.#isPolling;
    if (gives || asks || balance.isUnsaid) this.#speaksAgain = true;
    this.#hearEnd();
  }

  #hearRegister({ word, moving, said }: Saying, answer: Answer): void {
    const { block, balance, predecessors } = this.#parts;
    this.#acked = moving.with(this.#acked);
    this.#speaksAgain = true;
    if (!block.hearRegister(word, answer)) return;
    balance.drop(said.install);
    predecessors.again();
  }

  /** A successor has retired this process although it lives: it is heard again when the store has forgotten that. */
  #hearRetired({ moving }: Saying): void {
    this.#acked = moving.with(this.#acked);
    this.#parts.block.invalidate();
    this.#poll();
  }

  #poll(): void {
    if (this.#isPolling) return;
    this.#isPolling = true;
    this.#context.clock.schedule(pollMs, () => {
      this.#isPolling = false;
      this.#speak();
    });
  }

  #keepTime(): void {
    if (!this.#hasPart || this.#isStopped) return;
    const { block, beat, predecessors } = this.#parts;
    const isFree = block.amount > this.#outstanding || !this.#acked.none || !predecessors.none;
    beat.keep(isFree);
  }

  /** The block may have gone back: then one more word is due, or this was it. */
  #hearEnd(): void {
    const isLast = this.#lastWord.hear();
    const isOver = !this.#hasPart && this.#parts.waiting.none && this.#acked.none;
    if (!isOver || !this.#isNoted) return;
    if (isLast) {
      this.#lastWord.cancel();
      this.#isNoted = false;
      this.#context.ended(this.#account, [this.#context.id]);
      return;
    }
    this.#parts.beat.rest();
    this.#lastWord.schedule();
  }

  #isUnsaid({ giveBack, acks }: { readonly giveBack: boolean; readonly acks: number }): boolean {
    if (this.#isStopped) return false;
    if (this.#counted < acks || !this.#parts.predecessors.none) return true;
    return giveBack && this.#parts.block.amount > this.#outstanding;
  }
}
