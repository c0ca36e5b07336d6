import type { Account } from "./account.ts";
import { signIn } from "./actions.ts";
import { amount } from "./amount.ts";

export interface Customer {
  readonly id: string;
  readonly name: string;
}

const states: Readonly<Record<string, string>> = {
  no_order: "no plan",
  payment_due: "payment open",
  exhausted: "plan used up",
  active: "on a plan",
};

/** Who is signed in, and what is left. It says nothing aloud by itself: it changes with every word of an answer. */
export function Header(props: { customer: string; customers: readonly Customer[]; account: Account }) {
  const { customer, customers, account } = props;
  return (
    <header>
      <h1>Next chat</h1>
      <form className="customers" action={signIn}>
        <fieldset>
          <legend>Signed in as</legend>
          {customers.map(({ id, name }) => (
            <button key={id} type="submit" name="customer" value={id} aria-pressed={id === customer}>
              {name}
            </button>
          ))}
        </fieldset>
      </form>
      <p className="balance">
        <span>
          <span className="unseen">Balance </span>
          <strong>{amount(account.credits)}</strong> credits
        </span>
        <small>{states[account.state] ?? account.state}</small>
      </p>
    </header>
  );
}
