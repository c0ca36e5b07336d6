import { type Clock, sleep } from "../values/clock.ts";
import type { BalanceReading } from "./balance-reading.ts";
import type { BudgetKeys } from "./budgets/budget.ts";
import type { Cap } from "./budgets/capped-account.ts";
import type { BalanceUpdate, WalletKind } from "./capacity.ts";
import type { Account, BalanceRequest, Ledger, PermittedRefresh, ReservationJournal } from "./ledger.ts";

/** Where the customers of one service and key are kept. */
export interface CustomerHome {
  readonly service: { readonly fingerprint: string; isExtended: boolean };
  readonly ledger: Ledger;
  readonly clock: Clock;
}

/** One wallet of a customer, as it was last read. */
export interface Wallet {
  readonly currency: string;
  /** Of the outbox of the gate that uses it; `undefined` where gates with other outboxes use it too. */
  readonly journal: ReservationJournal | undefined;
  readonly account: Account;
  /** As the service last reported it. */
  kind: WalletKind | undefined;
  /** The wallet's funds by the latest reading, in micro-credits: they fall with every debit. */
  funds: number | undefined;
  /** The one that was opened before it. */
  readonly older: Wallet | undefined;
}

/** What a customer has of budgets at the service. */
export interface CustomerBudgets {
  readonly size: number;
  find(wallet: Wallet, key: string): Cap | undefined;
  open(wallet: Wallet, key: string): Cap | undefined;
  /** Those that a balance request for work that came until `since` must ask for; `undefined` if none. */
  ask(since: number): Promise<AskedBudgets | undefined>;
  /** Forgets those of which nothing would be lost. Returns how many are left. */
  forget(now: number): number;
  /** Whether nothing would be lost by forgetting all of them now. */
  idle(now: number): boolean;
}

/** Budgets in a balance request. */
export interface AskedBudgets {
  /** `undefined` where other processes have read them all, or read them now. */
  readonly keys: BudgetKeys | undefined;
  /** Whether other processes read some of them now. */
  readonly isWaiting: boolean;
  answered(reading: BalanceReading, maxStaleMs: number): Promise<void>;
  /** Waits for these, and reads what they have not; calls `send` when the last request leaves, unless none waits. */
  readRest(reading: BalanceReading, source: BalanceSource, send: () => void): Promise<void>;
}

/** How a customer's balance is asked for, by the gate that asks. */
export interface BalanceSource {
  read(budgets?: BudgetKeys): Promise<BalanceReading>;
  readonly minRefreshMs: number;
  readonly maxStaleMs: number;
  /** From the gate's options; `undefined`: the service reports it. */
  readonly kind: WalletKind | undefined;
}

/** One balance request, from the need for it to its answer. */
export interface Refresh {
  /** When it was sent. Its balance is fresh for a request that arrived no later. */
  readonly stamp: number;
  readonly sent: Promise<void>;
  /** Resolves when it has its answer, or has failed. */
  readonly done: Promise<BalanceReading>;
}

/** What a balance request taught, for wallets that are opened later. */
interface LatestReading {
  readonly stamp: number;
  readonly reading: BalanceReading;
  readonly maxStaleMs: number;
}

/** What goes on at a customer. Most customers are idle, and have none of it. */
interface Activity {
  /** Kept where there are several wallets: most customers have one. */
  latest?: LatestReading | undefined;
  sent?: CustomerRefresh | undefined;
  next?: CustomerRefresh | undefined;
  budgets?: CustomerBudgets | undefined;
  visitors: number;
}

/** Longer than any balance request takes, its retries included. */
const lostAfterMs = 60_000;

/**
 * All wallets of one customer, which one request reads together: at most one is on its way, and one waits to be sent. Each
 * field counts for every customer in memory, and a class with `#methods()` has a field more.
 */
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
   * The wallet in this currency, by the latest reading. `journal`: of the outbox of the gate that asks. In a shared
   * ledger each outbox has an account of its own: what one releases must not be freed with another's remainder.
   */
  wallet(currency: string, journal?: ReservationJournal): Wallet {
    const own = this.#home.ledger.flush === undefined ? undefined : journal;
    let wallet = this.#wallets;
    while (wallet !== undefined && (wallet.currency !== currency || wallet.journal !== own))
      wallet = wallet.older;
    return wallet ?? this.open(currency, own);
  }

  /** Keeps this customer from eviction until the returned function is called: what is awaited must not go to an account that is gone. */
  visit(): () => void {
    this.active.visitors++;
    return () => {
      this.active.visitors--;
      this.rest();
    };
  }

  /** Whether nothing would be lost by forgetting this customer now. */
  idle(now: number): boolean {
    // Nor while a request is on its way: a customer who comes back would send another beside it.
    if (this.isActive) return false;
    for (const { account } of opened(this.#wallets)) if (!account.idle(now)) return false;
    return this.budgets?.idle(now) !== false;
  }

  /** `undefined` while no work has named one. */
  get budgets(): CustomerBudgets | undefined {
    return this.#activity?.budgets;
  }

  set budgets(budgets: CustomerBudgets | undefined) {
    this.active.budgets = budgets;
    this.rest();
  }

  /** The request that was sent and has no response yet, however old its balance will be. */
  get refreshing(): Refresh | undefined {
    const sent = this.#activity?.sent;
    return sent === undefined || isLost(sent, this.#home.clock) ? undefined : sent;
  }

  /** A request that is sent at or after `arrival`: the one on its way if it was, else the next. */
  refreshSince(arrival: number, source: BalanceSource): Refresh {
    const { refreshing } = this;
    return refreshing !== undefined && refreshing.stamp >= arrival
      ? refreshing
      : this.schedule(arrival, source);
  }

  /** Requests a balance of `since` or later, unless one is in flight. Does not wait for it. */
  refreshBehind(since: number, source: BalanceSource): Refresh {
    return this.refreshing ?? this.schedule(since, source);
  }

  private open(currency: string, journal: ReservationJournal | undefined): Wallet {
    const { ledger, service } = this.#home;
    const account = ledger.account(service.fingerprint, this.id, currency, journal);
    const older = this.#wallets;
    const wallet: Wallet = {
      currency,
      journal,
      account,
      kind: undefined,
      funds: undefined,
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

  private get active(): Activity {
    this.#activity ??= { visitors: 0 };
    return this.#activity;
  }

  /** Whether a decision on it waits, or a balance request. */
  get isActive(): boolean {
    const { sent, next, visitors = 0 } = this.#activity ?? {};
    return visitors > 0 || sent !== undefined || next !== undefined;
  }

  /** Forgets that anything went on, once nothing does. */
  private rest(): void {
    const { latest, budgets } = this.#activity ?? {};
    if (!this.isActive && latest === undefined && budgets === undefined) this.#activity = undefined;
  }

  private schedule(since: number, source: BalanceSource): Refresh {
    const activity = this.active;
    if (activity.next === undefined || isLost(activity.next, this.#home.clock)) {
      activity.next = new CustomerRefresh(this.#home.clock.now());
      void this.send(activity.next, source);
    }
    activity.next.freshSince = Math.max(activity.next.freshSince, since);
    return activity.next;
  }

  private async send(refresh: CustomerRefresh, source: BalanceSource): Promise<void> {
    const { clock } = this.#home;
    await this.refreshing?.done;
    const restMs = this.#lastSentAt + source.minRefreshMs - clock.now();
    if (restMs > 0) await sleep(clock, restMs);
    // Stop sharing: later callers may be newer than the stamp.
    const activity = this.active;
    if (activity.next === refresh) activity.next = undefined;
    this.#lastSentAt = clock.now();
    refresh.since = this.#lastSentAt;
    activity.sent = refresh;
    const reading = await this.read(refresh, source);
    if (activity.sent === refresh) activity.sent = undefined;
    this.rest();
    refresh.finish(reading);
  }

  private async read(refresh: CustomerRefresh, source: BalanceSource): Promise<BalanceReading> {
    const { ledger, service, clock } = this.#home;
    try {
      const wallets = [...opened(this.#wallets)];
      const permits: PermittedRefresh[] = [];
      const { freshSince } = refresh;
      for (const { account, currency } of wallets) {
        // A second one would wait for the first.
        const same = permits[wallets.findIndex((other) => other.currency === currency)];
        permits.push(same ?? (await permitOf(account, freshSince, clock)));
      }
      const asked = await this.budgets?.ask(freshSince);
      const stamps = permits.flatMap((permit) => ("stamp" in permit ? permit.stamp : []));
      // One that another process has read was read for those who wait, and not for who comes now.
      const stamp = stamps.length < permits.length ? freshSince : Math.min(...stamps);
      const send = () => refresh.send(stamp);
      if (!asked?.isWaiting) send();

      const shared =
        asked?.keys === undefined ? ledger.sharedReading?.(wallets, permits, source.kind) : undefined;
      const reading = shared ?? (await source.read(asked?.keys));
      await asked?.answered(reading, source.maxStaleMs);
      if (shared === undefined) {
        for (const wallet of opened(this.#wallets)) {
          // A wallet that was opened meanwhile has no number of its own for the request: all its usage counts.
          const permit = permits[wallets.indexOf(wallet)] ?? { stamp };
          if ("stamp" in permit) await install(wallet, permit, reading, source.maxStaleMs);
          else learn(wallet, reading);
        }
        if (reading.known) {
          const { maxStaleMs } = source;
          const read = wallets.map(({ currency }) => reading.wallet(currency));
          const usable = read.filter(({ funds }) => funds !== undefined);
          if (usable.length > 0)
            service.isExtended = usable.every(({ unsettled }) => unsettled !== undefined);
          this.active.latest = reading.currencies.length > 1 ? { stamp, reading, maxStaleMs } : undefined;
        }
      }
      await asked?.readRest(reading, source, send);
      return reading;
    } catch (error) {
      // Of the ledger: the service that cannot be read does not throw.
      return { known: false, code: "ledger_unavailable", error };
    }
  }
}

/** The wallets that are open now, by the last of them: one that is opened meanwhile is not among them. */
function* opened(last: Wallet | undefined): Generator<Wallet> {
  for (let wallet = last; wallet !== undefined; wallet = wallet.older) yield wallet;
}

/** Workers forget what a request began once it has ended, and then the promise of that is never settled. */
function isLost({ since }: CustomerRefresh, clock: Clock): boolean {
  return clock.now() - since > lostAfterMs;
}

async function permitOf(account: Account, since: number, clock: Clock): Promise<PermittedRefresh> {
  for (;;) {
    const permit = account.beginRefresh(since);
    const answered = permit instanceof Promise ? await permit : permit;
    if ("go" in answered) return answered.go;
    if ("here" in answered) return answered;
    await sleep(clock, answered.wait);
  }
}

function learn(wallet: Wallet, reading: BalanceReading): BalanceUpdate | undefined {
  if (!reading.known) return undefined;
  const update = reading.wallet(wallet.currency);
  wallet.kind = update.kind ?? wallet.kind;
  wallet.funds = update.funds;
  // A malformed balance is ignored: the snapshot before it serves until it is too old.
  return update.prepaid === "upstream_invalid" ? undefined : update;
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
  freshSince = Number.NEGATIVE_INFINITY;
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
