import { type Clock, sleep } from "../values/clock.ts";
import type { BalanceReading } from "./balance-reading.ts";
import type { WalletKind } from "./capacity.ts";
import type { Account, BalanceRequest, Ledger } from "./ledger.ts";

/** Where the customers of one service and key are kept. */
export interface CustomerHome {
  readonly service: { readonly fingerprint: string };
  readonly ledger: Ledger;
  readonly clock: Clock;
}

/** One wallet of a customer, as it was last read. */
export interface Wallet {
  readonly currency: string;
  readonly account: Account;
  /** As the service has told it; once told it is remembered. */
  kind: WalletKind | undefined;
  /** What the latest reading says that the wallet has, in micro-credits: it falls with every debit. */
  funds: number | undefined;
}

/** How a customer's balance is asked for, by the gate that asks. */
export interface BalanceSource {
  read(): Promise<BalanceReading>;
  readonly minRefreshMs: number;
  readonly maxStaleMs: number;
}

/** One balance request, from the need for it to its answer. */
export interface Refresh {
  /** When it was sent; news for a request that arrived no later than this. */
  readonly stamp: number;
  readonly sent: Promise<void>;
  /** Resolves when it has its answer, or has failed. */
  readonly done: Promise<BalanceReading>;
}

/** What a balance request taught, for wallets that are opened later. */
interface News {
  readonly stamp: number;
  readonly reading: BalanceReading;
  readonly maxStaleMs: number;
}

/** Longer than any balance request takes, its retries included. */
const lostAfterMs = 60_000;

/** All wallets of one customer, which one request reads together: at most one is on its way, and one waits to be sent. */
export class Customer {
  readonly id: string;
  readonly #home: CustomerHome;
  readonly #wallets: Wallet[] = [];
  /** Kept where there are several wallets: most customers have one, and are many. */
  #latest: News | undefined;
  #sent: CustomerRefresh | undefined;
  #next: CustomerRefresh | undefined;
  #lastSentAt = Number.NEGATIVE_INFINITY;
  #visitors = 0;

  constructor(id: string, home: CustomerHome) {
    this.id = id;
    this.#home = home;
  }

  /** The wallet in this currency, with what the latest reading said of it. */
  wallet(currency: string): Wallet {
    return this.#wallets.find((wallet) => wallet.currency === currency) ?? this.#open(currency);
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
    // Nor while a request is on its way: a customer who comes back would send another beside it.
    if (this.#visitors > 0 || this.#sent !== undefined || this.#next !== undefined) return false;
    return this.#wallets.every(({ account }) => account.idle(now));
  }

  /** The request that has been sent and not answered, be its news old or not. */
  get refreshing(): Refresh | undefined {
    return this.#sent === undefined || this.#isLost(this.#sent) ? undefined : this.#sent;
  }

  /** A request that is sent at or after `arrival`: the one on its way if it was, else the next. */
  refreshSince(arrival: number, source: BalanceSource): Refresh {
    const { refreshing } = this;
    return refreshing !== undefined && refreshing.stamp >= arrival
      ? refreshing
      : this.#schedule(arrival, source);
  }

  /** Sees to it that news is on its way, without waiting for it. */
  refreshBehind(source: BalanceSource): Refresh {
    return this.refreshing ?? this.#schedule(this.#home.clock.now(), source);
  }

  #open(currency: string): Wallet {
    const { ledger, service } = this.#home;
    const account = ledger.account(service.fingerprint, this.id, currency);
    const wallet: Wallet = { currency, account, kind: undefined, funds: undefined };
    this.#wallets.push(wallet);
    if (this.#latest !== undefined) {
      const { stamp, reading, maxStaleMs } = this.#latest;
      // A shared store may fail; then the next reading is this wallet's first.
      install(wallet, { stamp }, reading, maxStaleMs).catch(() => {});
    }
    return wallet;
  }

  #schedule(since: number, source: BalanceSource): Refresh {
    if (this.#next === undefined || this.#isLost(this.#next)) {
      this.#next = new CustomerRefresh(this.#home.clock.now());
      void this.#send(this.#next, since, source);
    }
    return this.#next;
  }

  /** Workers forget what a request began once it has ended, and then the promise of that is never settled. */
  #isLost({ since }: CustomerRefresh): boolean {
    return this.#home.clock.now() - since > lostAfterMs;
  }

  async #send(refresh: CustomerRefresh, since: number, source: BalanceSource): Promise<void> {
    const { clock } = this.#home;
    await this.refreshing?.done;
    const restMs = this.#lastSentAt + source.minRefreshMs - clock.now();
    if (restMs > 0) await sleep(clock, restMs);
    // Stop sharing: later callers may be newer than the stamp.
    if (this.#next === refresh) this.#next = undefined;
    this.#lastSentAt = clock.now();
    refresh.since = this.#lastSentAt;
    this.#sent = refresh;
    const reading = await this.#read(refresh, since, source);
    if (this.#sent === refresh) this.#sent = undefined;
    refresh.finish(reading);
  }

  async #read(refresh: CustomerRefresh, since: number, source: BalanceSource): Promise<BalanceReading> {
    try {
      const requests = new Map<Wallet, BalanceRequest | undefined>();
      for (const wallet of [...this.#wallets])
        requests.set(wallet, await this.#departure(wallet.account, since));
      const stamps = [...requests.values()].flatMap((request) => request?.stamp ?? []);
      refresh.send(stamps.length > 0 ? Math.min(...stamps) : this.#home.clock.now());
      const reading = await source.read();
      for (const wallet of [...this.#wallets]) {
        // A wallet that was opened meanwhile has no number of its own for the request: all its usage counts.
        const request = requests.has(wallet) ? requests.get(wallet) : { stamp: refresh.stamp };
        if (request !== undefined) await install(wallet, request, reading, source.maxStaleMs);
      }
      if (reading.known) {
        const { stamp } = refresh;
        const { maxStaleMs } = source;
        this.#latest = reading.currencies.length > 1 ? { stamp, reading, maxStaleMs } : undefined;
      }
      return reading;
    } catch (error) {
      return { known: false, code: "upstream_unavailable", error };
    }
  }

  /** `undefined` where a shared store has the news already. */
  async #departure(account: Account, since: number): Promise<BalanceRequest | undefined> {
    for (;;) {
      const departure = account.depart(since);
      const said = departure instanceof Promise ? await departure : departure;
      if ("go" in said) return said.go;
      if ("here" in said) return undefined;
      await sleep(this.#home.clock, said.wait);
    }
  }
}

async function install(
  wallet: Wallet,
  request: BalanceRequest,
  reading: BalanceReading,
  maxStaleMs: number,
): Promise<void> {
  if (!reading.known) return wallet.account.install(request, undefined, maxStaleMs);
  const news = reading.wallet(wallet.currency);
  wallet.kind = news.kind ?? wallet.kind;
  wallet.funds = news.funds;
  // What makes no sense is no news: the snapshot before it serves until it is too old.
  return wallet.account.install(request, news.prepaid === "upstream_invalid" ? undefined : news, maxStaleMs);
}

class CustomerRefresh implements Refresh {
  stamp: number = Number.NEGATIVE_INFINITY;
  /** When it was needed, then when it was sent. */
  since: number;
  readonly sent: Promise<void>;
  readonly done: Promise<BalanceReading>;
  #send = () => {};
  #finish: (reading: BalanceReading) => void = () => {};

  constructor(since: number) {
    this.since = since;
    this.sent = new Promise((resolve) => {
      this.#send = resolve;
    });
    this.done = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  send(stamp: number): void {
    this.stamp = stamp;
    this.#send();
  }

  finish(reading: BalanceReading): void {
    this.#send();
    this.#finish(reading);
  }
}
