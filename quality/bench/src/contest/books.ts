/** Credits in a wallet whose customer's name begins with `small`; other wallets never run dry. */
export const smallWallet = 50;
const largeWallet = 1e9;
/** From usage to its debit. */
const debitLagMs = Number(process.env.CREDITGATE_DEBIT_LAG_MS ?? 1_000);

interface Account {
  billed: number;
  debited: number;
  readonly holds: Map<string, number>;
}

/** The books of the billing service: one wallet for each customer, who exists as soon as he is named. */
export class Books {
  readonly #accounts = new Map<string, Account>();
  readonly #keys = new Set<string>();

  granted(customer: string): number {
    return customer.startsWith("small") ? smallWallet : largeWallet;
  }

  /** Credits that a read of the balance returns: late debits are still in it, holds are not. */
  available(customer: string): number {
    const { debited, holds } = this.#account(customer);
    return this.granted(customer) - debited - sum(holds.values());
  }

  /** Usage that is billed and not debited. */
  unsettled(customer: string): number {
    const { billed, debited } = this.#account(customer);
    return billed - debited;
  }

  /** Bills usage once for each key, and debits it late. */
  bill(customer: string, credits: number, key: string): void {
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    const account = this.#account(customer);
    account.billed += credits;
    setTimeout(() => {
      account.debited += credits;
    }, debitLagMs).unref();
  }

  /** Debits at once if the wallet covers it: payments and locks, which a vendor documents as atomic. */
  pay(customer: string, credits: number): boolean {
    if (this.available(customer) < credits) return false;
    const account = this.#account(customer);
    account.billed += credits;
    account.debited += credits;
    return true;
  }

  /** Takes credits out of the balance until they are settled. */
  hold(customer: string, id: string, credits: number): boolean {
    if (this.available(customer) < credits) return false;
    this.#account(customer).holds.set(id, credits);
    return true;
  }

  /** Bills what work under a hold has cost, and gives the rest back. */
  settle(id: string, credits?: number): void {
    for (const account of this.#accounts.values()) {
      const held = account.holds.get(id);
      if (held === undefined) continue;
      account.holds.delete(id);
      account.billed += credits ?? held;
      account.debited += credits ?? held;
    }
  }

  /** Of all customers whose name begins so. */
  totals(prefix: string): { readonly billed: number; readonly held: number } {
    const accounts = [...this.#accounts].filter(([customer]) => customer.startsWith(prefix));
    return {
      billed: sum(accounts.map(([, { billed }]) => billed)),
      held: sum(accounts.map(([, { holds }]) => sum(holds.values()))),
    };
  }

  #account(customer: string): Account {
    const known = this.#accounts.get(customer);
    if (known !== undefined) return known;
    const account: Account = { billed: 0, debited: 0, holds: new Map() };
    this.#accounts.set(customer, account);
    return account;
  }
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
