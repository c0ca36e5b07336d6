import { type Clock, sleep } from "../values/clock.ts";
import type { BalanceReading } from "./balance-reading.ts";
import type { WalletKind } from "./capacity.ts";
import type { Account, BalanceRequest, BlockJournal, Ledger, WalletNews } from "./ledger.ts";

/** Where the customers of one service and key are kept. */
export interface CustomerHome {
  readonly service: { readonly fingerprint: string };
  readonly ledger: Ledger;
  readonly clock: Clock;
}

/** One wallet of a customer, as it was last read. */
export interface Wallet {
  readonly currency: string;
  /** Of the outbox of the gate that uses it; `undefined` where gates with other outboxes use it too. */
  readonly journal: BlockJournal | undefined;
  readonly account: Account;
  /** As the service has told it; once told it is remembered. */
  kind: WalletKind | undefined;
  /** What the latest reading says that the wallet has, in micro-credits: it falls with every debit. */
  funds: number | undefined;
  /** Whether it says what of that is not debited yet. */
  tells: boolean;
  /** The one that was opened before it. */
  readonly older: Wallet | undefined;
}

/** How a customer's balance is asked for, by the gate that asks. */
export interface BalanceSource {
  read(): Promise<BalanceReading>;
  readonly minRefreshMs: number;
  readonly maxStaleMs: number;
  /** As the gate's options say; `undefined` leaves it to the service to tell. */
  readonly kind: WalletKind | undefined;
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

/** What goes on at a customer. Most customers are idle, and have none of it. */
interface Activity {
  /** Kept where there are several wallets: most customers have one. */
  latest?: News | undefined;
  sent?: CustomerRefresh | undefined;
  next?: CustomerRefresh | undefined;
  visitors: number;
}

/** Longer than any balance request takes, its retries included. */
const lostAfterMs = 60_000;

/** All wallets of one customer, which one request reads together: at most one is on its way, and one waits to be sent. */
export class Customer {
  readonly id: string;
  readonly #home: CustomerHome;
  /** The one that was opened last. */
  #wallets: Wallet | undefined;
  #activity: Activity | undefined;
  #lastSentAt = Number.NEGATIVE_INFINITY;

  constructor(id: string, home: CustomerHome) {
    this.id = id;
    this.#home = home;
  }

  /**
   * The wallet in this currency, with what the latest reading said of it. `journal`: of the outbox of the gate that asks. In a shared
   * ledger each outbox has an account of its own, for what one leaves must not be freed with what another has left.
   */
  wallet(currency: string, journal?: BlockJournal): Wallet {
    const own = this.#home.ledger.flush === undefined ? undefined : journal;
    let wallet = this.#wallets;
    while (wallet !== undefined && (wallet.currency !== currency || wallet.journal !== own))
      wallet = wallet.older;
    return wallet ?? this.#open(currency, own);
  }

  /** Keeps this customer from eviction until the returned function is called: what is awaited must not go to an account that is gone. */
  visit(): () => void {
    this.#active.visitors++;
    return () => {
      this.#active.visitors--;
      this.#rest();
    };
  }

  /** Whether nothing would be lost by forgetting this customer now. */
  idle(now: number): boolean {
    // Nor while a request is on its way: a customer who comes back would send another beside it.
    if (this.#isActive) return false;
    for (const { account } of this.#opened()) if (!account.idle(now)) return false;
    return true;
  }

  /** The request that has been sent and not answered, be its news old or not. */
  get refreshing(): Refresh | undefined {
    const sent = this.#activity?.sent;
    return sent === undefined || this.#isLost(sent) ? undefined : sent;
  }

  /** A request that is sent at or after `arrival`: the one on its way if it was, else the next. */
  refreshSince(arrival: number, source: BalanceSource): Refresh {
    const { refreshing } = this;
    return refreshing !== undefined && refreshing.stamp >= arrival
      ? refreshing
      : this.#schedule(arrival, source);
  }

  /** Sees to it that news of `since` or later is on its way, without waiting for it. */
  refreshBehind(since: number, source: BalanceSource): Refresh {
    return this.refreshing ?? this.#schedule(since, source);
  }

  #open(currency: string, journal: BlockJournal | undefined): Wallet {
    const { ledger, service } = this.#home;
    const account = ledger.account(service.fingerprint, this.id, currency, journal);
    const older = this.#wallets;
    const wallet: Wallet = {
      currency,
      journal,
      account,
      kind: undefined,
      funds: undefined,
      tells: false,
      older,
    };
    this.#wallets = wallet;
    const latest = this.#activity?.latest;
    if (latest !== undefined) {
      const { stamp, reading, maxStaleMs } = latest;
      // A shared store may fail; then the next reading is this wallet's first.
      install(wallet, { stamp }, reading, maxStaleMs).catch(() => {});
    }
    return wallet;
  }

  /** The wallets that are open now: one that is opened meanwhile is not among them. */
  *#opened(): Generator<Wallet> {
    for (let wallet = this.#wallets; wallet !== undefined; wallet = wallet.older) yield wallet;
  }

  get #active(): Activity {
    this.#activity ??= { visitors: 0 };
    return this.#activity;
  }

  get #isActive(): boolean {
    const { sent, next, visitors = 0 } = this.#activity ?? {};
    return visitors > 0 || sent !== undefined || next !== undefined;
  }

  /** Forgets that anything went on, once nothing does. */
  #rest(): void {
    if (!this.#isActive && this.#activity?.latest === undefined) this.#activity = undefined;
  }

  #schedule(since: number, source: BalanceSource): Refresh {
    const activity = this.#active;
    if (activity.next === undefined || this.#isLost(activity.next)) {
      activity.next = new CustomerRefresh(this.#home.clock.now());
      void this.#send(activity.next, source);
    }
    activity.next.newsSince = Math.max(activity.next.newsSince, since);
    return activity.next;
  }

  /** Workers forget what a request began once it has ended, and then the promise of that is never settled. */
  #isLost({ since }: CustomerRefresh): boolean {
    return this.#home.clock.now() - since > lostAfterMs;
  }

  async #send(refresh: CustomerRefresh, source: BalanceSource): Promise<void> {
    const { clock } = this.#home;
    await this.refreshing?.done;
    const restMs = this.#lastSentAt + source.minRefreshMs - clock.now();
    if (restMs > 0) await sleep(clock, restMs);
    // Stop sharing: later callers may be newer than the stamp.
    const activity = this.#active;
    if (activity.next === refresh) activity.next = undefined;
    this.#lastSentAt = clock.now();
    refresh.since = this.#lastSentAt;
    activity.sent = refresh;
    const reading = await this.#read(refresh, source);
    if (activity.sent === refresh) activity.sent = undefined;
    this.#rest();
    refresh.finish(reading);
  }

  async #read(refresh: CustomerRefresh, source: BalanceSource): Promise<BalanceReading> {
    try {
      const wallets = [...this.#opened()];
      const departures: Departed[] = [];
      for (const { account, currency } of wallets) {
        // A second one would wait for the first.
        const same = departures[wallets.findIndex((other) => other.currency === currency)];
        departures.push(same ?? (await this.#departure(account, refresh.newsSince)));
      }
      const stamps = departures.flatMap((departure) => ("stamp" in departure ? departure.stamp : []));
      if (stamps.length === 0) refresh.send(refresh.newsSince);
      else refresh.send(Math.min(...stamps));
      const shared = sharedReading(wallets, departures, source.kind);
      if (shared !== undefined) return shared;
      const reading = await source.read();
      for (const wallet of this.#opened()) {
        // A wallet that was opened meanwhile has no number of its own for the request: all its usage counts.
        const departure = departures[wallets.indexOf(wallet)] ?? { stamp: refresh.stamp };
        if ("stamp" in departure) await install(wallet, departure, reading, source.maxStaleMs);
        else learn(wallet, reading);
      }
      if (reading.known) {
        const { stamp } = refresh;
        const { maxStaleMs } = source;
        this.#active.latest = reading.currencies.length > 1 ? { stamp, reading, maxStaleMs } : undefined;
      }
      return reading;
    } catch (error) {
      // Of the ledger: the service that cannot be read does not throw.
      return { known: false, code: "ledger_unavailable", error };
    }
  }

  async #departure(account: Account, since: number): Promise<Departed> {
    for (;;) {
      const departure = account.depart(since);
      const said = departure instanceof Promise ? await departure : departure;
      if ("go" in said) return said.go;
      if ("here" in said) return said;
      await sleep(this.#home.clock, said.wait);
    }
  }
}

/** A balance request that may leave; or the news, which a shared store has already. */
type Departed = BalanceRequest | { readonly here: WalletNews };

/** What another process has read; `undefined` where this one must read, also to learn of what kind a wallet is. */
function sharedReading(
  wallets: readonly Wallet[],
  departures: readonly Departed[],
  kind: WalletKind | undefined,
): BalanceReading | undefined {
  const news = new Map<string, WalletNews>();
  for (const [index, wallet] of wallets.entries()) {
    const departure = departures[index];
    if (departure === undefined || !("here" in departure)) return undefined;
    if (wallet.kind === undefined && kind === undefined) return undefined;
    news.set(wallet.currency, departure.here);
  }
  if (news.size === 0) return undefined;
  for (const wallet of wallets) wallet.funds = undefined;
  return {
    known: true,
    currencies: [...news.keys()],
    wallet(currency) {
      const {
        prepaid = "upstream_invalid",
        postpaid = "upstream_invalid",
        unsettled,
      } = news.get(currency) ?? {};
      return { prepaid, postpaid, unsettled, kind: undefined, funds: undefined };
    },
  };
}

function learn(wallet: Wallet, reading: BalanceReading): WalletNews | undefined {
  if (!reading.known) return undefined;
  const news = reading.wallet(wallet.currency);
  wallet.kind = news.kind ?? wallet.kind;
  wallet.funds = news.funds;
  wallet.tells = news.unsettled !== undefined;
  // What makes no sense is no news: the snapshot before it serves until it is too old.
  return news.prepaid === "upstream_invalid" ? undefined : news;
}

async function install(
  wallet: Wallet,
  request: BalanceRequest,
  reading: BalanceReading,
  maxStaleMs: number,
): Promise<void> {
  return wallet.account.install(request, learn(wallet, reading), maxStaleMs);
}

class CustomerRefresh implements Refresh {
  stamp: number = Number.NEGATIVE_INFINITY;
  /** When it was needed, then when it was sent. */
  since: number;
  /** It answers requests that arrived until then. */
  newsSince = Number.NEGATIVE_INFINITY;
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
