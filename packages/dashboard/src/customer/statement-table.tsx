import type { AdminWallet } from "@creditgate/admin";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "react-aria-components";
import { useOrganizationId } from "../api/query.ts";
import { ledgerQuery } from "../customers/queries.ts";
import { formatChange, formatCount, formatCredits } from "../parts/amounts.ts";
import { Badge } from "../parts/badge.tsx";
import { InvoiceLink } from "../parts/links.tsx";
import { Section } from "../parts/page.tsx";
import { Amount, bone, Empty, Loaded, Table } from "../parts/table.tsx";
import { Day, formatDay } from "../parts/time.tsx";
import { CsvLink } from "../parts/toolbar.tsx";
import { createStatement, type Statement, type StatementLine } from "./statement.ts";

const names: Readonly<Record<string, string>> = {
  opening: "Opening balance",
  usage: "Usage",
  top_up: "Top-up",
  benefit: "Order credits",
  payment: "Payment",
  period: "Period invoice",
  void: "Voided invoice",
  refund: "Refund",
  correction: "Correction",
  credit_note: "Credit note",
  grant: "Grant",
  expiry: "Expiry",
};

interface StatementTableProps {
  readonly wallet: AdminWallet;
  /** Chooses the wallet, if there are several. */
  readonly choice?: ReactNode;
  /** The numbers of invoices, by their IDs. */
  readonly numbers: ReadonlyMap<string, string>;
  /** The button that tops up. */
  readonly topUp: ReactNode;
}

/** The ledger of a wallet, the newest entry first, with the balance after each. */
export function StatementTable({ wallet, choice, numbers, topUp }: StatementTableProps) {
  const organizationId = useOrganizationId();
  const { customerId, creditCurrencyKey: currency } = wallet;
  const ledger = useInfiniteQuery({
    ...ledgerQuery(organizationId, customerId, currency),
    refetchInterval: 10_000,
  });
  const hasChoice = choice !== undefined && choice !== false;
  const statement = ledger.data === undefined ? undefined : createStatement(wallet, ledger.data);
  const isWhole = !ledger.hasNextPage && !ledger.isPending;
  return (
    <Section
      id="statement"
      title={
        <>
          Statement
          <span className={hasChoice ? "unseen" : ""}>
            {" "}
            of <span className="mono">{currency}</span>
          </span>
        </>
      }
      end={
        <>
          {choice}
          {isWhole && statement?.addsUp && statement.lines.length > 0 && <Badge tone="good">Balanced</Badge>}
          <CsvLink list="ledger" query={{ customerId, creditCurrencyKey: currency }} isSmall />
        </>
      }
    >
      <Loaded
        query={{ ...ledger, data: statement }}
        failure="The statement could not be loaded."
        pending={bone}
      >
        {(known) =>
          known.lines.length === 0 && known.closing.balance === 0n ? (
            <Empty title="No entries yet" action={wallet.kind === "prepaid" && topUp}>
              Each change of the wallet is an entry.{" "}
              {wallet.kind === "prepaid" ? "Top it up to begin." : "Usage brings the first one."}
            </Empty>
          ) : (
            <Lines wallet={wallet} statement={known} isWhole={isWhole} numbers={numbers} />
          )
        }
      </Loaded>
      {ledger.hasNextPage && (
        <div className="pager">
          <Button
            className="btn sm"
            onPress={() => void ledger.fetchNextPage()}
            isPending={ledger.isFetchingNextPage}
          >
            Load older entries
          </Button>
        </div>
      )}
    </Section>
  );
}

interface LinesProps {
  readonly wallet: AdminWallet;
  readonly statement: Statement;
  readonly isWhole: boolean;
  readonly numbers: ReadonlyMap<string, string>;
}

function Lines({ wallet, statement, isWhole, numbers }: LinesProps) {
  const { lines, opening, change, closing } = statement;
  const isPrepaid = wallet.kind === "prepaid";
  const hasPending = closing.pending !== 0n || lines.some(({ pending }) => pending !== 0n);
  const sums = ({ balance, pending }: Statement["opening"]) => (
    <>
      {hasPending && <td className="r p1">{formatCredits(pending)}</td>}
      <td className="r">{formatCredits(balance)}</td>
    </>
  );
  const isOpened = !isWhole || opening.balance !== 0n || opening.pending !== 0n;
  return (
    <Table
      caption={`Entries, the newest first, in credits. The balance is ${
        isPrepaid ? "what is available less the overage used" : "what is used in the period"
      }.`}
      columns={(column) => [
        column("Date", { from: 1, look: "quiet" }, ({ to }) => <Day at={to} />),
        column("Entry", { isName: true }, (line) => <Entry line={line} numbers={numbers} />),
        column("Change", { isNumber: true }, (line) => <Amount of={line.change} format={formatChange} />),
        hasPending &&
          column("Pending", { isNumber: true, from: 1 }, ({ pending }) => (
            <Amount of={pending} format={formatChange} />
          )),
        column(
          isPrepaid ? "Balance" : "Used",
          { isNumber: true, look: ({ balance }) => (isPrepaid && balance < 0 ? "warn" : "") },
          ({ balance }) => formatCredits(balance),
        ),
      ]}
      rows={lines}
      idOf={({ id }) => id}
      last={
        isOpened && (
          <tr>
            <td className="p1" />
            <th scope="row" className="quiet">
              {isWhole ? "Opening balance, from archived months" : "Earlier entries"}
            </th>
            <td />
            {sums(opening)}
          </tr>
        )
      }
      foot={
        <tr>
          <td className="p1" />
          <th scope="row">{isPrepaid ? "Current balance" : "Currently used"}</th>
          <td className="r">{formatChange(change)}</td>
          {sums(closing)}
        </tr>
      }
    />
  );
}

/** What an entry is, and why it was made. */
function Entry({
  line: { cause, reason, entries, from, to, invoiceId },
  numbers,
}: {
  readonly line: StatementLine;
  readonly numbers: ReadonlyMap<string, string>;
}) {
  const details = [
    entries > 1 ? `${formatCount(entries)} reports${span(from, to)}` : undefined,
    reason === null ? undefined : `“${reason}”`,
  ].filter((part) => part !== undefined);
  return (
    <>
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
    </>
  );
}

function span(from: string, to: string): string {
  const [first, last] = [formatDay(from), formatDay(to)];
  return first === last ? "" : `, ${first} to ${last}`;
}
