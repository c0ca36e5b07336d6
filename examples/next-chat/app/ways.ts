import { type PaywallAction, useCredits } from "@creditgate/react";
import { completePayment, order, topUp } from "./actions.ts";
import { type Plan, plans, topUpCredits } from "./prices.ts";

const labelOf = ({ name, credits, euros }: (typeof plans)[Plan]) =>
  `${name}: ${credits} credits for €${euros}`;

/** What a customer can do about a 402, by the word with which the billing service recommends it. */
export function useWays(): Readonly<Record<string, PaywallAction>> {
  const { denial, setDenial } = useCredits();
  /** An order waits for its payment, which is then what is recommended. */
  async function take(plan: Plan): Promise<void> {
    const recommendedAction = await order(plan);
    if (denial) setDenial({ ...denial, recommendedAction });
  }
  return {
    create_order: { label: `Order ${labelOf(plans.plus)}`, run: () => take("plus") },
    upgrade: { label: `Upgrade to ${labelOf(plans.pro)}`, run: () => take("pro") },
    complete_payment: { label: "Complete the payment", run: completePayment },
    top_up: { label: `Top up ${topUpCredits} credits`, run: topUp },
  };
}
