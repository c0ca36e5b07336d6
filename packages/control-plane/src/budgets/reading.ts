import type { Json } from "../http/json.ts";

/** Budgets to be read: the keys of each currency. */
export type AskedBudgets = Readonly<Record<string, readonly string[]>>;

/** A budget as `budgets_at` reads it, in JSON. */
export interface BudgetReading {
  readonly currency: string;
  readonly key: string;
  /** Micro-credits, as text; `null`: it only warns. */
  readonly credit_limit: string | null;
  readonly used: string;
  readonly unsettled: string;
  readonly period: string;
  readonly resets_at: string | null;
}

/** The budgets of an answer, by currency and key: those that there are. */
export function budgetsOf(asked: AskedBudgets, readings: readonly BudgetReading[]): Json {
  const found = new Map(Object.keys(asked).map((currency) => [currency, new Map<string, Json>()]));
  for (const { currency, key, ...reading } of readings) found.get(currency)?.set(key, entryOf(reading));
  return found;
}

function entryOf({
  credit_limit,
  used,
  unsettled,
  period,
  resets_at,
}: Omit<BudgetReading, "currency" | "key">): Json {
  return {
    limit: credit_limit === null ? null : BigInt(credit_limit),
    used: BigInt(used),
    unsettled: BigInt(unsettled),
    period: instant(period),
    resets_at: resets_at === null ? null : instant(resets_at),
  };
}

function instant(text: string): string {
  return new Date(text).toISOString();
}
