"use client";

import type { ReactElement, ReactNode } from "react";
import { formatCredits, formatInstant } from "./amount.ts";
import { useCredits } from "./credits-provider.tsx";
import type { BudgetSnapshot } from "./credits-snapshot.ts";

/** What {@link Budget} shows, and how. */
export interface BudgetProps {
  /** Its key, such as `member:42`: one that `creditsRoute()` serves. */
  readonly budget: string;
  /** @default what is used of the limit, and when it resets, in UTC */
  readonly format?: (budget: BudgetSnapshot) => ReactNode;
  /** In place of a budget that is not known. @default "–" */
  readonly unknown?: string;
  /** @default "creditgate-budget" */
  readonly className?: string;
}

/** A budget of the customer in a `<span>`, with the `state` as `data-state`, for style sheets. */
export function Budget({
  budget,
  format = formatBudget,
  unknown = "–",
  className = "creditgate-budget",
}: BudgetProps): ReactElement {
  const { state, budgets } = useCredits();
  const shown = Object.hasOwn(budgets, budget) ? budgets[budget] : undefined;
  return (
    <span className={className} data-state={state}>
      {shown === undefined ? unknown : format(shown)}
    </span>
  );
}

function formatBudget({ limit, used, resetsAt }: BudgetSnapshot): string {
  const share = `${formatCredits(used)} of ${formatCredits(limit)} credits used`;
  return resetsAt === undefined ? share : `${share}, resets ${formatInstant(resetsAt)}`;
}
