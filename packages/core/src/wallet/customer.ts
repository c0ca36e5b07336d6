import { type Clock, sleep } from "../values/clock.ts";
import type { BalanceReading } from "./balance-reading.ts";
import type { Account, Awaitable, Ledger } from "./ledger.ts";

/** One balance request, from the wish for it to its answer. */
export interface Flight {
  /** When it was sent, on the ledger's clock; news for a request that arrived no later than this. */
  stamp: number;
  readonly departed: Promise<void>;
  readonly landed: Promise<BalanceReading>;
}

/** Longer than any balance request takes, its retries included. */
const lostAfterMs = 60_000;

interface Runway extends Flight {
  /** When it was wished for, then when it departed. */
  since: number;
  depart(): void;
  land(reading: BalanceReading): void;
}

/** How a customer's balance is asked for, by the gate that asks. */
export interface Refresh {
  read(): Promise<BalanceReading>;
  readonly minRefreshMs: number;
  readonly maxStaleMs: number;
}

/** What a balance request taught, when it had been sent, and for how long that counts. */
interface News {
  readonly stamp: number;
  readonly reading: BalanceReading & { known: true };
  readonly maxStaleMs: number;
}

/**
 * All wallets of one customer, which one request reads together: at most one in the air, at most one waiting to
 * depart, shared by all that need news.
 */
export class CustomerBalance {
  readonly id: string;
  readonly #accounts = new Map<string, Account>();
  readonly #open: (currency: string) => Account;
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  #latest: News | undefined;
  #air: Runway | undefined;
  #next: Runway | undefined;
  #lastDeparture = Number.NEGATIVE_INFINITY;
  #visitors = 0;

  constructor(id: string, ledger: Ledger, clock: Clock, open: (currency: string) => Account) {
    this.id = id;
    this.#ledger = ledger;
    this.#clock = clock;
    this.#open = open;
  }

  /** The account in this currency, with what the latest reading said of it. */
  account(currency: string): Account {
    let account = this.#accounts.get(currency);
    if (account === undefined) {
      account = this.#open(currency);
      this.#accounts.set(currency, account);
      if (this.#latest !== undefined) {
        const installed = this.#install(account, currency, this.#latest);
        // A shared store may fail; then the next reading is this account's first.
        if (installed instanceof Promise) installed.catch(() => {});
      }
    }
    return account;
  }

  /** What the latest reading says that the wallet has, in micro-credits: it falls with every debit. */
  funds(currency: string): number | undefined {
    return this.#latest?.reading.funds(currency);
  }

  /** Keeps this customer from eviction while `visit` runs: what it awaits must not go to an account that is gone. */
  async visited<T>(visit: () => Promise<T>): Promise<T> {
    this.#visitors++;
    try {
      return await visit();
    } finally {
      this.#visitors--;
    }
  }

  /** Whether nothing would be lost by forgetting this customer now. */
  idle(now: number): boolean {
    // Nor while a request is on its way: who came back would send another beside it.
    if (this.#visitors > 0 || this.#air !== undefined || this.#next !== undefined) return false;
    for (const account of this.#accounts.values()) if (!account.idle(now)) return false;
    return true;
  }

  /** The request in the air, be its news old or not. */
  get airborne(): Flight | undefined {
    return this.#air === undefined || this.#isLost(this.#air) ? undefined : this.#air;
  }

  /** A request that is sent at or after `arrival`: the one in the air if it was, else the next. */
  newsSince(arrival: number, refresh: Refresh): Flight {
    const { airborne } = this;
    return airborne !== undefined && airborne.stamp >= arrival ? airborne : this.#schedule(refresh);
  }

  /** Sees to it that news is on its way; who asks does not wait for it. */
  refreshBehind(refresh: Refresh): Flight {
    return this.airborne ?? this.#schedule(refresh);
  }

  #schedule(refresh: Refresh): Flight {
    if (this.#next === undefined || this.#isLost(this.#next)) {
      this.#next = runway(this.#clock.now());
      void this.#fly(this.#next, refresh);
    }
    return this.#next;
  }

  /** Workers forget what a request began once it has ended, and then the promise of that is never settled. */
  #isLost({ since }: Runway): boolean {
    return this.#clock.now() - since > lostAfterMs;
  }

  async #fly(flight: Runway, refresh: Refresh): Promise<void> {
    await this.airborne?.landed;
    const rest = this.#lastDeparture + refresh.minRefreshMs - this.#clock.now();
    if (rest > 0) await sleep(this.#clock, rest);
    this.#lastDeparture = this.#clock.now();
    // From here on no one may board: whoever arrives now may be later than the stamp.
    if (this.#next === flight) this.#next = undefined;
    flight.since = this.#clock.now();
    this.#air = flight;
    flight.depart();
    const reading = await this.#read(flight, refresh);
    if (this.#air === flight) this.#air = undefined;
    flight.land(reading);
  }

  async #read(flight: Runway, refresh: Refresh): Promise<BalanceReading> {
    try {
      // Noted before the request is sent: the answer shows some instant at or after it.
      const stamp = this.#ledger.now();
      flight.stamp = typeof stamp === "number" ? stamp : await stamp;
      const reading = await refresh.read();
      if (reading.known) {
        const news = { stamp: flight.stamp, reading, maxStaleMs: refresh.maxStaleMs };
        if (this.#latest === undefined || news.stamp > this.#latest.stamp) this.#latest = news;
        for (const [currency, account] of this.#accounts) await this.#install(account, currency, news);
      }
      return reading;
    } catch (error) {
      return { known: false, code: "upstream_unavailable", error };
    }
  }

  #install(account: Account, currency: string, { stamp, reading, maxStaleMs }: News): Awaitable<void> {
    const capacities = reading.wallet(currency);
    // What makes no sense is no news: the snapshot before it serves until it is too old.
    if (capacities.prepaid !== "upstream_invalid")
      return account.install({ stamp, ...capacities }, maxStaleMs);
  }
}

function runway(since: number): Runway {
  let depart = () => {};
  let land: (reading: BalanceReading) => void = () => {};
  const departed = new Promise<void>((resolve) => {
    depart = resolve;
  });
  const landed = new Promise<BalanceReading>((resolve) => {
    land = resolve;
  });
  return {
    since,
    stamp: Number.NEGATIVE_INFINITY,
    departed,
    landed,
    depart: () => depart(),
    land: (r) => land(r),
  };
}
