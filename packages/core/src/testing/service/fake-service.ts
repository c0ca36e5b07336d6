import type { Clock } from "../../values/clock.ts";
import type { Usage } from "../../values/usage.ts";
import { FakeWallet, type FakeWalletTerms } from "./fake-wallet.ts";

/** A usage report as the service receives it (API 2.4). */
export interface FakeReport {
  readonly agentId: string;
  readonly customerId: string;
  readonly indicator: string;
  readonly rawUsage: Usage;
}

/** Options of {@link FakeService}. */
export interface FakeServiceOptions {
  readonly clock: Clock;
  readonly wallets: readonly FakeWalletTerms[];
  /** Whether a key that has been seen makes a report count for nothing. */
  readonly honoursKeys: boolean;
  /** What the service debits for a report, in micro-credits, and from the wallet of which currency. */
  readonly price: (report: FakeReport) => { readonly currency: string; readonly amount: number };
  /** A debit has reached its wallet. */
  readonly onDebit?: (report: FakeReport) => void;
}

interface Debit {
  readonly at: number;
  readonly report: FakeReport;
}

/** The service in memory: it takes a report at once and debits it later. */
export class FakeService {
  readonly #options: FakeServiceOptions;
  readonly #customers = new Map<string, Map<string, FakeWallet>>();
  readonly #keys = new Set<string>();
  #due: Debit[] = [];

  constructor(options: FakeServiceOptions) {
    this.#options = options;
    for (const terms of options.wallets) {
      const wallets = this.#customers.get(terms.customerId) ?? new Map<string, FakeWallet>();
      this.#customers.set(terms.customerId, wallets.set(terms.currency, new FakeWallet(terms)));
    }
  }

  get honoursKeys(): boolean {
    return this.#options.honoursKeys;
  }

  /** The instant at which the last debit that is known now will have been made. */
  get quietAt(): number {
    return this.#due.reduce((latest, { at }) => Math.max(latest, at), this.#options.clock.now());
  }

  /** The wallet as of now. */
  wallet(customerId: string, currency: string): FakeWallet | undefined {
    this.settle();
    return this.#customers.get(customerId)?.get(currency);
  }

  /** The body of a balance answer as of now; `undefined` for a customer that the service does not know. */
  balances(customerId: string): { readonly balances: Record<string, Record<string, number>> } | undefined {
    this.settle();
    const wallets = this.#customers.get(customerId);
    if (wallets === undefined) return undefined;
    // Not by assignment: a currency may well be called `__proto__`.
    return { balances: Object.fromEntries(Array.from(wallets, ([key, wallet]) => [key, wallet.entry()])) };
  }

  /** Takes a report and debits it `lagMs` from now, unless its key is honoured and not new. */
  take(report: FakeReport, key: string, lagMs: number): void {
    if (this.#options.honoursKeys && this.#keys.has(key)) return;
    this.#keys.add(key);
    this.#due.push({ at: this.#options.clock.now() + lagMs, report });
  }

  /** Makes the debits that are due: no one can tell that from having made them in time. Each look does it. */
  settle(): void {
    const now = this.#options.clock.now();
    if (!this.#due.some(({ at }) => at <= now)) return;
    const due = this.#due.filter(({ at }) => at <= now);
    this.#due = this.#due.filter(({ at }) => at > now);
    for (const { report } of due) {
      const { currency, amount } = this.#options.price(report);
      this.#customers.get(report.customerId)?.get(currency)?.debit(amount);
      this.#options.onDebit?.(report);
    }
  }
}
