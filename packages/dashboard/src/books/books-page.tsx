import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useOrganizationId } from "../api/query.ts";
import { type DaySpan, instantsOf, keyOf } from "../parts/address.ts";
import { Badge } from "../parts/badge.tsx";
import { Page } from "../parts/page.tsx";
import { Empty, Loaded } from "../parts/table.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { formatDay } from "../parts/time.tsx";
import { CsvLink, DaySpanFilter, Filter } from "../parts/toolbar.tsx";
import { accountWords, balancesOf, type CurrencyBalance } from "./balance.ts";
import { balanceQuery, bookPeriods, daysOf, periodOf } from "./queries.ts";

const route = "/shell/organizations/$organizationId/books";

/** The journals of money and of credits, in double entry: what they come to, and their files. */
export function BooksPage() {
  const organizationId = useOrganizationId();
  const search = useSearch({ from: route });
  const [now] = useState(() => new Date());
  const { show, ...rest } = search;
  const days = daysOf(search, now);
  const journal = show ?? "money";
  const balance = useQuery(balanceQuery(organizationId, { journal, ...instantsOf(days) }));
  return (
    <Page
      title="Books"
      facts={
        <p className="quiet small">
          Double-entry journals, computed from invoices, credit notes and the ledger.
        </p>
      }
    >
      <Tabs
        label="Journals"
        shown={show}
        kept={rest}
        tabs={[
          { show: undefined, name: "Money" },
          { show: "credits", name: "Credits" },
        ]}
      />
      <section className="section" aria-label="Trial balance">
        <Toolbar days={days} journal={journal} />
        <p className="quiet small">{words(days)}</p>
        <Loaded query={balance} failure="The trial balance could not be loaded.">
          {(known) =>
            known.accounts.length === 0 ? (
              <Empty
                title="No postings in this period"
                action={
                  periodOf(search) !== "all" && (
                    <Link className="btn" to="." search={{ ...(show && { show }), period: "all" }}>
                      Show all time
                    </Link>
                  )
                }
              >
                {journal === "money"
                  ? "Invoices, payments, voids and credit notes are posted automatically."
                  : "Top-ups, orders, usage and every other change of a wallet are posted automatically."}
              </Empty>
            ) : (
              <BalanceTable balances={balancesOf(known)} isOld={balance.isPlaceholderData} />
            )
          }
        </Loaded>
      </section>
    </Page>
  );
}

function Toolbar({ days, journal }: { days: DaySpan; journal: "money" | "credits" }) {
  const search = useSearch({ from: route });
  const navigate = useNavigate({ from: "/organizations/$organizationId/books" });
  const period = periodOf(search);
  const kept = search.show === undefined ? {} : { show: search.show };
  const options = Object.entries(bookPeriods).map(([value, label]) => ({ value, label }));
  return (
    <div className="toolbar">
      <Filter
        label="Period"
        value={period ?? "days"}
        options={period === undefined ? [...options, { value: "days", label: "Custom" }] : options}
        onChange={(chosen) => {
          const known = keyOf(bookPeriods, chosen);
          if (known !== undefined) void navigate({ search: { ...kept, period: known }, replace: true });
        }}
      />
      <DaySpanFilter
        label="Posted"
        span={days}
        onChange={({ from, to }) =>
          void navigate({
            search: {
              ...kept,
              // Without days there would be the usual period again.
              ...(from === undefined && to === undefined ? { period: "all" } : {}),
              ...(from === undefined ? {} : { from }),
              ...(to === undefined ? {} : { to }),
            },
            replace: true,
          })
        }
      />
      <div className="end">
        <CsvLink list={`books/${journal}`} of={`the journal of ${journal}`} query={instantsOf(days)} />
      </div>
    </div>
  );
}

function words({ from, to }: DaySpan): string {
  const until = to === undefined ? "" : ` to ${formatDay(to)}`;
  return from === undefined
    ? `All postings${until}. Balances are the accounts’ current state.`
    : `Postings from ${formatDay(from)}${until || " on"}, UTC. Balances are the change in this period.`;
}

/** Each account with what was posted to it, by currency, and below each currency what all come to. */
function BalanceTable({ balances, isOld }: { balances: readonly CurrencyBalance[]; isOld: boolean }) {
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
          {addsUp ? <Badge tone="good">Balanced</Badge> : <Badge tone="bad">Unbalanced</Badge>}
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
          Total
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
