"use client";

import type { ReactElement } from "react";
import { formatCredits } from "./amount.ts";
import { useCredits } from "./credits-provider.tsx";

/** What {@link Balance} shows, and how. */
export interface BalanceProps {
  /** @default "balance" */
  readonly show?: "balance" | "held" | "available";
  /** An amount in words. @default two decimals, rounded down, and "credits" */
  readonly format?: (credits: number) => string;
  /** In place of an amount without a limit. @default "unlimited" */
  readonly unlimited?: string;
  /** In place of an amount that is not known. @default "–" */
  readonly unknown?: string;
  /** @default "creditgate-balance" */
  readonly className?: string;
}

/** The balance in a `<span>`, with its `state` as `data-state`, for style sheets. */
export function Balance({
  show = "balance",
  format = (credits) => `${formatCredits(credits)} credits`,
  unlimited = "unlimited",
  unknown = "–",
  className = "creditgate-balance",
}: BalanceProps): ReactElement {
  const { state, [show]: amount } = useCredits();
  let text = unknown;
  if (amount === Number.POSITIVE_INFINITY) text = unlimited;
  else if (amount !== undefined) text = format(amount);
  return (
    <span className={className} data-state={state}>
      {text}
    </span>
  );
}
