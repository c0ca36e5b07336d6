"use client";

import type { ReactElement, ReactNode } from "react";
import { formatCredits, formatDay } from "./amount.ts";
import { useCredits } from "./credits-provider.tsx";
import type { ExpiringCredits } from "./credits-snapshot.ts";

/** What {@link Balance} shows, and how. */
export interface BalanceProps {
  /** @default "balance" */
  readonly show?: "balance" | "held" | "available";
  /** An amount in words. @default two decimals, rounded down, and "credits" */
  readonly format?: (credits: number) => string;
  /**
   * What of the amount expires next, beside it; `null` shows nothing. Not called if nothing expires, nor for `held`.
   * @default the credits and their day, in UTC
   */
  readonly formatExpiring?: (next: ExpiringCredits, all: readonly ExpiringCredits[]) => ReactNode;
  /** In place of an amount without a limit. @default "unlimited" */
  readonly unlimited?: string;
  /** In place of an amount that is not known. @default "–" */
  readonly unknown?: string;
  /** @default "creditgate-balance" */
  readonly className?: string;
}

/**
 * The balance in a `<span>`, with its `state` as `data-state`, for style sheets; in it, in another with `data-expiring`, what expires
 * next.
 */
export function Balance({
  show = "balance",
  format = (credits) => `${formatCredits(credits)} credits`,
  formatExpiring = ({ credits, at }) => `${formatCredits(credits)} of these expire on ${formatDay(at)}`,
  unlimited = "unlimited",
  unknown = "–",
  className = "creditgate-balance",
}: BalanceProps): ReactElement {
  const { state, expiring, [show]: amount } = useCredits();
  let text = unknown;
  if (amount === Number.POSITIVE_INFINITY) text = unlimited;
  else if (amount !== undefined) text = format(amount);
  const [next] = expiring;
  // Of what is shown: accepted usage may have spent the rest of it already.
  const credits = show === "held" ? 0 : Math.min(next?.credits ?? 0, amount ?? 0);
  const note = next && credits > 0 ? formatExpiring({ ...next, credits }, expiring) : null;
  return (
    <span className={className} data-state={state}>
      {text}
      {note != null && <span data-expiring="">{note}</span>}
    </span>
  );
}
