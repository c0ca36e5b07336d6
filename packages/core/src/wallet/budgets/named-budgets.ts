import { budgetRules } from "@creditgate/client";
import type { Awaitable } from "../../values/awaitable.ts";
import { type Clock, sleep } from "../../values/clock.ts";
import type { BalanceReading } from "../balance-reading.ts";
import type { AskedBudgets, BalanceSource, CustomerBudgets, CustomerHome, Wallet } from "../customer.ts";
import type { PermittedRefresh, RefreshPermit } from "../ledger.ts";
import type { BudgetKeys } from "./budget.ts";
import { NamedBudget } from "./named-budget.ts";

/** The budgets of a customer that work has named. In a shared ledger each outbox has an account of its own, as of a wallet. */
export class NamedBudgets implements CustomerBudgets {
  readonly #home: CustomerHome;
  readonly #customerId: string;
  /** By the wallet beside which they are held, and by key. */
  readonly #byWallet = new Map<Wallet, Map<string, NamedBudget>>();

  constructor(home: CustomerHome, customerId: string) {
    this.#home = home;
    this.#customerId = customerId;
  }

  get size(): number {
    let size = 0;
    for (const budgets of this.#byWallet.values()) size += budgets.size;
    return size;
  }

  find(wallet: Wallet, key: string): NamedBudget | undefined {
    return this.#byWallet.get(wallet)?.get(key);
  }

  /** `undefined` in a ledger that keeps none. */
  open(wallet: Wallet, key: string): NamedBudget | undefined {
    const { currency, journal } = wallet;
    const { ledger, service } = this.#home;
    const account = ledger.budget?.(service.fingerprint, this.#customerId, currency, key, journal);
    if (account === undefined) return undefined;
    const budget = new NamedBudget(currency, key, account);
    const budgets = this.#byWallet.get(wallet) ?? new Map<string, NamedBudget>();
    this.#byWallet.set(wallet, budgets.set(key, budget));
    return budget;
  }

  async ask(since: number): Promise<AskedBudgets | undefined> {
    const names = new Set<string>();
    const wanted: NamedBudget[] = [];
    for (const budget of this.#all()) {
      if (!budget.wanted) continue;
      const name = nameOf(budget.currency, budget.key);
      // The others wait for the next one.
      if (names.size === budgetRules.inRequest && !names.has(name)) continue;
      names.add(name);
      budget.wanted = false;
      wanted.push(budget);
    }
    return wanted.length === 0 ? undefined : askFor(wanted, since, this.#home.clock);
  }

  forget(now: number): number {
    for (const budgets of this.#byWallet.values())
      for (const [key, budget] of budgets) if (budget.idle(now)) budgets.delete(key);
    return this.size;
  }

  idle(now: number): boolean {
    for (const budget of this.#all()) if (!budget.idle(now)) return false;
    return true;
  }

  *#all(): Generator<NamedBudget> {
    for (const budgets of this.#byWallet.values()) yield* budgets.values();
  }
}

async function askFor(wanted: readonly NamedBudget[], since: number, clock: Clock): Promise<Asked> {
  const permits = new Map<string, Awaitable<RefreshPermit>>();
  const permitted: Permitted[] = [];
  const waiting: NamedBudget[] = [];
  let waitMs: number | undefined;
  for (const budget of wanted) {
    const name = nameOf(budget.currency, budget.key);
    // A second one would wait for the first.
    if (!permits.has(name)) permits.set(name, budget.account.beginRefresh(since));
  }
  await Promise.all(permits.values());
  for (const budget of wanted) {
    const permit = await permits.get(nameOf(budget.currency, budget.key));
    if (permit === undefined || "wait" in permit) {
      waiting.push(budget);
      waitMs = Math.max(waitMs ?? 0, permit?.wait ?? 0);
    } else permitted.push({ budget, permit: "go" in permit ? permit.go : permit });
  }
  return new Asked({ permitted, waiting, waitMs }, since, clock);
}

interface Permitted {
  readonly budget: NamedBudget;
  readonly permit: PermittedRefresh;
}

interface Permits {
  readonly permitted: readonly Permitted[];
  readonly waiting: readonly NamedBudget[];
  readonly waitMs: number | undefined;
}

class Asked implements AskedBudgets {
  readonly keys: BudgetKeys | undefined;
  readonly #permits: Permits;
  readonly #since: number;
  readonly #clock: Clock;

  constructor(permits: Permits, since: number, clock: Clock) {
    this.#permits = permits;
    this.#since = since;
    this.#clock = clock;
    const keys: Record<string, string[]> = Object.create(null);
    for (const { budget, permit } of permits.permitted) {
      if (!budget.mustRead(permit, since)) continue;
      const { currency, key } = budget;
      keys[currency] ??= [];
      if (!keys[currency].includes(key)) keys[currency].push(key);
    }
    this.keys = Object.keys(keys).length > 0 ? keys : undefined;
  }

  get isWaiting(): boolean {
    return this.#permits.waitMs !== undefined;
  }

  /** What this process may read it has read before: while it waits it holds up none, or two could wait for each other. */
  async readRest(reading: BalanceReading, source: BalanceSource, send: () => void): Promise<void> {
    const { waiting, waitMs } = this.#permits;
    if (waitMs === undefined) return;
    await sleep(this.#clock, waitMs);
    const asked = await askFor(waiting, this.#since, this.#clock);
    if (!asked.isWaiting) send();
    const rest = asked.keys === undefined ? reading : await source.read(asked.keys);
    await asked.answered(rest, source.maxStaleMs);
    await asked.readRest(reading, source, send);
  }

  async answered(reading: BalanceReading, maxStaleMs: number): Promise<void> {
    await Promise.all(
      this.#permits.permitted.map(async ({ budget, permit }) => {
        const { currency, key } = budget;
        const isAsked = this.keys?.[currency]?.includes(key) === true;
        // An answer without budgets proves nothing about them.
        const read = (isAsked && reading.known && reading.budget?.(currency, key)) || "unread";
        if ("here" in permit) budget.receiveShared(permit.here, read, this.#since);
        else await budget.answered(permit, read, this.#since, maxStaleMs);
      }),
    );
  }
}

function nameOf(currency: string, key: string): string {
  return `${currency} ${key}`;
}
