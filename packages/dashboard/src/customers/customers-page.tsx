import type { AdminCustomer } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useMay, useOrganizationId } from "../api/account.ts";
import { formatCredits } from "../parts/amounts.ts";
import { Badge, Fine } from "../parts/badge.tsx";
import { TextButton } from "../parts/button.tsx";
import { Failure } from "../parts/failure.tsx";
import { Bones, Empty, Pager } from "../parts/listing.tsx";
import { Page } from "../parts/page.tsx";
import { Amount, Table } from "../parts/table.tsx";
import { CsvLink, Filter, FilterPlace, SearchBox, useFilters } from "../parts/toolbar.tsx";
import { CustomerDialog } from "./customer-dialog.tsx";
import { currenciesQuery, customersQuery } from "./queries.ts";
import { readWallet, tones } from "./wallet.ts";
import { ZeroLine, ZeroLineLegend } from "./zero-line.tsx";

const route = "/shell/organizations/$organizationId/customers";

export function CustomersPage() {
  const organizationId = useOrganizationId();
  const { search, wallet, cursor } = useSearch({ from: route });
  const { move } = useFilters();
  const [isCreating, setIsCreating] = useState(false);
  const mayChange = useMay("money");
  const customers = useQuery(customersQuery({ organizationId, search, cursor }));
  const known = useQuery(currenciesQuery(organizationId));
  const currencies = known.data ?? [];
  const currency = wallet ?? currencies[0]?.credit_currency_key;
  // Without the currency the table would show that no customer has a wallet, and would be of other widths.
  const isPending = customers.isPending || known.isPending;
  const found = customers.data?.customers ?? [];
  return (
    <Page
      title="Customers"
      actions={
        <>
          <CsvLink list="customers" query={{ search }} />
          {mayChange && (
            <TextButton
              text="New customer"
              look="primary"
              icon="plus"
              data-key="n"
              onPress={() => setIsCreating(true)}
            />
          )}
        </>
      }
    >
      <div className="section">
        <Toolbar currency={currency} currencies={known.data?.map((one) => one.credit_currency_key)} />
        {!isPending && found.length > 0 && <ZeroLineLegend />}
      </div>
      {customers.isError && (
        <Failure
          error={customers.error}
          what="The customers could not be loaded."
          onRetry={() => void customers.refetch()}
        />
      )}
      {isPending && <Bones />}
      {customers.isSuccess && found.length === 0 && (
        <Empty title={search === undefined ? "No customers yet" : "No customer is found"}>
          {search === undefined && cursor === undefined
            ? "Customers come here when you create them, or when your application does, by the API."
            : "The search looks for the beginnings of words in name, ID and email."}
        </Empty>
      )}
      {!isPending && found.length > 0 && (
        <>
          <Customers customers={found} currency={currency} isOld={customers.isPlaceholderData} />
          <Pager cursor={cursor} next={customers.data?.next} onMove={move} />
        </>
      )}
      {isCreating && <CustomerDialog onClose={() => setIsCreating(false)} />}
    </Page>
  );
}

function Toolbar({
  currency,
  currencies,
}: {
  readonly currency: string | undefined;
  /** Absent until they are known. */
  readonly currencies: readonly string[] | undefined;
}) {
  const { search } = useSearch({ from: route });
  const { set } = useFilters();
  const navigate = useNavigate({ from: "/organizations/$organizationId/customers" });
  return (
    <div className="toolbar">
      <SearchBox label="Name, ID or email" value={search} onChange={(text) => set({ search: text })} />
      {currencies === undefined && <FilterPlace />}
      {currencies !== undefined && currencies.length > 0 && (
        <Filter
          label="Wallet"
          value={currency}
          options={currencies.map((one) => ({ value: one, label: one }))}
          // The part of the list stays.
          onChange={(chosen) =>
            void navigate({ search: (before) => ({ ...before, wallet: chosen }), replace: true })
          }
        />
      )}
    </div>
  );
}

/** What the columns show of a customer: its wallet in the chosen currency. */
function shownOf(customer: AdminCustomer, currency: string | undefined) {
  const wallet = customer.wallets.find(({ credit_currency_key }) => credit_currency_key === currency);
  const others = customer.wallets.length - (wallet === undefined ? 0 : 1);
  return { ...customer, wallet, reading: wallet && readWallet(wallet), others };
}

interface CustomersProps {
  readonly customers: readonly AdminCustomer[];
  readonly currency: string | undefined;
  readonly isOld: boolean;
}

function Customers({ customers, currency, isOld }: CustomersProps) {
  const organizationId = useOrganizationId();
  return (
    <Table
      look="rows"
      caption={`Customers by ID, with their wallets in ${currency ?? "no currency"}`}
      rows={customers.map((customer) => shownOf(customer, currency))}
      idOf={({ externalId }) => externalId}
      isOld={isOld}
      columns={[
        {
          header: "Customer",
          isName: true,
          cell: ({ externalId, name, wallet, reading }) => (
            <>
              <Link
                className="cover"
                to="/organizations/$organizationId/customers/$customerId"
                params={{ organizationId, customerId: externalId }}
                search={wallet === undefined ? {} : { wallet: wallet.credit_currency_key }}
              >
                {name}
              </Link>
              <span className="sub mono">{externalId}</span>
              {reading !== undefined && reading.nearness !== "fine" && (
                <span className="phone">
                  <State nearness={reading.nearness} />
                </span>
              )}
              {wallet !== undefined && (
                <span className="phone bar">
                  <ZeroLine wallet={wallet} isAligned />
                </span>
              )}
            </>
          ),
        },
        {
          header: "Wallet",
          from: 2,
          cell: ({ wallet, others }) => (
            <>
              {wallet === undefined ? "" : wallet.kind === "prepaid" ? "Prepaid" : "Postpaid"}
              {others > 0 && (
                <span className="sub">{`${wallet === undefined ? "" : "and "}${others} other${others > 1 ? "s" : ""}`}</span>
              )}
            </>
          ),
        },
        {
          header: "Balance",
          from: 1,
          width: "barcol",
          cell: ({ wallet }) => wallet !== undefined && <ZeroLine wallet={wallet} isAligned />,
        },
        {
          header: "Credits",
          isNumber: true,
          cell: ({ reading }) =>
            reading === undefined ? (
              <span className="quiet">no wallet</span>
            ) : (
              <>
                <span className={tones[reading.nearness]}>{formatCredits(reading.figure)}</span>
                <span className="sub">{reading.words}</span>
              </>
            ),
        },
        {
          header: "Pending",
          isNumber: true,
          from: 2,
          cell: ({ wallet }) => wallet !== undefined && <Amount of={wallet.pending} />,
        },
        { header: "State", from: 1, cell: ({ reading }) => reading && <State nearness={reading.nearness} /> },
        { header: "Email", from: 3, look: "quiet breaks", cell: ({ email }) => email },
      ]}
    />
  );
}

function State({ nearness }: { readonly nearness: ReturnType<typeof readWallet>["nearness"] }) {
  if (nearness === "now") return <Badge tone="bad">Exhausted</Badge>;
  return nearness === "soon" ? <Badge tone="warn">Near its end</Badge> : <Fine>Funded</Fine>;
}
