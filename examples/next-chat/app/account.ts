import { agentId, client, currency } from "./billing.ts";
import { signedIn } from "./session.ts";

/** What the page shows of a customer. */
export interface Account {
  readonly credits: number;
  /** Credits that come once an open payment is complete. */
  readonly pending: number;
  /** As the subscription endpoint says: `no_order`, `payment_due`, `exhausted` or `active`. */
  readonly state: string;
  /** Such as `upgrade`; `none` where there is nothing to do. */
  readonly recommendedAction: string;
}

export async function readAccount(): Promise<Account> {
  const customer = await signedIn();
  const [{ balances }, { state, recommendedAction }] = await Promise.all([
    client.wallets.balance(customer),
    client.customers.subscription(customer, { agentId }),
  ]);
  const { available = 0, pending = 0 } = balances[currency] ?? {};
  return {
    credits: available,
    pending,
    state: String(state),
    recommendedAction: String(recommendedAction),
  };
}
