import { andThen } from "../values/awaitable.ts";
import { type Clock, within } from "../values/clock.ts";
import type { WalletKind } from "../wallet/capacity.ts";
import type { CustomerBalance, Flight, Refresh } from "../wallet/customer.ts";
import type { Account, Awaitable, Standing } from "../wallet/ledger.ts";
import type { Work } from "./authorize-request.ts";
import type { Judgement } from "./trace.ts";

/** A wish to do work, and everything that decides it. */
export interface Wish {
  readonly work: Work;
  readonly customer: CustomerBalance;
  readonly kind: WalletKind;
}

/** How old news may be, and how long to wait for it. */
export interface Freshness {
  readonly clock: Clock;
  readonly ttlMs: number;
  readonly maxStaleMs: number;
  readonly checkTimeoutMs: number;
  readonly refresh: (customer: CustomerBalance, kind: WalletKind) => Refresh;
  now(): Awaitable<number>;
}

/** A judgement on a wallet: what it followed from is always known. */
interface Verdict extends Judgement {
  readonly standing: Standing;
}

/**
 * Decides by the rules of ARCHITECTURE.md. A wish that the cached balance can pay is admitted without waiting for
 * anything, and without a promise where the ledger is in memory. One that it cannot is denied only on news that is
 * younger than the wish, so that a customer who has just paid is let in; when no such news comes in time the answer
 * is "cannot tell".
 */
export function decide(wish: Wish, freshness: Freshness): Awaitable<Judgement> {
  return andThen(freshness.now(), (arrival) => new Deliberation(wish, freshness, arrival).verdict());
}

class Deliberation {
  readonly #wish: Wish;
  readonly #freshness: Freshness;
  readonly #arrival: number;
  readonly #account: Account;

  constructor(wish: Wish, freshness: Freshness, arrival: number) {
    this.#wish = wish;
    this.#freshness = freshness;
    this.#arrival = arrival;
    this.#account = wish.customer.account(wish.work.currency);
  }

  verdict(): Awaitable<Verdict> {
    return andThen(this.#hold(this.#arrival), (standing) => this.#verdictOn(standing));
  }

  #verdictOn(standing: Standing): Awaitable<Verdict> {
    const { customer, kind } = this.#wish;
    if (!standing.admitted) return customer.visited(() => this.#inquire());
    const arrival = this.#arrival;
    const stale = arrival - (standing.stamp ?? arrival) > this.#freshness.ttlMs;
    if (stale) this.#outlive(customer.refreshBehind(this.#freshness.refresh(customer, kind)));
    return { code: undefined, rule: stale ? "stale" : "cached", kind, standing, arrival, at: arrival };
  }

  async #inquire(): Promise<Verdict> {
    const { customer, kind, work } = this.#wish;
    const { clock, checkTimeoutMs, refresh } = this.#freshness;
    const older = customer.airborne;
    if (older !== undefined && older.stamp < this.#arrival) {
      // What is in the air left too early to deny this wish, but it may well admit it.
      const landed = await within(older.landed, checkTimeoutMs, clock);
      const second = await this.#holdNow();
      if (second.standing.admitted) return second;
      if (landed === undefined) return { ...second, code: "upstream_unavailable", rule: "no_news" };
    }
    const flight = this.#outlive(customer.newsSince(this.#arrival, refresh(customer, kind)));
    await flight.departed;
    const reading = await within(flight.landed, checkTimeoutMs, clock);
    const last = await this.#holdNow();
    if (last.standing.admitted) return last;
    if (reading === undefined) return { ...last, code: "upstream_unavailable", rule: "no_news" };
    if (!reading.known) return { ...last, code: reading.code, rule: "no_news" };
    const read = reading.wallet(work.currency)[kind];
    if (read === "upstream_invalid") return { ...last, code: read, rule: "no_news" };
    const { capacity } = last.standing;
    return { ...last, code: typeof capacity === "string" ? capacity : "insufficient_credits", wallet: read };
  }

  /** Others may wait for it too, so it must not end with the request that sent it. */
  #outlive(flight: Flight): Flight {
    try {
      this.#wish.work.waitUntil?.(flight.landed);
    } catch {
      // The billing of this work will meet the same error, and tell.
    }
    return flight;
  }

  async #holdNow(): Promise<Verdict> {
    const at = await this.#freshness.now();
    const standing = await this.#hold(at);
    return { code: undefined, rule: "news", kind: this.#wish.kind, standing, arrival: this.#arrival, at };
  }

  #hold(at: number): Awaitable<Standing> {
    const { work, kind } = this.#wish;
    // News younger than the wish is never too old for it, however long it was on its way.
    const notBefore = Math.min(this.#arrival, at - this.#freshness.maxStaleMs);
    return this.#account.hold({ id: work.holdId, amount: work.hold, kind, notBefore });
  }
}
