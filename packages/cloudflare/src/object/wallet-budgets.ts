import type { ReportedBudget } from "@creditgate/core";
import { cappedAccount, type WorkAccount } from "@creditgate/core/adapter";
import { type ObjectStorage, textIn } from "./storage.ts";
import type { WalletAccount } from "./wallet-account.ts";

/** What {@link WalletBudgets} are made of. */
export interface WalletBudgetsOptions {
  readonly storage: Pick<ObjectStorage, "sql">;
  /** Of the tables. */
  readonly prefix: string;
  /** The wallet's account. */
  readonly wallet: WalletAccount;
  /** The account of a budget, as it is stored. */
  readonly load: (key: string) => WalletAccount;
}

/** In one sweep, so that it keeps no request waiting: more than one step sweeps. */
const mostSwept = 100;

/** The budgets of one wallet, in the storage of its object. An account is read when it is first needed, and deleted once nothing would be lost. */
export class WalletBudgets {
  readonly #options: WalletBudgetsOptions;
  readonly #accounts = new Map<string, WalletAccount>();

  constructor(options: WalletBudgetsOptions) {
    this.#options = options;
  }

  /** When the first hold in a budget counts as usage unless it is renewed; `null` if none does. */
  get firstGoneAt(): number | null {
    const [row] = this.#rows("SELECT min(gone_at) AS at FROM $_reservation WHERE budget <> ''");
    return typeof row?.at === "number" ? row.at : null;
  }

  account(key: string): WalletAccount {
    const known = this.#accounts.get(key);
    if (known !== undefined) return known;
    const account = this.#options.load(key);
    this.#accounts.set(key, account);
    return account;
  }

  /** What work is paid from that was let in before, or has been done: by what its reports name. */
  accountOf(budgets: readonly Pick<ReportedBudget, "key">[] = []): WorkAccount {
    const caps = budgets.map(({ key }) => {
      const account = this.account(key);
      const period = account.period === undefined ? undefined : new Date(account.period).toISOString();
      return { ...unread, key, account, period };
    });
    return cappedAccount(this.#options.wallet, caps);
  }

  /** The budgets in which this work has holds. */
  heldBy(workId: string): readonly { readonly key: string }[] {
    const rows = this.#rows("SELECT budget FROM $_reservation WHERE id = ? AND budget <> ''", workId);
    return rows.map((row) => ({ key: textIn(row, "budget") }));
  }

  /** Turns holds into usage that were abandoned. */
  sweep(): void {
    const others = `SELECT budget FROM $_account WHERE budget <> '' LIMIT ${mostSwept}`;
    const held = "SELECT budget FROM $_reservation WHERE budget <> ''";
    for (const row of this.#rows(`${held} UNION SELECT * FROM (${others})`)) {
      this.account(textIn(row, "budget")).syncUsage();
    }
  }

  /** Deletes those of which nothing would be lost. Not while a decision waits for one. */
  forget(now: number): void {
    for (const [key, account] of this.#accounts) {
      if (!account.idle(now)) continue;
      this.#accounts.delete(key);
      for (const table of ["account", "reservation", "window"])
        this.#rows(`DELETE FROM $_${table} WHERE budget = ?`, key);
    }
  }

  #rows(query: string, ...values: string[]) {
    const { storage, prefix } = this.#options;
    return [...storage.sql.exec(query.replaceAll("$", prefix), ...values)];
  }
}

/** It decides nothing. */
const unread = {
  resetsAt: undefined,
  freshFor: undefined,
  unreadFor: undefined,
  limit: undefined,
  wanted: false,
};
