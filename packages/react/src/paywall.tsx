"use client";

import { type ReactElement, type ReactNode, useEffect, useRef, useState } from "react";
import { formatCredits, formatInstant } from "./amount.ts";
import { useCredits } from "./credits-provider.tsx";
import { type Denial, isOfBudget } from "./denial.ts";
import { type PaywallAction, type PaywallWay, waysOut } from "./paywall-way.ts";

/** What {@link Paywall} offers, and how it says it. */
export interface PaywallProps {
  /**
   * What a customer can do, by the word with which the billing service recommends it; what it recommends comes first, and
   * `top_up` always helps.
   */
  readonly actions?: Readonly<Record<string, PaywallAction>>;
  /** @default that of `useCredits()` */
  readonly denial?: Denial | undefined;
  /** @default "You are out of credits", or "You have no credits yet" without a wallet, or "Your limit is reached" of a budget */
  readonly title?: (denial: Denial) => ReactNode;
  /** What stands below the title. @default what the request needs, and what there is */
  readonly describe?: (denial: Denial) => ReactNode;
  /** Said when an action has failed. @default "That has not worked. Try again." */
  readonly failed?: string;
  /** @default "creditgate-paywall" */
  readonly className?: string;
}

/**
 * Why the last request was not let in, and what to do about it; nothing while there is no denial. An action that runs is
 * awaited, and then the balance is read again: where it suffices the paywall is gone.
 */
export function Paywall(props: PaywallProps): ReactElement | null {
  const { actions = {}, title = titled, describe = described } = props;
  const { failed = "That has not worked. Try again." } = props;
  const credits = useCredits();
  const denial = props.denial ?? credits.denial;
  const [acting, setActing] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const mounted = useRef(true);
  const running = useRef(false);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  if (denial === undefined) return null;

  async function run(action: () => unknown): Promise<void> {
    // Two clicks are one payment.
    if (running.current) return;
    running.current = true;
    setActing(true);
    setFailed(false);
    let succeeded = true;
    try {
      await action();
    } catch {
      succeeded = false;
    }
    await credits.invalidate();
    running.current = false;
    if (!mounted.current) return;
    setActing(false);
    setFailed(!succeeded);
  }

  return (
    <section className={props.className ?? "creditgate-paywall"} role="alert" aria-busy={acting}>
      <h2>{title(denial)}</h2>
      <p>{describe(denial)}</p>
      <p>
        {waysOut(denial, actions).map((way) => (
          <Way key={way.name} way={way} acting={acting} onRun={run} />
        ))}
      </p>
      {hasFailed && <p data-failed="">{failed}</p>}
    </section>
  );
}

function Way(props: {
  way: PaywallWay;
  acting: boolean;
  onRun: (action: () => unknown) => void;
}): ReactElement {
  const { name, label, isRecommended, href, run } = props.way;
  const marks = { "data-action": name, ...(isRecommended && { "data-recommended": "" }) };
  if (run === undefined) {
    return (
      <a {...marks} href={href}>
        {label}
      </a>
    );
  }
  return (
    // Not disabled: the focus would fall to the page, and a screen reader would announce nothing.
    <button
      {...marks}
      type="button"
      aria-disabled={props.acting || undefined}
      onClick={() => props.onRun(run)}
    >
      {label}
    </button>
  );
}

/** The title of the denial itself is for the developers of the application. */
function titled(denial: Denial): ReactNode {
  if (isWithoutWallet(denial)) return "You have no credits yet";
  if (denial.code === "budget_unknown") return "You have no limit yet";
  if (isOfBudget(denial)) return denial.retryable ? "Your limit is in use" : "Your limit is reached";
  return denial.retryable ? "Your credits are in use" : "You are out of credits";
}

function described(denial: Denial): ReactNode {
  if (isWithoutWallet(denial)) return "This needs credits.";
  if (isOfBudget(denial)) return describedBudget(denial);
  const { required, available, retryable } = denial;
  const needed = `This needs ${formatCredits(required)} credits`;
  const left = available === undefined ? "." : `; you have ${formatCredits(Math.max(0, available))} left.`;
  return needed + left + (retryable ? " Try again when your other requests have finished." : "");
}

function describedBudget({ code, required, retryable, budget = {} }: Denial): string {
  if (code === "budget_unknown") return "Ask an administrator to set one.";
  const { key, limit, left, resetsAt } = budget;
  const known = limit !== undefined && left !== undefined;
  return [
    `This needs ${formatCredits(required)} credits${known ? `; ${formatCredits(left)} of your ${formatCredits(limit)} are left` : ""}.`,
    ...(resetsAt === undefined ? [] : [`Your limit resets ${formatInstant(resetsAt)}.`]),
    ...(retryable ? ["Try again when your other requests have finished."] : []),
    // The limit of a run is the application's.
    ...(key === undefined || retryable ? [] : ["Ask an administrator to raise it."]),
  ].join(" ");
}

/** Who has none of a currency, or is not known to the billing service yet, has never had credits. */
function isWithoutWallet({ code }: Denial): boolean {
  return code === "wallet_missing" || code === "customer_unknown";
}
