import { keptAccount } from "#budgets";
import { createLeastRecentlyUsed } from "#least-recently-used";
import type { Entry } from "../outbox/report.ts";
import type { KnownService } from "../service/known-service.ts";
import type { Clock } from "../values/clock.ts";
import type { LeastRecentlyUsed } from "../values/lru/least-recently-used.ts";
import type { Budget, ReportedBudget } from "../wallet/budgets/budget.ts";
import { Customer, type CustomerHome } from "../wallet/customer.ts";
import type { Guard } from "../wallet/guard.ts";
import type { Ledger, ReservationJournal, WorkAccount } from "../wallet/ledger.ts";

/** After a search in vain the next one waits this many times as long as it took, within these bounds. */
const pauseFactor = 20;
const shortestPauseMs = 10;
const longestPauseMs = 5_000;

/** The customers of one service and key, bounded: the least recently used one that is idle makes room. */
export class Customers implements CustomerHome {
  /** The gates that are open on it. */
  readonly gates: Set<object> = new Set();
  readonly ledger: Ledger;
  /**
   * Entries of reports that remained in durable outboxes when gates of this process closed, by the reports' ids. A
   * gate that opens such an outbox again finds them in the ledger.
   */
  readonly left: Map<string, Entry> = new Map();
  readonly guard: Guard | undefined;
  readonly maxCustomers: number;
  readonly service: KnownService;
  readonly clock: Clock;
  readonly #customers: LeastRecentlyUsed<string, Customer>;
  /** Customers beyond the bound, whose work had been done before they were looked up. */
  readonly #beyond = new Map<string, Customer>();
  /** No search for an idle customer before this. */
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(options: {
    service: KnownService;
    ledger: Ledger;
    guard?: Guard | undefined;
    clock: Clock;
    maxCustomers: number;
  }) {
    this.service = options.service;
    this.ledger = options.ledger;
    this.guard = options.guard;
    this.clock = options.clock;
    this.maxCustomers = options.maxCustomers;
    this.#customers = createLeastRecentlyUsed(options.maxCustomers);
  }

  /** The customer; `undefined` when every one in the cache has work that must not be forgotten. */
  get(customerId: string): Customer | undefined {
    const known = this.#customers.get(customerId) ?? this.#beyond.get(customerId);
    if (known !== undefined) return known;
    if (this.#customers.size >= this.maxCustomers && !this.#evict()) return undefined;
    const customer = this.#create(customerId);
    this.#customers.set(customerId, customer);
    return customer;
  }

  /** The customer if it is here, without making it any younger. */
  peek(customerId: string): Customer | undefined {
    return this.#customers.peek(customerId) ?? this.#beyond.get(customerId);
  }

  /** The customer, taken in even where none can make room: what has been done must be remembered. */
  keep(customerId: string): Customer {
    const known = this.get(customerId);
    if (known !== undefined) return known;
    const customer = this.#create(customerId);
    this.#beyond.set(customerId, customer);
    return customer;
  }

  /** Whether nothing would be lost by forgetting all of it now: no gate decides by it, and every customer is idle. */
  get idle(): boolean {
    if (this.gates.size > 0) return false;
    const now = this.clock.now();
    for (const customer of this.all()) if (!customer.idle(now)) return false;
    return true;
  }

  /** What the work of this customer that names these budgets is paid from, taken in as {@link Customers.keep} does. */
  accountOf(
    customerId: string,
    currency: string,
    journal: ReservationJournal | undefined,
    budgets?: readonly (Budget | ReportedBudget)[],
  ): WorkAccount {
    const customer = this.keep(customerId);
    const wallet = customer.wallet(currency, journal);
    return budgets === undefined ? wallet.account : keptAccount(customer, wallet, budgets, this);
  }

  *all(): Generator<Customer> {
    yield* this.#customers.values();
    yield* this.#beyond.values();
  }

  #create(customerId: string): Customer {
    return new Customer(customerId, this);
  }

  /** The map alone would drop the oldest; here work in flight and unconfirmed usage pin their customer. */
  #evict(): boolean {
    const now = this.clock.now();
    // All were pinned a moment ago: those who are refused one by one must not cost a search each.
    if (now < this.#pausedUntil) return false;
    for (const [id, customer] of this.#beyond) if (customer.idle(now)) this.#beyond.delete(id);
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
    const end = this.clock.now();
    const pauseMs = Math.min(longestPauseMs, Math.max(shortestPauseMs, pauseFactor * (end - now)));
    this.#pausedUntil = end + pauseMs;
    return false;
  }
}
