import { Balance, formatCredits } from "@creditgate/react";
import { signIn } from "./actions.ts";

export interface Customer {
  readonly id: string;
  readonly name: string;
}

const held = (credits: number) => (credits === 0 ? "" : `${formatCredits(credits)} held`);

/** Who is signed in, and what is left. */
export function Header(props: { customer: string; customers: readonly Customer[] }) {
  const { customer, customers } = props;
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
          <strong>
            <Balance format={formatCredits} />
          </strong>{" "}
          credits
        </span>
        <small>
          <Balance show="held" format={held} unknown="" />
        </small>
      </p>
    </header>
  );
}
