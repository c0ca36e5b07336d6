import type { Account } from "./account.ts";
import { completePayment, order, topUp } from "./actions.ts";
import { amount } from "./amount.ts";
import { plans, topUpCredits } from "./prices.ts";

/** As much of a denial as the page shows. */
export interface Denial {
  readonly title: string;
  readonly required: number;
  readonly available?: number;
  readonly retryable: boolean;
  readonly recommendedAction?: string;
}

export type Action = () => Promise<Account>;

interface Advice {
  readonly text: string;
  readonly label: string;
  readonly act: Action;
}

const { plus, pro } = plans;

function adviceOn(recommendedAction: string | undefined, { pending }: Account): Advice | undefined {
  switch (recommendedAction) {
    case "create_order":
      return {
        text: "You have no plan yet.",
        label: `Order ${plus.name}: ${plus.credits} credits for €${plus.euros}`,
        act: () => order("plus"),
      };
    case "upgrade":
      return {
        text: "Your plan is used up; a larger one goes further.",
        label: `Upgrade to ${pro.name}: ${pro.credits} credits for €${pro.euros}`,
        act: () => order("pro"),
      };
    case "complete_payment":
      return {
        text: `Your order waits for its payment, and ${amount(pending)} credits with it.`,
        label: "Complete the payment",
        act: completePayment,
      };
    default:
      return undefined;
  }
}

/** What to do about a 402: first what the billing service recommends, then what always helps. */
export function Paywall(props: { denial: Denial; account: Account; onAct: (act: Action) => void }) {
  const { denial, account, onAct } = props;
  const { title, required, available = 0, retryable } = denial;
  const advice = adviceOn(denial.recommendedAction, account);
  return (
    <section className="paywall" role="alert">
      <h2>{title}</h2>
      <p>
        An answer may cost <strong>{amount(required)}</strong> credits; you can spend{" "}
        <strong>{amount(available)}</strong>.{" "}
        {retryable ? "Another answer of yours is still being made; ask again when it is done." : advice?.text}
      </p>
      <p className="ways">
        {advice && (
          <button type="button" onClick={() => onAct(advice.act)}>
            {advice.label}
          </button>
        )}
        <button type="button" className={advice && "quiet"} onClick={() => onAct(topUp)}>
          Top up {topUpCredits} credits
        </button>
      </p>
    </section>
  );
}
