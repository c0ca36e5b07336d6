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
import { Beat } from "./beat.ts";
import { type LeaseContext, leasedMs, pollMs } from "./lease-context.ts";
import { MovingUsage } from "./moving-usage.ts";
import { Predecessors } from "./predecessors.ts";
import { sayWord } from "./said-word.ts";
import type { Answer, Word } from "./shared-store.ts";
import { type SaidOfBalance, StoredBalance } from "./stored-balance.ts";
import { type WaitingHold, WaitingHolds } from "./waiting-hold.ts";

const most = Number.MAX_SAFE_INTEGER;

interface AwaitedFlush {
  readonly giveBack: boolean;
  /** Whether it is worth a word of its own. */
  readonly hurries: boolean;
  /** The acknowledgements that must be counted. */
  readonly acks: number;
  readonly done: () => void;
}

/** A word on its way. */
interface Saying {
  readonly word: Word;
  readonly moving: MovingUsage;
  readonly said: SaidOfBalance;
  readonly sentAt: number;
  readonly sentWall: number;
}

/**
 * What one process has of an account in a shared store: a block of credits, in which its holds and its unacknowledged usage
 * lie. Holds that fit are admitted at once; the others wait for a word of this account to be answered. At most one word is on
 * its way: what comes meanwhile is said together in the next.
 */
export class LeasedAccount extends Headroom implements Account {
  readonly #account: string;
  readonly #context: LeaseContext;
  readonly #beat: Beat;
  readonly #waiting = new WaitingHolds();
  readonly #balance: StoredBalance;
  readonly #predecessors: Predecessors;
  #flushes: AwaitedFlush[] = [];
  /** The kind of wallet that the block is of. */
  #kind: WalletKind = "prepaid";
  #epoch: string | null = null;
  #mustRegister = false;
  /** As the store has answered last. */
  #block = 0;
  /** What may be outstanding, acknowledged usage that is in the block included. */
  #limit = 0;
  /** Until when the block may be used, by both clocks. */
  #validUntil = Number.NEGATIVE_INFINITY;
  #validUntilWall = Number.NEGATIVE_INFINITY;
  /** Acknowledged, and still in the block. Counted in `used`. */
  #acked = new MovingUsage();
  #acks = 0;
  /** How many of them the store has counted. */
  #counted = 0;
  #isSpeaking = false;
  #speaksAgain = false;
  #isPolling = false;
  #isNoted = false;
  /** A recall has been asked for since holds began to wait. */
  #hasRecalled = false;
  #wasDenied = false;
  #recallsSeen = 0;
  #recallsAnswered = 0;
  /** When less than this is free the next block is asked for. */
  #low = 0;
  #lowSince = Number.NEGATIVE_INFINITY;
  #farewell: (() => void) | undefined;
  #saysFarewell = false;
  /** The service shows by then what was acknowledged. */
  #settledAt = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  constructor(account: string, context: LeaseContext) {
    super();
    this.#account = account;
    this.#context = context;
    this.#beat = new Beat(context, () => this.#onBeat());
    const speak = () => this.#speak();
    this.#balance = new StoredBalance(context, speak);
    this.#predecessors = new Predecessors(account, context, speak);
  }

  get stamp(): number | undefined {
    return this.#balance.stamp;
  }

  hold(amount: number, kind: WalletKind, notBefore: number): Hold | Promise<Hold | Standing> {
    if (this.#waiting.none) {
      const hold = this.#admit(amount, kind, notBefore);
      if (hold !== undefined) return hold;
    }
    return this.#wait(amount, kind, notBefore);
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
    this.#predecessors.add(predecessors);
    const usages = this.settle(undefined, amounts);
    // Not at once: until all that earlier processes have left is in the base, their blocks stand for it.
    this.#keepTime();
    return usages;
  }

  depart(since: number): Promise<Departure> {
    return this.#balance.depart(since);
  }

  install(request: BalanceRequest, news: WalletNews | undefined): Promise<void> {
    return this.#balance.install(request, news);
  }

  standing(kind: WalletKind): Standing {
    return this.#balance.standing(kind, this.held, this.used);
  }

  flush(giveBack: boolean): void | Promise<void> {
    return this.#flush({ giveBack, hurries: true });
  }

  /** Resolves when the store counts all that is acknowledged now; it will, sooner or later. */
  counted(): void | Promise<void> {
    return this.#flush({ giveBack: false, hurries: false });
  }

  #flush(how: Pick<AwaitedFlush, "giveBack" | "hurries">): void | Promise<void> {
    const flush = { ...how, acks: this.#acks };
    if (!this.#isUnsaid(flush)) return;
    return new Promise((resolve) => {
      this.#flushes.push({ ...flush, done: resolve });
      if (flush.hurries) this.#speak();
    });
  }

  idle(now: number): boolean {
    if (this.#outstanding > 0 || this.beyond > 0 || this.awaited > 0 || this.#block > 0) return false;
    return !this.#isSpeaking && this.#waiting.none && this.#predecessors.none && this.#settledAt < now;
  }

  /** Says nothing any more. */
  stop(): void {
    this.#isStopped = true;
    this.#beat.stop();
    this.#farewell?.();
    this.#predecessors.stop();
  }

  /** Holds and usage that is not moved out of the block. */
  get #outstanding(): number {
    return Math.min(most, this.held + this.used);
  }

  get #isValid(): boolean {
    const { clock, wallClock } = this.#context;
    return clock.now() < this.#validUntil && wallClock() < this.#validUntilWall;
  }

  #isYoung(notBefore: number): boolean {
    const { stamp } = this.#balance;
    return stamp !== undefined && stamp >= notBefore;
  }

  #admit(amount: number, kind: WalletKind, notBefore: number): Hold | undefined {
    if (kind !== this.#kind || !this.#isYoung(notBefore) || !this.#isValid) return undefined;
    const hold = this.take(amount, this.#limit);
    if (hold === undefined) return undefined;
    this.#beat.ask(amount);
    if (this.#limit - this.held - this.used < this.#low) this.#askBehind();
    return hold;
  }

  /** The next block is asked for while there is still something left of this one. */
  #askBehind(): void {
    const now = this.#context.clock.now();
    if (this.#isSpeaking || now < this.#lowSince + pollMs) return;
    this.#lowSince = now;
    this.#speak();
  }

  #wait(amount: number, kind: WalletKind, notBefore: number): Promise<Hold | Standing> {
    const { clock, timeoutMs } = this.#context;
    this.#beat.ask(amount);
    return new Promise((resolve) => {
      const hold: WaitingHold = {
        amount,
        kind,
        notBefore,
        saidIn: undefined,
        answer: (result) => {
          cancel();
          resolve(result);
        },
      };
      const cancel = clock.schedule(timeoutMs, () => {
        this.#waiting.remove(hold);
        resolve(this.#unsure(hold));
      });
      this.#waiting.add(hold);
      this.#speak();
    });
  }

  #unsure({ kind }: WaitingHold): Standing {
    return { ...this.standing(kind), isUnsure: true };
  }

  /** Says what there is to say: now, or when the word on its way is answered. */
  #speak(): void {
    this.#speaksAgain = true;
    if (this.#isSpeaking || this.#isStopped) return;
    this.#isSpeaking = true;
    void this.#converse();
  }

  async #converse(): Promise<void> {
    const { store, clock } = this.#context;
    // Holds that are asked for in one turn go together.
    await undefined;
    while (this.#speaksAgain && !this.#isStopped) {
      const mayGet = this.#hasPart || !this.#waiting.none || this.#beat.demand > 0;
      if (mayGet && !this.#isNoted && !(await this.#note())) break;
      this.#speaksAgain = false;
      const saying = this.#compose();
      const answer = await sayWord(store, this.#account, saying.word, clock);
      if (this.#isStopped) break;
      this.#hear(saying, answer);
      this.#endFlushes();
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
    const { id, clock, wallClock, leases, abandonMs, terms } = this.#context;
    const seq = this.#context.nextSeq();
    const moving = this.#acked;
    this.#acked = new MovingUsage();
    const base = this.beyond > moving.beyond ? most : Math.max(0, this.#outstanding - moving.amount);
    const acked = moving.beyond > 0 ? most : moving.amount;
    const left = Math.max(base, this.#block - acked);
    const { first, need } = this.#waiting.sayIn(seq);
    const isRecalled = this.#recallsSeen > this.#recallsAnswered;
    const isIdle = this.#beat.isIdle && need === 0;
    const isDenied = this.#wasDenied && need > 0;
    const isFlushed = this.#flushes.some(({ giveBack }) => giveBack);
    const isOver = isRecalled || isIdle || isFlushed || this.#saysFarewell;
    const givesBack = !leases || isOver || isDenied || this.#mustRegister;
    const keep = givesBack ? base : left;
    const said = this.#balance.say(this.#epoch);
    const word: Word = {
      id,
      seq,
      epoch: this.#epoch,
      register: this.#mustRegister,
      kind: this.#waiting.first?.kind ?? this.#kind,
      base,
      keep,
      claim: this.#mustRegister && this.#isValid ? left : keep,
      acked,
      queued: Math.min(acked, moving.queued),
      first,
      need,
      want: givesBack ? 0 : Math.min(most, 2 * this.#beat.demand),
      abandonMs,
      recall: need > 0 && !this.#hasRecalled,
      ...(keep === base && { recalled: this.#recallsSeen }),
      ...said.fields,
      ...this.#predecessors.say(),
      terms,
    };
    // No more than the store may leave: the answer can be lost.
    this.#limit = Math.min(most, keep + moving.amount);
    return { word, moving, said, sentAt: clock.now(), sentWall: wallClock() };
  }

  #hear(saying: Saying, answer: Answer): void {
    const { word, moving, said, sentAt, sentWall } = saying;
    const heard = { answer, sentAt, sentWall };
    // Another epoch, and an account that was forgotten meanwhile, count recalls anew.
    if (answer.epoch !== this.#epoch || answer.recalls < this.#recallsSeen) {
      this.#recallsSeen = 0;
      this.#recallsAnswered = 0;
    }
    this.#balance.hear(heard);
    if (answer.status === "register") {
      this.#hearRegister(saying, answer);
      return;
    }
    // A successor has retired this process although it lives: it is heard again when the store has forgotten that.
    if (answer.status === "repeated" && answer.block < word.keep) {
      this.#acked = moving.with(this.#acked);
      this.#validUntil = Number.NEGATIVE_INFINITY;
      this.#poll();
      return;
    }
    this.used -= moving.amount;
    this.beyond -= moving.beyond;
    this.#counted = Math.max(this.#counted, moving.upTo);
    this.#block = answer.block;
    this.#limit = answer.block;
    this.#epoch = answer.epoch;
    this.#kind = word.kind;
    this.#mustRegister = false;
    this.#hearValidity(saying, answer);
    if (word.recalled !== undefined) {
      this.#recallsAnswered = Math.max(this.#recallsAnswered, word.recalled);
    }
    this.#recallsSeen = Math.max(this.#recallsSeen, answer.recalls);
    this.#low = Math.min(this.#beat.demand, Math.floor((answer.block - word.base) / 2));
    this.#balance.hearSaid(said, heard);
    this.#predecessors.hear(word.retire);
    this.#serve(word, answer);
    if (this.#recallsSeen > this.#recallsAnswered && this.#block > this.#outstanding && !this.#wasDenied) {
      this.#speaksAgain = true;
    }
    if (this.#balance.isUnsaid) this.#speaksAgain = true;
    this.#hearEnd();
  }

  /** Nothing new is admitted until the store knows what there is. */
  #hearRegister({ word, moving, said }: Saying, { epoch }: Answer): void {
    this.#acked = moving.with(this.#acked);
    if (epoch === this.#epoch) this.#block = 0;
    else {
      // The memory that was lost may have heard this word: what it gave back, another process may have.
      this.#block = Math.min(this.#block, word.keep + moving.amount);
      this.#balance.drop(said.install);
      this.#predecessors.again();
    }
    this.#epoch = epoch;
    this.#mustRegister = true;
    this.#limit = 0;
    this.#speaksAgain = true;
  }

  /** Counted from when the word was sent: how long the answer was on its way is not known. */
  #hearValidity({ sentAt, sentWall, word: { terms } }: Saying, { now, stamp }: Answer): void {
    const ageMs = stamp === null ? Number.POSITIVE_INFINITY : now - stamp;
    const validMs = Math.min(leasedMs(terms), terms.maxStaleMs - ageMs);
    this.#validUntil = sentAt + validMs;
    this.#validUntilWall = sentWall + validMs;
  }

  /** Answers the holds that wait, as far as this answer can. */
  #serve(word: Word, answer: Answer): void {
    let isAdmitted = false;
    for (let next = this.#waiting.first; next !== undefined; next = this.#waiting.first) {
      if (next.kind !== word.kind) break;
      const hold = this.#canServe(next) ? this.take(next.amount, this.#limit) : undefined;
      if (hold === undefined) break;
      this.#waiting.remove(next);
      next.answer(hold);
      isAdmitted = true;
    }
    if (answer.status === "ok") this.#turnAway(word, answer);
    if (word.recall) this.#hasRecalled = true;
    if (this.#waiting.none || isAdmitted) {
      this.#hasRecalled = false;
      this.#wasDenied = false;
    }
    if (this.#waiting.none || this.#isPolling) return;
    this.#speaksAgain = true;
  }

  #canServe({ notBefore }: WaitingHold): boolean {
    return this.#isYoung(notBefore) && this.#isValid;
  }

  #turnAway({ seq, first, need }: Word, { calm, denied, waiting }: Answer): void {
    if (need === 0) return;
    if (!calm) {
      this.#waiting.end(
        seq,
        () => true,
        (hold) => this.#unsure(hold),
      );
      return;
    }
    this.#wasDenied = denied;
    // What others have left is asked for before anything is denied.
    if (denied && waiting > 0) this.#poll();
    else if (denied)
      this.#waiting.end(
        seq,
        ({ amount }) => amount >= first,
        ({ kind }) => this.standing(kind),
      );
    else
      this.#waiting.end(
        seq,
        (hold) => !this.#canServe(hold),
        (hold) => this.#unsure(hold),
      );
  }

  #poll(): void {
    if (this.#isPolling) return;
    this.#isPolling = true;
    this.#context.clock.schedule(pollMs, () => {
      this.#isPolling = false;
      this.#speak();
    });
  }

  #onBeat(): void {
    if (this.#hasPart) this.#speak();
  }

  /** Whether the store must hear of this process from time to time. */
  get #hasPart(): boolean {
    return this.#block > 0 || this.#outstanding > 0 || this.beyond > 0 || !this.#predecessors.none;
  }

  #keepTime(): void {
    if (!this.#hasPart || this.#isStopped) return;
    const isFree = this.#block > this.#outstanding || !this.#acked.none || !this.#predecessors.none;
    this.#beat.keep(isFree);
  }

  /**
   * The block has gone back: when a lease is over one more word, for a store that came back older may have the block still.
   */
  #hearEnd(): void {
    const isOver = !this.#hasPart && this.#waiting.none && this.#acked.none;
    const isTold = this.#saysFarewell;
    this.#saysFarewell = false;
    if (!isOver || !this.#isNoted) return;
    this.#farewell?.();
    this.#farewell = undefined;
    if (isTold) {
      this.#isNoted = false;
      this.#context.ended(this.#account, [this.#context.id]);
      return;
    }
    this.#beat.rest();
    this.#farewell = this.#context.clock.schedule(
      this.#context.terms.leaseMs,
      () => {
        this.#farewell = undefined;
        if (this.#hasPart) return;
        this.#saysFarewell = true;
        this.#speak();
      },
      { idle: true },
    );
  }

  #isUnsaid({ giveBack, acks }: Omit<AwaitedFlush, "done">): boolean {
    if (this.#isStopped) return false;
    if (this.#counted < acks || !this.#predecessors.none) return true;
    return giveBack && this.#block > this.#outstanding;
  }

  #endFlushes(): void {
    const left = this.#flushes;
    this.#flushes = [];
    for (const flush of left) {
      if (!this.#isUnsaid(flush)) {
        flush.done();
        continue;
      }
      this.#flushes.push(flush);
      if (flush.hurries && !this.#isPolling) this.#speak();
    }
  }
}
