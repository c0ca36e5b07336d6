import { Badge } from "../parts/badge.tsx";
import { accountWords, type CurrencyBalance } from "./balance.ts";

/** Each account with what was posted to it, by currency, and below each currency what all come to. */
export function BalanceTable({ balances, isOld }: { balances: readonly CurrencyBalance[]; isOld: boolean }) {
  return (
    <table className="balance" aria-busy={isOld}>
      <caption className="unseen">Trial balance by account, in each currency with its sums</caption>
      <thead>
        <tr>
          <th scope="col">Account</th>
          <th scope="col" className="r p1">
            Debit
          </th>
          <th scope="col" className="r p1">
            Credit
          </th>
          <th scope="col" className="r">
            <abbr title="Debit less credit">Balance</abbr>
          </th>
        </tr>
      </thead>
      {balances.map((balance) => (
        <Currency key={balance.currency} balance={balance} />
      ))}
    </table>
  );
}

function Currency({ balance: { currency, accounts, total, addsUp } }: { balance: CurrencyBalance }) {
  return (
    <tbody>
      <tr className="group">
        <th scope="rowgroup" colSpan={4}>
          <span className="mono">{currency}</span>{" "}
          {addsUp ? <Badge tone="good">Adds up</Badge> : <Badge tone="bad">Does not add up</Badge>}
        </th>
      </tr>
      {accounts.map(({ account, ...sums }) => (
        <tr key={account}>
          <th scope="row" className="breaks">
            <span className="mono">{account}</span>
            <span className="sub wide">{accountWords(account)}</span>
            <Narrow debit={sums.debit} credit={sums.credit} />
          </th>
          <Amount className="r p1">{sums.debit}</Amount>
          <Amount className="r p1">{sums.credit}</Amount>
          <Amount className="r">{sums.balance}</Amount>
        </tr>
      ))}
      <tr className="total">
        <th scope="row">
          All accounts
          <Narrow debit={total.debit} credit={total.credit} />
        </th>
        <td className="r p1">{total.debit}</td>
        <td className="r p1">{total.credit}</td>
        <td className="r">{total.balance}</td>
      </tr>
    </tbody>
  );
}

/** On a phone there is no room for three columns of amounts. */
function Narrow({ debit, credit }: { readonly debit: string; readonly credit: string }) {
  return (
    <span className="sub phone">
      {debit} debit
      <br />
      {credit} credit
    </span>
  );
}

function Amount({ className, children }: { className: string; children: string }) {
  return (
    <td className={className}>
      <span className={/[1-9]/.test(children) ? "" : "zero"}>{children}</span>
    </td>
  );
}
