import { currency } from "./demo.ts";
import type { Scene } from "./scene.ts";

/** A customer's wallet by its usage, its statement and its balance, in credits; what is owed is negative. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly used: number;
  readonly used30: number;
  readonly usedThisMonth: number;
  readonly debited: number;
  readonly entries: number;
  readonly balance: number;
}

/** What the API returns about the demo organisation. */
export interface Books {
  readonly accounts: readonly Account[];
  /** Of the 30 days of the overview. */
  readonly agents: readonly { readonly name: string; readonly credits: number }[];
  readonly total: { readonly reports: number; readonly credits: number };
}

export async function readBooks({ admin, plane }: Scene): Promise<Books> {
  const [usage, entries, customers] = await Promise.all([
    all(admin.usage.all()),
    all(admin.ledger.all({ creditCurrencyKey: currency })),
    all(admin.customers.all()),
  ]);
  const { from, series } = await admin.overview.usage({ by: "agent", creditCurrencyKey: currency });
  const month = new Date().toISOString().slice(0, 7);
  const accounts = await Promise.all(
    customers.map(async ({ externalId: id, name }) => {
      const own = usage.filter(({ customerId }) => customerId === id);
      const statement = entries.filter(({ customerId }) => customerId === id);
      const { [currency]: wallet } = await plane.balance(id);
      const change = (rows: typeof statement) =>
        sum(rows.map((row) => row.available - row.overageUsed - row.postpaidUsed));
      const credits = (since: string) =>
        sum(own.filter(({ receivedAt }) => receivedAt >= since).map((report) => report.credits ?? 0));
      return {
        ...{ id, name, used: credits(""), used30: credits(from), usedThisMonth: credits(month) },
        debited: -change(statement.filter(({ cause }) => cause === "usage")) + 0,
        entries: change(statement),
        balance: sum([wallet?.available ?? 0, -(wallet?.overage_used ?? 0), -(wallet?.postpaid_used ?? 0)]),
      };
    }),
  );
  const recent = usage.filter(({ receivedAt }) => receivedAt >= from);
  const creditsOf = (reports: typeof usage) => sum(reports.map(({ credits }) => credits ?? 0));
  return {
    accounts,
    agents: series.map(({ id, name }) => ({
      name,
      credits: creditsOf(recent.filter(({ agentId }) => agentId === id)),
    })),
    total: { reports: recent.length, credits: creditsOf(recent) },
  };
}

/** Exact to the micro-credit. */
export function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + Math.round(amount * 1e6), 0) / 1e6;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
