import { createLeastRecentlyUsed } from "#least-recently-used";
import type { KnownService } from "../delivery/known-service.ts";
import type { Clock } from "../values/clock.ts";
import type { LeastRecentlyUsed } from "../values/lru/least-recently-used.ts";
import { CustomerBalance } from "./customer.ts";
import type { Guard } from "./guard.ts";
import type { Awaitable, Ledger } from "./ledger.ts";

/** After a search in vain: how many times as long as it took the next one waits, at least and at most so long. */
const pauseFactor = 20;
const shortestPauseMs = 10;
const longestPauseMs = 5_000;

/** The customers of one service and key, bounded: the least recently used one that is idle makes room. */
export class BalanceCache {
  /** The names of the gates that are open on it. */
  readonly gates: Set<string> = new Set();
  readonly service: KnownService;
  readonly ledger: Ledger;
  readonly guard: Guard | undefined;
  readonly max: number;
  readonly #clock: Clock;
  readonly #customers: LeastRecentlyUsed<string, CustomerBalance>;
  /** Customers beyond the bound, whose work had been done before anyone asked. */
  readonly #crowd = new Map<string, CustomerBalance>();
  /** No search for an idle customer before this. */
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(options: {
    service: KnownService;
    ledger: Ledger;
    guard?: Guard | undefined;
    clock: Clock;
    max: number;
  }) {
    this.service = options.service;
    this.ledger = options.ledger;
    this.guard = options.guard;
    this.#clock = options.clock;
    this.max = options.max;
    this.#customers = createLeastRecentlyUsed(options.max);
  }

  /** The time of the ledger, in milliseconds. */
  now(): Awaitable<number> {
    return this.ledger.now();
  }

  /** The customer; `undefined` when every one in the cache has work that must not be forgotten. */
  customer(customerId: string): CustomerBalance | undefined {
    const known = this.#customers.get(customerId) ?? this.#crowd.get(customerId);
    if (known !== undefined) return known;
    if (this.#customers.size >= this.max && !this.#evict()) return undefined;
    const customer = this.#create(customerId);
    this.#customers.set(customerId, customer);
    return customer;
  }

  /** The customer if it is here, without making it any younger. */
  peek(customerId: string): CustomerBalance | undefined {
    return this.#customers.peek(customerId) ?? this.#crowd.get(customerId);
  }

  /** The customer, taken in even where no one can make room: what has been done must be remembered. */
  creditor(customerId: string): CustomerBalance {
    const known = this.customer(customerId);
    if (known !== undefined) return known;
    const customer = this.#create(customerId);
    this.#crowd.set(customerId, customer);
    return customer;
  }

  /** Whether nothing would be lost by forgetting all of it now: no gate decides by it, and every customer is idle. */
  get idle(): boolean {
    if (this.gates.size > 0) return false;
    const now = this.#clock.now();
    for (const customer of this.#all()) if (!customer.idle(now)) return false;
    return true;
  }

  *#all(): Generator<CustomerBalance> {
    yield* this.#customers.values();
    yield* this.#crowd.values();
  }

  #create(customerId: string): CustomerBalance {
    const open = (currency: string) => this.ledger.account(this.service.fingerprint, customerId, currency);
    return new CustomerBalance(customerId, this.ledger, this.#clock, open);
  }

  /** The map would let whatever is oldest go; here work in flight and unconfirmed usage pin their customer. */
  #evict(): boolean {
    const now = this.#clock.now();
    // All were pinned a moment ago: newcomers who are refused one by one must not cost a search each.
    if (now < this.#pausedUntil) return false;
    for (const [id, customer] of this.#crowd) if (customer.idle(now)) this.#crowd.delete(id);
    for (let tries = this.#customers.size; tries > 0; tries--) {
      const oldest = this.#customers.oldest();
      if (oldest === undefined) return true;
      if (this.#customers.peek(oldest)?.idle(now) !== false) {
        this.#customers.delete(oldest);
        return true;
      }
      // To the front with it, so that the next search does not meet it first again.
      this.#customers.get(oldest);
    }
    // From the end of the search: one that takes longer than a fixed pause would be followed by the next at once.
    const end = this.#clock.now();
    const pauseMs = Math.min(longestPauseMs, Math.max(shortestPauseMs, pauseFactor * (end - now)));
    this.#pausedUntil = end + pauseMs;
    return false;
  }
}
