import type { WalletKind } from "@creditgate/core";
import { type LeaseContext, leasedMs, type Received, renewMs } from "./lease-context.ts";
import type { MovingUsage } from "./moving-usage.ts";
import type { SyncRequest, SyncResponse } from "./shared-store.ts";

const most = Number.MAX_SAFE_INTEGER;

/** The process that asked waits for all others, which answer within `renewMs`. */
const yieldMs = 2 * renewMs;

/** The reservation that a process has of an account, as the store has answered last, and for how long it may be used. */
export class LeasedReservation {
  readonly #context: Pick<LeaseContext, "clock" | "wallClock">;
  #kind: WalletKind = "prepaid";
  #epoch: string | null = null;
  #mustRegister = false;
  #amount = 0;
  #limit = 0;
  #reportedFree = 0;
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

  /** Whether the next sync must say what the process has. */
  get mustRegister(): boolean {
    return this.#mustRegister;
  }

  get amount(): number {
    return this.#amount;
  }

  /** What may be outstanding, acknowledged usage that is in the reservation included. */
  get limit(): number {
    return this.#limit;
  }

  /** What the store takes for unused of it: a denial waits until that is given back. */
  get reportedFree(): number {
    return this.#reportedFree;
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

  /** A sync is sent that keeps this much. The answer can be lost, so no more than that may be used from now on. */
  send(keep: number, moving: MovingUsage): void {
    this.#limit = Math.min(most, keep + moving.amount);
  }

  /**
   * Another epoch, and an account that was forgotten meanwhile, count recalls anew. Called before the rest of an
   * answer is processed.
   */
  receiveRecalls({ epoch, recalls }: SyncResponse): void {
    if (epoch === this.#epoch && recalls >= this.#recallsSeen) return;
    this.#recallsSeen = 0;
    this.#recallsAnswered = 0;
  }

  /** Nothing new is admitted until the store knows what there is. Returns whether it is of another epoch. */
  receiveRegister({ keep, acked }: SyncRequest, { epoch }: SyncResponse): boolean {
    const isOther = epoch !== this.#epoch;
    // The lost memory may have contained this sync: another process may have the credits that it returned.
    this.#amount = isOther ? Math.min(this.#amount, keep + acked) : 0;
    this.#epoch = epoch;
    this.#mustRegister = true;
    this.#limit = 0;
    return isOther;
  }

  /** The store has done what the sync says. */
  receive(request: SyncRequest, response: SyncResponse): void {
    this.#amount = response.reservation;
    this.#limit = response.reservation;
    this.#reportedFree = Math.max(
      0,
      response.reservation - request.base - (response.denied ? 0 : request.need),
    );
    this.#epoch = response.epoch;
    this.#kind = request.kind;
    this.#mustRegister = false;
    const { recalled = 0 } = request;
    if (recalled > this.#recallsAnswered) {
      this.#recallsAnswered = recalled;
      this.#yieldsUntil = this.#context.clock.now() + yieldMs;
    }
    this.#recallsSeen = Math.max(this.#recallsSeen, response.recalls);
  }

  /** Counted from when the sync was sent: how long the answer was on its way is not known. */
  receiveValidity({ terms }: SyncRequest, { response: { now, stamp }, sentAt, sentWall }: Received): void {
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
