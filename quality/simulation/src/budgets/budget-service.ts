import type { Clock, ReportedBudget } from "@creditgate/core";
import type { Random } from "@creditgate/core/testing";
import { fromMicro } from "../micro.ts";
import { BudgetWallet, type ExpiredCredits } from "./budget-wallet.ts";

/** What a piece of usage really was, whatever the service is told of it. Micro-credits. */
export interface TrueUsage {
  readonly amount: number;
  /** The named budgets of its work. */
  readonly keys: readonly string[];
  /** Its work was let in by a balance of this instant at the earliest. */
  readonly since: number;
  /** By its process: it must arrive. */
  isDurable: boolean;
}

/** Micro-credits. */
interface Sums {
  used: number;
  unsettled: number;
}

/** By the beginning of a period. */
type Periods<Sum> = Map<number, Sum>;

interface BudgetTerms {
  readonly limit: number;
  /** Milliseconds; `Infinity`: it never begins anew. */
  readonly every: number;
  /** What is stored with its key. */
  readonly named: Periods<Sums>;
  /** What was really spent of it. */
  readonly spent: Periods<number>;
}

/** How the service is made; a mistake in one of these breaks a budget. */
export interface BudgetServiceOptions {
  /** Of the second replica's clock. */
  readonly skewMs: number;
  /** The second replica is of a version that knows no budgets. */
  readonly oldReplica: boolean;
  /** A report counts in the period of its receipt alone. */
  readonly byReceiptOnly: boolean;
  /** All periods are short, and an operator begins new ones. */
  readonly resets: boolean;
  readonly expired: ExpiredCredits;
}

/** A billing service on two replicas, with a wallet and budgets: it settles late, and knows what was really spent. */
export class BudgetService {
  readonly violations: string[] = [];
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #options: BudgetServiceOptions;
  readonly #wallet: BudgetWallet;
  /** What each process has reported, by a name of its own. */
  readonly #usage = new Map<string, TrueUsage>();
  /** By the name of the usage, the key of the report that it came in. */
  readonly #received = new Map<string, string>();
  /** By the key of a report, the budgets that were stored with it. */
  readonly #stored = new Map<string, readonly string[]>();
  readonly #budgets = new Map<string, BudgetTerms>();
  /** When an operator has begun a period last, by key. */
  readonly #begun = new Map<string, number>();
  readonly #maxLagMs: number;
  #total = 0;
  #unsettled = 0;
  /** Of work that may have been let in before credits expired which had expired when it was received. */
  #expiredOn = 0;

  constructor(clock: Clock, random: Random, options: BudgetServiceOptions) {
    this.#clock = clock;
    this.#random = random;
    this.#options = options;
    this.#wallet = new BudgetWallet(options.expired);
    this.#wallet.give(random.integer(20, 250) * 1e6);
    for (let count = random.integer(0, 2); count > 0; count--)
      this.#wallet.give(random.integer(10, 100) * 1e6, random.integer(2, 15) * 1_000);
    this.#maxLagMs = random.integer(200, 4_000);
    const bounds = { team: [20, 120], member: [8, 60], task: [3, 30] } as const;
    for (const key of ["team:a", "team:b", "member:1", "member:2", "member:3", "task:1", "task:2"]) {
      const [least, most] = bounds[key.split(":")[0] as keyof typeof bounds];
      const isEndless = !options.resets && random.chance(0.4);
      const every = isEndless ? Number.POSITIVE_INFINITY : random.integer(2, options.resets ? 5 : 15) * 1_000;
      const limit = random.integer(least, most) * 1e6;
      this.#budgets.set(key, { limit, every, named: new Map(), spent: new Map() });
    }
  }

  get keys(): readonly string[] {
    return [...this.#budgets.keys()];
  }

  /** Whether this replica knows no budgets. */
  isOld(replica: number): boolean {
    return this.#options.oldReplica && replica === 1;
  }

  topUp(amount: number, expiresAt?: number): void {
    this.#wallet.give(amount, expiresAt);
  }

  /** An operator begins a new period of a budget: in all replicas at once, which have the instant from one database. */
  reset(key: string): void {
    const begun = Math.max(this.#period(key, 0), this.#period(key, 1), this.#clock.now());
    this.#begun.set(key, begun);
  }

  /** A process reports usage by this name. */
  expect(name: string, usage: TrueUsage): void {
    this.#usage.set(name, usage);
  }

  /** Credits of the wallet that nobody has spent, when all is settled. */
  get available(): number {
    return fromMicro(this.#wallet.available(this.#clock.now()) - this.#unsettled);
  }

  /** Credits that are left of a budget now, and of the wallet. */
  left(key: string): number {
    const terms = this.#budgets.get(key);
    if (terms === undefined) return 0;
    const period = Math.min(this.#period(key, 0), this.#period(key, 1));
    let { limit: left } = terms;
    for (const [at, amount] of terms.spent) if (at >= period) left -= amount;
    return Math.min(this.available, fromMicro(left));
  }

  /** Names of usage that was durable and has not arrived. */
  get lost(): readonly string[] {
    return [...this.#usage]
      .filter(([name, { isDurable }]) => isDurable && !this.#received.has(name))
      .map(([name]) => name);
  }

  /** Stores a report of the usage of this name, once by its key. Returns the budgets stored with it. */
  store(
    id: string,
    name: string,
    given: readonly ReportedBudget[] | undefined,
    replica: number,
  ): readonly string[] | undefined {
    const budgets = this.isOld(replica) ? undefined : given;
    if (!this.#stored.has(id)) {
      this.#stored.set(id, budgets?.map(({ key }) => key) ?? []);
      const usage = this.#usage.get(name);
      if (this.#received.has(name) || usage === undefined) this.violations.push(`${name} is billed twice`);
      else this.#accept(usage, budgets ?? [], replica);
      this.#received.set(name, id);
    }
    return budgets && this.#stored.get(id);
  }

  #accept({ amount, keys, since }: TrueUsage, named: readonly ReportedBudget[], replica: number): void {
    const receivedAt = this.#clock.now();
    const counted: Sums[] = [];
    for (const key of keys) {
      const terms = this.#budgets.get(key);
      if (terms === undefined) continue;
      const report = named.find((budget) => budget.key === key);
      const received = this.#period(key, replica);
      const isByReceipt = report?.period === undefined || this.#options.byReceiptOnly;
      const period = isByReceipt ? received : Math.max(received, Date.parse(report.period));
      // What is stored without its budgets was spent all the same.
      const spent = (terms.spent.get(period) ?? 0) + amount;
      terms.spent.set(period, spent);
      if (spent > terms.limit)
        this.violations.push(`${key} is overspent in ${period} by ${spent - terms.limit}`);
      if (report !== undefined) counted.push(sumsOf(terms.named, period));
    }
    const wallet = this.#wallet;
    this.#total += amount;
    this.#unsettled += amount;
    for (const sums of counted) sums.unsettled += amount;
    if (this.#total > wallet.given)
      this.violations.push(`the wallet is overspent by ${this.#total - wallet.given}`);
    if (wallet.hasExpired(since, receivedAt)) this.#expiredOn += amount;
    this.#clock.schedule(this.#random.integer(0, this.#maxLagMs), () => {
      this.#unsettled -= amount;
      for (const sums of counted) {
        sums.unsettled -= amount;
        sums.used += amount;
      }
      wallet.debit(amount, receivedAt);
      if (wallet.unpaid > 0) this.violations.push(`no credits have paid for ${wallet.unpaid}`);
      if (wallet.paidByExpired > this.#expiredOn)
        this.violations.push(`expired credits have bought ${wallet.paidByExpired - this.#expiredOn}`);
    });
  }

  /** The body of a balance answer. */
  balance(keys: readonly string[] | undefined, replica: number): object {
    const wallet = {
      available: fromMicro(this.#wallet.available(this.#clock.now())),
      pending: 0,
      overage_used: 0,
      overage_limit: 0,
      postpaid_used: 0,
      postpaid_limit: 0,
      unsettled: fromMicro(this.#unsettled),
      kind: "prepaid",
    };
    const balances = { ai_credits: wallet };
    if (keys === undefined) return { balances };
    const budgets: Record<string, object> = {};
    for (const key of keys) {
      const terms = this.#budgets.get(key);
      if (terms === undefined) continue;
      const period = this.#period(key, replica);
      const sum = { used: 0, unsettled: 0 };
      for (const [at, { used, unsettled }] of terms.named) {
        if (at < period) continue;
        sum.used += used;
        sum.unsettled += unsettled;
      }
      budgets[key] = {
        limit: fromMicro(terms.limit),
        used: fromMicro(sum.used),
        unsettled: fromMicro(sum.unsettled),
        period: new Date(period).toISOString(),
        ...(Number.isFinite(terms.every) && {
          resets_at: new Date((Math.floor(period / terms.every) + 1) * terms.every).toISOString(),
        }),
      };
    }
    return { balances, budgets: { ai_credits: budgets } };
  }

  /** The instant at which the present period of a budget began, by the clock of a replica. */
  #period(key: string, replica: number): number {
    const every = this.#budgets.get(key)?.every ?? Number.POSITIVE_INFINITY;
    const now = this.#clock.now() + (replica === 1 ? this.#options.skewMs : 0);
    const begun = Number.isFinite(every) ? Math.floor(now / every) * every : 0;
    return Math.max(begun, this.#begun.get(key) ?? 0);
  }
}

function sumsOf(periods: Periods<Sums>, period: number): Sums {
  const sums = periods.get(period) ?? { used: 0, unsettled: 0 };
  periods.set(period, sums);
  return sums;
}
