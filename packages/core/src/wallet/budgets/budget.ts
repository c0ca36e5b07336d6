import { budgetRules } from "@creditgate/client";
import { invalidOption } from "../../values/option.ts";

/** A cap on what one run of an agent may spend, in this process: it needs no service, and ends with the process as the run does. */
export interface RunBudget {
  /** Credits. */
  readonly limit: number;
  /** Credits held for work in flight. */
  readonly held: number;
  /** Credits of work done. */
  readonly spent: number;
}

/** What a piece of work must stay within beside the wallet: the key of a budget at the service, or a run's own. */
export type Budget = string | RunBudget;

/** Budgets of a customer to ask the service for: keys by currency. */
export type BudgetKeys = Readonly<Record<string, readonly string[]>>;

/** A budget as a report names it. */
export interface ReportedBudget {
  readonly key: string;
  /** The instant at which the newest period began that was known when the report was written. */
  readonly period?: string | undefined;
}

/** A budget as the gate sees it. Amounts are credits. */
export interface GateBudget {
  readonly limit: number;
  /** What the service has counted in its present period. */
  readonly used: number;
  /** Held for work in flight. */
  readonly held: number;
  /** For work done that `used` may not show yet. */
  readonly unconfirmed: number;
  /** When its next period begins, in ISO 8601. */
  readonly resetsAt?: string;
}

/** A budget that has no room for a request. Amounts are credits. */
export interface DeniedBudget {
  /** Absent: the budget of a run. */
  readonly key?: string;
  /** Absent if the service has no budget of this key. */
  readonly limit?: number;
  /** What could still be spent, all work in flight and not yet settled counted. */
  readonly left: number;
  /** When its next period begins, in ISO 8601; absent where it has none. */
  readonly resetsAt?: string;
}

/** The budgets, each once; `undefined` for none. */
export function checkBudgets(budgets: readonly Budget[]): readonly Budget[] | undefined {
  if (!Array.isArray(budgets)) invalidOption("budgets", "an array of keys and run budgets", budgets);
  const named: Budget[] = [];
  for (const budget of budgets) {
    if (named.includes(budget)) continue;
    const isKey = typeof budget === "string" && budgetRules.key.test(budget);
    if (!isKey && (typeof budget !== "object" || budget === null)) invalidOption("budgets", keyShape, budget);
    named.push(budget);
    if (named.length > budgetRules.inReport)
      invalidOption("budgets", `at most ${budgetRules.inReport}`, budgets);
  }
  return named.length > 0 ? named : undefined;
}

const keyShape = "a key of 1 to 128 letters, digits, . _ : and -, or a budget of createRunBudget()";

/** Throws an `invalid_option` error for budgets that the work was not let in with: it cannot be held back by them any more. */
export function checkSameBudgets(budgets: readonly Budget[] = [], known: readonly Budget[] = []): void {
  if (budgets.every((budget) => known.includes(budget))) return;
  invalidOption("budgets", "those of the gate that let this request in, or some of them", budgets);
}
