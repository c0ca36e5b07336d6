import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { type DaySpan, instantsOf, keyOf } from "../parts/address.ts";
import { Empty, Loaded } from "../parts/listing.tsx";
import { Page } from "../parts/page.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { formatDay } from "../parts/time.tsx";
import { CsvLink, DaySpanFilter, Filter } from "../parts/toolbar.tsx";
import { balancesOf } from "./balance.ts";
import { BalanceTable } from "./balance-table.tsx";
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
          In double entry, made of invoices, credit notes and the ledger when it is asked for.
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
              <Empty title="Nothing was posted on these days">
                {journal === "money"
                  ? "Invoices, their payment, voids and credit notes are posted by themselves."
                  : "Top-ups, orders, usage and all else that changes a wallet are posted by themselves."}
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
        options={period === undefined ? [...options, { value: "days", label: "These days" }] : options}
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
    ? `All that was posted from the beginning${until}: the balances are what the accounts stand at.`
    : `Posted from ${formatDay(from)}${until || " on"}, by UTC: the balances are what the accounts changed by.`;
}
