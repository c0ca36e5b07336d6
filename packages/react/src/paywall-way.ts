import { type Denial, isOfBudget } from "./denial.ts";

/** What a customer can do about a denial: a function that does it, or a link to where it is done. */
export type PaywallAction =
  | { readonly label?: string; readonly run: () => unknown; readonly href?: undefined }
  | { readonly label?: string; readonly href: string; readonly run?: undefined };

/** One of the ways out of a paywall. */
export interface PaywallWay {
  readonly name: string;
  readonly label: string;
  readonly isRecommended: boolean;
  readonly href?: string | undefined;
  readonly run?: (() => unknown) | undefined;
}

const labels: Readonly<Record<string, string>> = {
  top_up: "Top up",
  create_order: "Order a plan",
  upgrade: "Upgrade your plan",
  complete_payment: "Complete the payment",
};

/** None for a budget. First what is recommended, by the action of that name or by the denial's own link; then a top-up. */
export function waysOut(denial: Denial, actions: Readonly<Record<string, PaywallAction>>): PaywallWay[] {
  const { recommendedAction, actionUrl } = denial;
  const ways: PaywallWay[] = [];
  if (isOfBudget(denial)) return ways;
  const add = (name: string, action: PaywallAction) => {
    const { href, run, label = own(labels, name) ?? "Continue" } = action;
    ways.push({ name, label, isRecommended: ways.length === 0 && name === recommendedAction, href, run });
  };
  const recommended = own(actions, recommendedAction);
  if (recommendedAction !== undefined && recommended !== undefined) add(recommendedAction, recommended);
  else if (actionUrl !== undefined) add(recommendedAction ?? "top_up", { href: actionUrl });
  const topUp = own(actions, "top_up");
  if (topUp !== undefined && ways.every(({ name }) => name !== "top_up")) add("top_up", topUp);
  return ways;
}

/** The word comes from outside: it may be `constructor`. */
function own<Value>(record: Readonly<Record<string, Value>>, name: string | undefined): Value | undefined {
  return name !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
