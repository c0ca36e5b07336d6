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
  /** The same of budgets, whose sums may be older, and when it was let in. */
  readonly budgetsSince: number;
  readonly admittedAt: number;
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
  /** Micro-credits, each from an instant on; `undefined`: it is deleted. The last one is in force. */
  readonly limits: [at: number, limit: number | undefined][];
  /** Milliseconds; `Infinity`: it never begins anew. */
  readonly every: number;
  /** What is stored with its key. */
  readonly named: Periods<Sums>;
  /** What was really spent of it, and when that was received. */
  readonly spent: Periods<{ readonly receivedAt: number; readonly amount: number }[]>;
  /** The highest limit by which work may have been let in. */
  readonly caps: Periods<number>;
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
  /** So long after their expiry credits lapse. */
  readonly lateMs: number;
  /** Processes on a shared store may admit by what they reserved before a limit was lowered. */
  readonly isShared: boolean;
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
  /** When usage was received that is not settled. */
  readonly #waiting: number[] = [];

  constructor(clock: Clock, random: Random, options: BudgetServiceOptions) {
    this.#clock = clock;
    this.#random = random;
    this.#options = options;
    this.#wallet = new BudgetWallet(options.expired);
    this.#wallet.give(random.integer(20, 250) * 1e6);
    for (let count = random.integer(0, 2); count > 0; count--)
      this.#wallet.give(random.integer(10, 100) * 1e6, random.integer(2, 15) * 1_000, options.lateMs);
    this.#maxLagMs = random.integer(200, 4_000);
    const bounds = { team: [20, 120], member: [8, 60], task: [3, 30] } as const;
    for (const key of ["team:a", "team:b", "member:1", "member:2", "member:3", "task:1", "task:2"]) {
      const [least, most] = bounds[key.split(":")[0] as keyof typeof bounds];
      const isEndless = !options.resets && random.chance(0.4);
      const every = isEndless ? Number.POSITIVE_INFINITY : random.integer(2, options.resets ? 5 : 15) * 1_000;
      const limit = random.integer(least, most) * 1e6;
      const limits: BudgetTerms["limits"] = [[Number.NEGATIVE_INFINITY, limit]];
      this.#budgets.set(key, { limits, every, named: new Map(), spent: new Map(), caps: new Map() });
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
    this.#wallet.give(amount, expiresAt, this.#options.lateMs);
  }

  /** An operator changes the limit of a budget, deletes it, or creates it again, which begins a period. */
  edit(key: string): void {
    const { limits = [] } = this.#budgets.get(key) ?? {};
    const limit = limitOf(limits);
    const isDeleted = limit !== undefined && this.#random.chance(0.3);
    if (limit === undefined) this.reset(key);
    limits.push([this.#clock.now(), isDeleted ? undefined : this.#random.integer(3, 120) * 1e6]);
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
    let left = limitOf(terms.limits) ?? 0;
    for (const [at, spent] of terms.spent) if (at >= period) left -= sumOf(spent);
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

  #accept(usage: TrueUsage, named: readonly ReportedBudget[], replica: number): void {
    const { amount, keys, since } = usage;
    const receivedAt = this.#clock.now();
    const counted: Sums[] = [];
    for (const key of keys) {
      const terms = this.#budgets.get(key);
      if (terms === undefined) continue;
      const { budgetsSince, admittedAt } = usage;
      if (limitIn(terms.limits, budgetsSince, admittedAt) === undefined)
        this.violations.push(`${key} has let work in after it was deleted`);
      // It counts nowhere.
      if (limitOf(terms.limits) === undefined) continue;
      const report = named.find((budget) => budget.key === key);
      const received = this.#period(key, replica);
      const isByReceipt = report?.period === undefined || this.#options.byReceiptOnly;
      const period = isByReceipt ? received : Math.max(received, Date.parse(report.period));
      // What is stored without its budgets was spent all the same.
      this.#spend(key, terms, period, usage);
      if (report !== undefined) counted.push(sumsOf(terms.named, period));
    }
    const wallet = this.#wallet;
    this.#total += amount;
    this.#unsettled += amount;
    for (const sums of counted) sums.unsettled += amount;
    if (this.#total > wallet.given)
      this.violations.push(`the wallet is overspent by ${this.#total - wallet.given}`);
    if (wallet.hasExpired(since, receivedAt)) this.#expiredOn += amount;
    wallet.receive(amount, since, receivedAt);
    this.#waiting.push(receivedAt);
    this.#clock.schedule(this.#random.integer(0, this.#maxLagMs), () => {
      wallet.lapse(this.#clock.now(), Math.min(...this.#waiting));
      this.#waiting.splice(this.#waiting.indexOf(receivedAt), 1);
      this.#unsettled -= amount;
      for (const sums of counted) {
        sums.unsettled -= amount;
        sums.used += amount;
      }
      wallet.debit(amount, receivedAt);
      if (wallet.unpaid > wallet.late) this.violations.push(`no credits have paid for ${wallet.unpaid}`);
      if (wallet.paidByExpired > this.#expiredOn)
        this.violations.push(`expired credits have bought ${wallet.paidByExpired - this.#expiredOn}`);
    });
  }

  /** By the limit at some instant since its sums were read: with all that was received before that; and with all that has come at all. */
  #spend(
    key: string,
    { limits, spent, caps }: BudgetTerms,
    period: number,
    { amount, budgetsSince }: TrueUsage,
  ): void {
    const receivedAt = this.#clock.now();
    const since = this.#options.isShared ? Number.NEGATIVE_INFINITY : budgetsSince;
    const limit = limitIn(limits, since, receivedAt) ?? 0;
    const all = spent.get(period) ?? [];
    const before = sumOf(all.filter((one) => one.receivedAt <= since)) + amount;
    all.push({ receivedAt, amount });
    spent.set(period, all);
    const cap = Math.max(limit, caps.get(period) ?? 0);
    caps.set(period, cap);
    const over = Math.max(before - limit, sumOf(all) - cap);
    if (over > 0) this.violations.push(`${key} is overspent in ${period} by ${over}`);
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
      const limit = limitOf(terms?.limits ?? []);
      if (terms === undefined || limit === undefined) continue;
      const period = this.#period(key, replica);
      const sum = { used: 0, unsettled: 0 };
      for (const [at, { used, unsettled }] of terms.named) {
        if (at < period) continue;
        sum.used += used;
        sum.unsettled += unsettled;
      }
      budgets[key] = {
        limit: fromMicro(limit),
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

/** That is in force. */
function limitOf(limits: BudgetTerms["limits"]): number | undefined {
  return limits.at(-1)?.[1];
}

/** The highest that was in force at some instant in between; `undefined` if none was. */
function limitIn(limits: BudgetTerms["limits"], from: number, until: number): number | undefined {
  let highest: number | undefined;
  for (const [index, [at, limit]] of limits.entries()) {
    const end = limits[index + 1]?.[0] ?? Number.POSITIVE_INFINITY;
    if (at <= until && end >= from && limit !== undefined) highest = Math.max(limit, highest ?? limit);
  }
  return highest;
}

function sumOf(spent: readonly { readonly amount: number }[]): number {
  return spent.reduce((sum, { amount }) => sum + amount, 0);
}

function sumsOf(periods: Periods<Sums>, period: number): Sums {
  const sums = periods.get(period) ?? { used: 0, unsettled: 0 };
  periods.set(period, sums);
  return sums;
}
