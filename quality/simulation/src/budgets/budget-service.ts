import type { Clock, ReportedBudget } from "@creditgate/core";
import type { Random } from "@creditgate/core/testing";
import { fromMicro } from "../micro.ts";

/** What the service was told of a piece of usage. Micro-credits. */
interface StoredReport {
  readonly amount: number;
  /** The keys that were stored with it. */
  readonly named: ReadonlySet<string>;
  /** By key of all that the work really had, the period in which it counts, or would. */
  readonly periods: ReadonlyMap<string, number>;
  settled: boolean;
}

interface BudgetTerms {
  readonly limit: number;
  /** Milliseconds; `Infinity`: it never begins anew. */
  readonly every: number;
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
}

/** A billing service on two replicas, with a wallet and budgets: it settles late, and knows what was really spent. */
export class BudgetService {
  readonly violations: string[] = [];
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #options: BudgetServiceOptions;
  readonly #reports = new Map<string, StoredReport>();
  readonly #budgets = new Map<string, BudgetTerms>();
  /** When an operator has begun a period last, by key. */
  readonly #begun = new Map<string, number>();
  readonly #maxLagMs: number;
  #funds: number;

  constructor(clock: Clock, random: Random, options: BudgetServiceOptions) {
    this.#clock = clock;
    this.#random = random;
    this.#options = options;
    this.#funds = random.integer(20, 400) * 1e6;
    this.#maxLagMs = random.integer(200, 4_000);
    const bounds = { team: [20, 120], member: [8, 60], task: [3, 30] } as const;
    for (const key of ["team:a", "team:b", "member:1", "member:2", "member:3", "task:1", "task:2"]) {
      const [least, most] = bounds[key.split(":")[0] as keyof typeof bounds];
      const isEndless = !options.resets && random.chance(0.4);
      const every = isEndless ? Number.POSITIVE_INFINITY : random.integer(2, options.resets ? 5 : 20) * 1_000;
      this.#budgets.set(key, { limit: random.integer(least, most) * 1e6, every });
    }
  }

  get keys(): readonly string[] {
    return [...this.#budgets.keys()];
  }

  /** Whether this replica knows no budgets. */
  isOld(replica: number): boolean {
    return this.#options.oldReplica && replica === 1;
  }

  topUp(amount: number): void {
    this.#funds += amount;
  }

  /** An operator begins a new period of a budget: in all replicas at once, which have the instant from one database. */
  reset(key: string): void {
    const begun = Math.max(this.#period(key, 0), this.#period(key, 1), this.#clock.now());
    this.#begun.set(key, begun);
  }

  /** Credits that are left of a budget now, and of the wallet. */
  left(key: string): number {
    const period = Math.min(this.#period(key, 0), this.#period(key, 1));
    let [wallet, left] = [this.#funds, this.#budgets.get(key)?.limit ?? 0];
    for (const { amount, periods } of this.#reports.values()) {
      wallet -= amount;
      if ((periods.get(key) ?? Number.NEGATIVE_INFINITY) >= period) left -= amount;
    }
    return fromMicro(Math.min(wallet, left));
  }

  /** Stores a report, once by its key. Returns the budgets stored with it. */
  store(
    id: string,
    amount: number,
    truth: readonly string[],
    given: readonly ReportedBudget[] | undefined,
    replica: number,
  ): readonly string[] | undefined {
    const budgets = this.isOld(replica) ? undefined : given;
    if (!this.#reports.has(id)) {
      const periods = new Map<string, number>();
      // What is stored without its budgets was spent all the same.
      for (const key of truth) if (this.#budgets.has(key)) periods.set(key, this.#period(key, replica));
      for (const { key, period } of budgets ?? []) {
        const received = this.#period(key, replica);
        const reported = period === undefined || this.#options.byReceiptOnly ? received : Date.parse(period);
        periods.set(key, Math.max(received, reported));
      }
      const named = new Set(budgets?.map(({ key }) => key));
      const report = { amount, named, periods, settled: false };
      this.#reports.set(id, report);
      this.#clock.schedule(this.#random.integer(0, this.#maxLagMs), () => {
        report.settled = true;
      });
      this.#look();
    }
    if (budgets === undefined) return undefined;
    return [...(this.#reports.get(id)?.named ?? [])];
  }

  /** The body of a balance answer. */
  balance(keys: readonly string[] | undefined, replica: number): object {
    const all = [...this.#reports.values()];
    const sum = (reports: readonly StoredReport[]) =>
      reports.reduce((total, { amount }) => total + amount, 0);
    const settled = sum(all.filter((report) => report.settled));
    const wallet = {
      available: fromMicro(this.#funds - settled),
      pending: 0,
      overage_used: 0,
      overage_limit: 0,
      postpaid_used: 0,
      postpaid_limit: 0,
      unsettled: fromMicro(sum(all) - settled),
      kind: "prepaid",
    };
    const balances = { ai_credits: wallet };
    if (keys === undefined) return { balances };
    const budgets: Record<string, object> = {};
    for (const key of keys) {
      const terms = this.#budgets.get(key);
      if (terms === undefined) continue;
      const period = this.#period(key, replica);
      const counted = all.filter(({ named, periods }) => named.has(key) && (periods.get(key) ?? 0) >= period);
      const used = sum(counted.filter((report) => report.settled));
      budgets[key] = {
        limit: fromMicro(terms.limit),
        used: fromMicro(used),
        unsettled: fromMicro(sum(counted) - used),
        period: new Date(period).toISOString(),
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

  /** Whether a wallet or a budget has been overspent, by what the work really had. */
  #look(): void {
    const all = [...this.#reports.values()];
    const total = all.reduce((sum, { amount }) => sum + amount, 0);
    if (total > this.#funds) this.violations.push(`the wallet is overspent by ${total - this.#funds}`);
    for (const [key, { limit }] of this.#budgets) {
      const sums = new Map<number, number>();
      for (const { amount, periods } of all) {
        const period = periods.get(key);
        if (period === undefined) continue;
        sums.set(period, (sums.get(period) ?? 0) + amount);
      }
      for (const [period, sum] of sums)
        if (sum > limit) this.violations.push(`${key} is overspent in ${period} by ${sum - limit}`);
    }
  }
}
