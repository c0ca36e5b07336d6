import type { WalletKind } from "../capacity.ts";
import { type Heard, type LeaseContext, leasedMs, renewMs } from "./lease-context.ts";
import type { MovingUsage } from "./moving-usage.ts";
import type { Answer, Word } from "./shared-store.ts";

const most = Number.MAX_SAFE_INTEGER;

/** The process that asked waits for all others, which answer within `renewMs`. */
const yieldMs = 2 * renewMs;

/** The block that a process has of an account, as the store has answered last, and for how long it may be used. */
export class LeasedBlock {
  readonly #context: Pick<LeaseContext, "clock" | "wallClock">;
  #kind: WalletKind = "prepaid";
  #epoch: string | null = null;
  #mustRegister = false;
  #amount = 0;
  #limit = 0;
  #toldFree = 0;
  /** Until when it may be used, by both clocks. */
  #validUntil = Number.NEGATIVE_INFINITY;
  #validUntilWall = Number.NEGATIVE_INFINITY;
  #recallsSeen = 0;
  #recallsAnswered = 0;
  #yieldsUntil = Number.NEGATIVE_INFINITY;

  constructor(context: Pick<LeaseContext, "clock" | "wallClock">) {
    this.#context = context;
  }

  /** The kind of wallet that it is of. */
  get kind(): WalletKind {
    return this.#kind;
  }

  /** That of the last answer. */
  get epoch(): string | null {
    return this.#epoch;
  }

  /** Whether the next word must say what the process has. */
  get mustRegister(): boolean {
    return this.#mustRegister;
  }

  get amount(): number {
    return this.#amount;
  }

  /** What may be outstanding, acknowledged usage that is in the block included. */
  get limit(): number {
    return this.#limit;
  }

  /** What the store takes for unused of it: a denial waits until that is given back. */
  get toldFree(): number {
    return this.#toldFree;
  }

  get isValid(): boolean {
    const { clock, wallClock } = this.#context;
    return clock.now() < this.#validUntil && wallClock() < this.#validUntilWall;
  }

  /** Whether another process needs what this one does not use. */
  get isRecalled(): boolean {
    return this.#recallsSeen > this.#recallsAnswered;
  }

  /** Whether this process has just given back for another one, which would not get it if this one took it again first. */
  get isYielding(): boolean {
    return this.#context.clock.now() < this.#yieldsUntil;
  }

  /** The number of the last recall. */
  get recallsSeen(): number {
    return this.#recallsSeen;
  }

  /** A word is sent that keeps this much. The answer can be lost, so no more than that may be used from now on. */
  send(keep: number, moving: MovingUsage): void {
    this.#limit = Math.min(most, keep + moving.amount);
  }

  /** Another epoch, and an account that was forgotten meanwhile, count recalls anew. Called before the rest of an answer is heard. */
  hearRecalls({ epoch, recalls }: Answer): void {
    if (epoch === this.#epoch && recalls >= this.#recallsSeen) return;
    this.#recallsSeen = 0;
    this.#recallsAnswered = 0;
  }

  /** Nothing new is admitted until the store knows what there is. Returns whether it is of another epoch. */
  hearRegister({ keep, acked }: Word, { epoch }: Answer): boolean {
    const isOther = epoch !== this.#epoch;
    // The memory that was lost may have heard this word: what it gave back, another process may have.
    this.#amount = isOther ? Math.min(this.#amount, keep + acked) : 0;
    this.#epoch = epoch;
    this.#mustRegister = true;
    this.#limit = 0;
    return isOther;
  }

  /** The store has done what the word says. */
  hear(word: Word, answer: Answer): void {
    this.#amount = answer.block;
    this.#limit = answer.block;
    this.#toldFree = Math.max(0, answer.block - word.base - (answer.denied ? 0 : word.need));
    this.#epoch = answer.epoch;
    this.#kind = word.kind;
    this.#mustRegister = false;
    const { recalled = 0 } = word;
    if (recalled > this.#recallsAnswered) {
      this.#recallsAnswered = recalled;
      this.#yieldsUntil = this.#context.clock.now() + yieldMs;
    }
    this.#recallsSeen = Math.max(this.#recallsSeen, answer.recalls);
  }

  /** Counted from when the word was sent: how long the answer was on its way is not known. */
  hearValidity({ terms }: Word, { answer: { now, stamp }, sentAt, sentWall }: Heard): void {
    const ageMs = stamp === null ? Number.POSITIVE_INFINITY : now - stamp;
    const validMs = Math.min(leasedMs(terms), terms.maxStaleMs - ageMs);
    this.#validUntil = sentAt + validMs;
    this.#validUntilWall = sentWall + validMs;
  }

  /** It may not be used any more. */
  invalidate(): void {
    this.#validUntil = Number.NEGATIVE_INFINITY;
  }
}
