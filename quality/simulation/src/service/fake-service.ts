import type { Clock, Usage } from "@creditgate/core";
import { fromMicro } from "../micro.ts";
import { FakeWallet, type FakeWalletTerms } from "./fake-wallet.ts";

/** A usage report as the service receives it (API 2.4). */
export interface FakeReport {
  readonly agentId: string;
  readonly customerId: string;
  readonly indicator: string;
  readonly rawUsage: Usage;
}

/** What a report costs, in micro-credits. */
export interface Cost {
  /** `null`: its indicator is not in CREDITS. */
  readonly currency: string | null;
  readonly amount: number;
}

/** Options of {@link FakeService}. */
export interface FakeServiceOptions {
  readonly clock: Clock;
  readonly wallets: readonly FakeWalletTerms[];
  /** Whether a key that has been seen makes a report count for nothing. */
  readonly honoursKeys: boolean;
  /** For how long a cache before the service repeats the balances of a customer; 0 where there is none. */
  readonly memoMs: number;
  /** What a report costs by the prices of now. */
  readonly price: (report: FakeReport) => Cost;
  /** A report has been taken, with its cost. */
  readonly onAccepted: (report: FakeReport, cost: Cost) => void;
  /** A debit has reached its wallet. */
  readonly onDebit: (report: FakeReport, cost: Cost) => void;
}

/** What a balance request is answered with. */
export interface BalanceAnswer {
  /** `undefined` for a customer that the service does not know. */
  readonly body: Balances | undefined;
  /** Made for this very request, and the answer says so. */
  readonly isFresh: boolean;
  /** All the wallets of the customer are in it: none is yet to be opened. */
  readonly isWhole: boolean;
}

/** The body of a balance answer. */
export interface Balances {
  readonly balances: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface Debit {
  readonly key: string;
  readonly at: number;
  readonly report: FakeReport;
  readonly cost: Cost;
}

interface Memo extends Omit<BalanceAnswer, "isFresh"> {
  readonly at: number;
}

/** The service in memory: it takes a report at once, with its cost, and debits it later. */
export class FakeService {
  readonly #options: FakeServiceOptions;
  readonly #customers = new Map<string, Map<string, FakeWallet>>();
  readonly #costs = new Map<string, Cost>();
  readonly #memos = new Map<string, Memo>();
  #memoMs: number;
  #due: Debit[] = [];

  constructor(options: FakeServiceOptions) {
    this.#options = options;
    this.#memoMs = options.memoMs;
    for (const terms of options.wallets) {
      const wallets = this.#customers.get(terms.customerId) ?? new Map<string, FakeWallet>();
      this.#customers.set(terms.customerId, wallets.set(terms.currency, new FakeWallet(terms)));
    }
  }

  get honoursKeys(): boolean {
    return this.#options.honoursKeys;
  }

  /** The wallet as of now; `undefined` while it has not been opened. */
  wallet(customerId: string, currency: string): FakeWallet | undefined {
    this.settle();
    const wallet = this.#customers.get(customerId)?.get(currency);
    return wallet !== undefined && this.#isOpen(wallet) ? wallet : undefined;
  }

  /** What has been taken and not debited yet, in micro-credits. */
  unsettled(customerId: string, currency: string): number {
    this.settle();
    const concerned = this.#due.filter(
      ({ report, cost }) => report.customerId === customerId && cost.currency === currency,
    );
    return concerned.reduce((sum, { cost }) => sum + cost.amount, 0);
  }

  /** The cache begins anew. */
  forgetMemos(): void {
    this.#memos.clear();
  }

  /** There is no cache any more. */
  endMemos(): void {
    this.#memoMs = 0;
  }

  /**
   * The answer to a balance request as of now. `extended`: by a replica that returns unsettled usage, and the kind of
   * wallets.
   */
  balances(customerId: string, extended: boolean): BalanceAnswer {
    const at = this.#options.clock.now();
    const memo = this.#memos.get(customerId);
    if (memo !== undefined && at < memo.at + this.#memoMs) return { ...memo, isFresh: false };
    const body = this.#read(customerId, extended);
    const isWhole = Object.keys(body?.balances ?? {}).length === this.#customers.get(customerId)?.size;
    if (this.#memoMs > 0) this.#memos.set(customerId, { at, body, isWhole });
    return { body, isFresh: extended, isWhole };
  }

  /** Takes a report and debits it `lagMs` from now, unless its key is honoured and not new. Returns its cost, as it was taken for. */
  take(report: FakeReport, key: string, lagMs: number): Cost {
    const known = this.#options.honoursKeys ? this.#costs.get(key) : undefined;
    const at = this.#options.clock.now() + lagMs;
    if (known !== undefined) {
      // Whichever answer comes first, the debit is in time for it.
      this.#due = this.#due.map((debit) =>
        debit.key === key ? { ...debit, at: Math.min(debit.at, at) } : debit,
      );
      return known;
    }
    const cost = this.#options.price(report);
    this.#costs.set(key, cost);
    this.#due.push({ key, at, report, cost });
    this.#options.onAccepted(report, cost);
    return cost;
  }

  /** Makes the debits that are due: no one can tell that from having made them in time. Each look does it. */
  settle(): void {
    const now = this.#options.clock.now();
    if (!this.#due.some(({ at }) => at <= now)) return;
    const due = this.#due.filter(({ at }) => at <= now);
    this.#due = this.#due.filter(({ at }) => at > now);
    for (const { report, cost } of due) {
      if (cost.currency !== null)
        this.#customers.get(report.customerId)?.get(cost.currency)?.debit(cost.amount);
      this.#options.onDebit(report, cost);
    }
  }

  #read(customerId: string, extended: boolean): Balances | undefined {
    this.settle();
    const wallets = this.#customers.get(customerId);
    if (wallets === undefined) return undefined;
    const entries = Array.from(wallets).flatMap(([currency, wallet]) => {
      if (!this.#isOpen(wallet)) return [];
      const unsettled = fromMicro(this.unsettled(customerId, currency));
      const told = extended ? { unsettled, kind: wallet.terms.kind } : {};
      return [[currency, { ...wallet.entry(), ...told }] as const];
    });
    // Not by assignment: a currency may well be called `__proto__`.
    return { balances: Object.fromEntries(entries) };
  }

  #isOpen({ terms: { opensAt = 0 } }: FakeWallet): boolean {
    return this.#options.clock.now() >= opensAt;
  }
}
