import { budgetRules } from "@creditgate/client";
import type { BalanceReading } from "../balance-reading.ts";
import type { AskedBudgets, CustomerBudgets, CustomerHome, PermittedRefresh, Wallet } from "../customer.ts";
import type { Account, ReservationJournal } from "../ledger.ts";
import type { BudgetKeys } from "./budget.ts";
import { NamedBudget } from "./named-budget.ts";

/** The budgets of a customer that work has named. In a shared ledger each outbox has an account of its own, as of a wallet. */
export class NamedBudgets implements CustomerBudgets {
  readonly #home: CustomerHome;
  readonly #customerId: string;
  readonly #byJournal = new Map<ReservationJournal | undefined, Map<string, NamedBudget>>();

  constructor(home: CustomerHome, customerId: string) {
    this.#home = home;
    this.#customerId = customerId;
  }

  get size(): number {
    let size = 0;
    for (const budgets of this.#byJournal.values()) size += budgets.size;
    return size;
  }

  find({ currency, journal }: Pick<Wallet, "currency" | "journal">, key: string): NamedBudget | undefined {
    return this.#byJournal.get(journal)?.get(nameOf(currency, key));
  }

  /** `undefined` in a ledger that keeps none. */
  open({ currency, journal }: Pick<Wallet, "currency" | "journal">, key: string): NamedBudget | undefined {
    const { ledger, service } = this.#home;
    const account = ledger.budget?.(service.fingerprint, this.#customerId, currency, key, journal);
    if (account === undefined) return undefined;
    const budget = new NamedBudget(currency, key, account);
    const budgets = this.#byJournal.get(journal) ?? new Map<string, NamedBudget>();
    this.#byJournal.set(journal, budgets.set(nameOf(currency, key), budget));
    return budget;
  }

  async ask(
    since: number,
    permit: (account: Account) => Promise<PermittedRefresh>,
  ): Promise<AskedBudgets | undefined> {
    const permits = new Map<string, Promise<PermittedRefresh>>();
    const permitted: Promise<Permitted>[] = [];
    for (const budget of this.#all()) {
      if (!budget.wanted) continue;
      const name = nameOf(budget.currency, budget.key);
      // The others wait for the next one.
      if (permits.size === budgetRules.inRequest && !permits.has(name)) continue;
      budget.wanted = false;
      // A second one would wait for the first.
      const permitting = permits.get(name) ?? permit(budget.account);
      permits.set(name, permitting);
      permitted.push(permitting.then((one) => ({ budget, permit: one })));
    }
    return permitted.length === 0 ? undefined : new Asked(await Promise.all(permitted), since);
  }

  forget(now: number): number {
    for (const budgets of this.#byJournal.values())
      for (const [name, budget] of budgets) if (budget.idle(now)) budgets.delete(name);
    return this.size;
  }

  idle(now: number): boolean {
    for (const budget of this.#all()) if (!budget.idle(now)) return false;
    return true;
  }

  *#all(): Generator<NamedBudget> {
    for (const budgets of this.#byJournal.values()) yield* budgets.values();
  }
}

interface Permitted {
  readonly budget: NamedBudget;
  readonly permit: PermittedRefresh;
}

class Asked implements AskedBudgets {
  readonly keys: BudgetKeys | undefined;
  readonly #permitted: readonly Permitted[];
  readonly #since: number;

  constructor(permitted: readonly Permitted[], since: number) {
    this.#permitted = permitted;
    this.#since = since;
    const keys: Record<string, string[]> = Object.create(null);
    for (const { budget, permit } of permitted) {
      if (!budget.mustRead(permit)) continue;
      const { currency, key } = budget;
      keys[currency] ??= [];
      if (!keys[currency].includes(key)) keys[currency].push(key);
    }
    this.keys = Object.keys(keys).length > 0 ? keys : undefined;
  }

  async answered(reading: BalanceReading, maxStaleMs: number): Promise<void> {
    await Promise.all(
      this.#permitted.map(async ({ budget, permit }) => {
        const { currency, key } = budget;
        const isAsked = this.keys?.[currency]?.includes(key) === true;
        // An answer without budgets proves nothing about them.
        const read = (isAsked && reading.known && reading.budget?.(currency, key)) || "unread";
        if ("here" in permit) budget.receiveShared(read, this.#since);
        else await budget.answered(permit, read, this.#since, maxStaleMs);
      }),
    );
  }
}

function nameOf(currency: string, key: string): string {
  return `${currency} ${key}`;
}
