import { fromMicro } from "../../values/micro.ts";
import { invalidOption } from "../../values/option.ts";
import { processWide } from "../../values/process-wide.ts";
import type { CustomerBudgets, CustomerHome, Wallet } from "../customer.ts";
import { type ExpiringCredits, expiringOf } from "../expiring.ts";
import type { WorkAccount } from "../ledger.ts";
import type { Budget, GateBudget, ReportedBudget } from "./budget.ts";
import { type Cap, cappedAccount } from "./capped-account.ts";
import { NamedBudgets } from "./named-budgets.ts";
import { accountOfRun } from "./run-budget.ts";

/** Of all customers of one service and key. */
const mostBudgets = 100_000;
/** After a search for idle budgets the next one waits so long. */
const searchPauseMs = 1_000;

/** Where the customers are kept. */
export interface BudgetHome extends CustomerHome {
  /** Whether it bounds what isolates spend, which know of each other's budgets as little as of their wallets. */
  readonly guard?: object | undefined;
  all(): Iterable<BudgetedCustomer>;
}

/** A customer. */
export interface BudgetedCustomer {
  readonly id: string;
  budgets: CustomerBudgets | undefined;
  readonly isActive: boolean;
}

/**
 * What work that names these budgets is paid from; `undefined` if no more budgets fit in memory. `keeps`: the work has been done, so
 * it is counted all the same. Throws an `invalid_option` error where budgets cannot be held.
 */
export function budgetedAccount(
  customer: BudgetedCustomer,
  wallet: Wallet,
  budgets: readonly Budget[],
  home: BudgetHome,
  { queue }: { readonly queue?: object | undefined },
  keeps = false,
): WorkAccount | undefined {
  const keys = budgets.filter((budget) => typeof budget === "string");
  const { account } = wallet;
  if (account.naming !== undefined) {
    const runs = budgets.filter((budget) => typeof budget !== "string").map(capOfRun);
    return cappedAccount(keys.length > 0 ? account.naming(keys) : account, runs, home.clock);
  }
  if (home.ledger.budget === undefined || (keys.length > 0 && (queue ?? home.guard) !== undefined))
    invalidOption("budgets", "none from the service beside a queue or a guard", budgets);
  const { budgets: known } = customer;
  const isNew = (budget: Budget) => typeof budget === "string" && !known?.find(wallet, budget);
  // Before any is looked up: none of this work's may be forgotten in between.
  if (budgets.some(isNew)) makeRoom(home, budgets.length);
  const caps: Cap[] = [];
  for (const budget of budgets) {
    const cap = typeof budget === "string" ? named(customer, wallet, budget, home, keeps) : capOfRun(budget);
    if (cap === undefined) return undefined;
    caps.push(cap);
  }
  return cappedAccount(account, caps);
}

/** The same for work that has been done, by what its report names; the wallet's where budgets cannot be held. */
export function keptAccount(
  customer: BudgetedCustomer,
  wallet: Wallet,
  budgets: readonly (Budget | ReportedBudget)[],
  home: BudgetHome,
): WorkAccount {
  const { account } = wallet;
  if (home.ledger.budget === undefined && account.naming === undefined) return account;
  const named = budgets.map((budget) => (isReported(budget) ? budget.key : budget));
  return budgetedAccount(customer, wallet, named, home, {}, true) ?? account;
}

function isReported(budget: Budget | ReportedBudget): budget is ReportedBudget {
  return typeof budget === "object" && "key" in budget;
}

/** What `gate.balance()` adds to the figures of a wallet: what expires next, and budgets if keys were asked for. */
export function balanceDetails(
  customer: BudgetedCustomer,
  wallet: Wallet,
  keys: readonly Budget[] | undefined,
): {
  readonly expiring?: readonly ExpiringCredits[];
  readonly budgets?: Readonly<Record<string, GateBudget>>;
} {
  const expiring = expiringOf(customer, wallet.currency);
  return {
    ...(expiring && { expiring }),
    ...(keys && { budgets: budgetFigures(customer, wallet, keys) }),
  };
}

/** Those of these keys of which a balance request has learned a limit, in credits. */
function budgetFigures(
  { budgets }: BudgetedCustomer,
  wallet: Wallet,
  keys: readonly Budget[],
): Readonly<Record<string, GateBudget>> {
  const found: Record<string, GateBudget> = Object.create(null);
  for (const key of keys) {
    const cap = typeof key === "string" ? budgets?.find(wallet, key) : undefined;
    if (cap?.limit === undefined || cap.limit === Number.POSITIVE_INFINITY || cap.key === undefined) continue;
    const { capacity, held, unconfirmed } = cap.account.figures("prepaid");
    found[cap.key] = {
      limit: fromMicro(cap.limit),
      used: fromMicro(cap.limit - Number(capacity)),
      held: fromMicro(held),
      unconfirmed: fromMicro(unconfirmed),
      ...(cap.resetsAt !== undefined && { resetsAt: cap.resetsAt }),
    };
  }
  return found;
}

function capOfRun(budget: Budget): Cap {
  const account =
    accountOfRun(budget) ?? invalidOption("budgets", "keys, or budgets of createRunBudget()", budget);
  const { limit } = account;
  return {
    key: undefined,
    account,
    limit,
    period: undefined,
    resetsAt: undefined,
    freshFor: undefined,
    unreadFor: undefined,
    wanted: false,
  };
}

function named(
  customer: BudgetedCustomer,
  wallet: Wallet,
  key: string,
  home: BudgetHome,
  keeps: boolean,
): Cap | undefined {
  const known = customer.budgets ?? new NamedBudgets(home, customer.id);
  const found = known.find(wallet, key);
  if (found !== undefined) return found;
  if (!takeBudget(home) && !keeps) return undefined;
  customer.budgets = known;
  return known.open(wallet, key);
}

interface Count {
  budgets: number;
  searchedAt: number;
}

/** How many budgets each home has opened; those of customers who were evicted count until the next search. */
const counts = (): WeakMap<object, Count> => processWide("budgets@1", () => new WeakMap<object, Count>());

/** Forgets the idle budgets of a customer, but none that a decision may wait for. Returns how many are left. */
function forgetIdle(customer: BudgetedCustomer, now: number): number {
  const { budgets } = customer;
  if (budgets === undefined || customer.isActive) return budgets?.size ?? 0;
  const left = budgets.forget(now);
  if (left === 0) customer.budgets = undefined;
  return left;
}

function countOf(home: BudgetHome): Count {
  const count = counts().get(home) ?? { budgets: 0, searchedAt: Number.NEGATIVE_INFINITY };
  counts().set(home, count);
  return count;
}

/** Forgets idle budgets if so many more would not fit in memory. */
function makeRoom(home: BudgetHome, more: number): void {
  const now = home.clock.now();
  const count = countOf(home);
  if (count.budgets + more <= mostBudgets || now - count.searchedAt < searchPauseMs) return;
  count.searchedAt = now;
  count.budgets = 0;
  for (const customer of home.all()) count.budgets += forgetIdle(customer, now);
}

/** Whether one more fits in memory. */
function takeBudget(home: BudgetHome): boolean {
  const count = countOf(home);
  if (count.budgets >= mostBudgets) return false;
  count.budgets++;
  return true;
}
