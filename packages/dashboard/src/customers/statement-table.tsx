import type { AdminWallet } from "@creditgate/client/admin";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "react-aria-components";
import { useOrganizationId } from "../api/account.ts";
import { InvoiceLink } from "../orders/links.tsx";
import { Badge } from "../parts/badge.tsx";
import { formatChange, formatCount, formatCredits } from "../parts/credits.ts";
import { CsvLink } from "../parts/csv-link.tsx";
import { Failure } from "../parts/failure.tsx";
import { Day, formatDay } from "../parts/time.tsx";
import { ledgerQuery } from "./queries.ts";
import { createStatement, type Statement, type StatementLine } from "./statement.ts";

const names: Readonly<Record<string, string>> = {
  opening: "Opening balance",
  usage: "Usage",
  top_up: "Top-up",
  benefit: "Benefit of an order",
  payment: "Payment",
  period: "Invoice of a period",
  void: "Voided invoice",
  refund: "Refund",
  correction: "Correction",
  credit_note: "Credit note",
};

/** The ledger of a wallet, the newest entry first, with the balance after each. */
export function StatementTable({
  wallet,
  choice,
  numbers,
}: {
  readonly wallet: AdminWallet;
  /** Which wallet it is of, where there are several. */
  readonly choice?: ReactNode;
  /** The numbers of invoices, by their IDs. */
  readonly numbers: ReadonlyMap<string, string>;
}): ReactNode {
  const organizationId = useOrganizationId();
  const { customer_id, credit_currency_key: currency } = wallet;
  const ledger = useInfiniteQuery({
    ...ledgerQuery(organizationId, customer_id, currency),
    refetchInterval: 10_000,
  });
  const hasChoice = choice !== undefined && choice !== false;
  const statement = ledger.data === undefined ? undefined : createStatement(wallet, ledger.data);
  const isWhole = !ledger.hasNextPage && !ledger.isPending;
  const isEmpty = statement?.lines.length === 0 && statement.closing.balance === 0;
  return (
    <section className="section" aria-labelledby="statement">
      <header>
        <h2 id="statement">
          Statement
          <span className={hasChoice ? "unseen" : ""}>
            {" "}
            of <span className="mono">{currency}</span>
          </span>
        </h2>
        {choice}
        {isWhole && statement?.addsUp && statement.lines.length > 0 && (
          <Badge tone="good" icon="check">
            Adds up
          </Badge>
        )}
        <span className="end acts">
          <CsvLink list="ledger" query={{ customer_id, credit_currency_key: currency }} isSmall />
        </span>
      </header>
      {ledger.isError && (
        <Failure
          error={ledger.error}
          what="The statement could not be loaded."
          onRetry={() => void ledger.refetch()}
        />
      )}
      {ledger.isPending && <div className="bone block" />}
      {isEmpty && (
        <p className="quiet small">
          Nothing has happened yet.{" "}
          {wallet.kind === "prepaid" ? "A top-up is the first entry." : "Usage brings the first entry."}
        </p>
      )}
      {statement !== undefined && !isEmpty && (
        <Table wallet={wallet} statement={statement} isWhole={isWhole} numbers={numbers} />
      )}
      {ledger.hasNextPage && (
        <div className="pager">
          <Button
            className="btn sm"
            onPress={() => void ledger.fetchNextPage()}
            isPending={ledger.isFetchingNextPage}
          >
            Older entries
          </Button>
        </div>
      )}
    </section>
  );
}

function Table({
  wallet,
  statement,
  isWhole,
  numbers,
}: {
  readonly wallet: AdminWallet;
  readonly statement: Statement;
  readonly isWhole: boolean;
  readonly numbers: ReadonlyMap<string, string>;
}): ReactNode {
  const { lines, opening, change, closing } = statement;
  const hasPending = closing.pending !== 0 || lines.some(({ pending }) => pending !== 0);
  const meaning =
    wallet.kind === "prepaid" ? "what is available less the overage used" : "what is used in the period";
  return (
    <table>
      <caption className="unseen">Entries, the newest first, in credits. The balance is {meaning}.</caption>
      <thead>
        <tr>
          <th scope="col" className="p1">
            Date
          </th>
          <th scope="col">Entry</th>
          <th scope="col" className="r">
            Change
          </th>
          {hasPending && (
            <th scope="col" className="r p1">
              Pending
            </th>
          )}
          <th scope="col" className="r">
            {wallet.kind === "prepaid" ? "Balance" : "Used"}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Line
            key={line.id}
            line={line}
            hasPending={hasPending}
            isPrepaid={wallet.kind === "prepaid"}
            numbers={numbers}
          />
        ))}
        {(!isWhole || opening.balance !== 0 || opening.pending !== 0) && (
          <tr>
            <td className="p1" />
            <th scope="row" className="quiet">
              {isWhole ? "Carried forward, from months in the archive" : "Before these"}
            </th>
            <td />
            {hasPending && <td className="r p1">{formatCredits(opening.pending)}</td>}
            <td className="r">{formatCredits(opening.balance)}</td>
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr>
          <td className="p1" />
          <th scope="row">{wallet.kind === "prepaid" ? "Balance now" : "Used now"}</th>
          <td className="r">{formatChange(change)}</td>
          {hasPending && <td className="r p1">{formatCredits(closing.pending)}</td>}
          <td className="r">{formatCredits(closing.balance)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

function Line({
  line,
  hasPending,
  isPrepaid,
  numbers,
}: {
  readonly line: StatementLine;
  readonly hasPending: boolean;
  readonly isPrepaid: boolean;
  readonly numbers: ReadonlyMap<string, string>;
}): ReactNode {
  const { cause, reason, entries, from, to, change, pending, balance, invoiceId } = line;
  const details = [
    entries > 1 ? `${formatCount(entries)} reports${span(from, to)}` : undefined,
    reason === null ? undefined : `“${reason}”`,
  ].filter((part) => part !== undefined);
  return (
    <tr>
      <td className="quiet p1">
        <Day at={to} />
      </td>
      <th scope="row">
        {names[cause] ?? cause}
        <span className="sub">
          <span className="phone">
            <Day at={to} />
            {(details.length > 0 || invoiceId !== null) && ", "}
          </span>
          {details.join(", ")}
          {invoiceId !== null && (
            <>
              {details.length > 0 && ", "}
              <InvoiceLink invoice={{ invoiceId, number: numbers.get(invoiceId) ?? "its invoice" }} />
            </>
          )}
        </span>
      </th>
      <td className="r">
        <Amount credits={change} isChange />
      </td>
      {hasPending && (
        <td className="r p1">
          <Amount credits={pending} isChange />
        </td>
      )}
      <td className={isPrepaid && balance < 0 ? "r warn" : "r"}>{formatCredits(balance)}</td>
    </tr>
  );
}

function span(from: string, to: string): string {
  const [first, last] = [formatDay(from), formatDay(to)];
  return first === last ? "" : `, ${first} to ${last}`;
}

/** 0 is quiet. */
function Amount({ credits, isChange }: { readonly credits: number; readonly isChange: boolean }): ReactNode {
  const text = isChange ? formatChange(credits) : formatCredits(credits);
  return credits === 0 ? <span className="zero">{text}</span> : text;
}
