import type { AdminCustomer } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useCallback, useState } from "react";
import { Button } from "react-aria-components";
import { useMay, useOrganizationId } from "../api/account.ts";
import { Badge } from "../parts/badge.tsx";
import { Bones } from "../parts/bones.tsx";
import { formatCredits } from "../parts/credits.ts";
import { CsvLink } from "../parts/csv-link.tsx";
import { Empty } from "../parts/empty.tsx";
import { Failure } from "../parts/failure.tsx";
import { Filter, FilterPlace } from "../parts/filter.tsx";
import { Fine } from "../parts/fine.tsx";
import { Icon } from "../parts/icon.tsx";
import { Page } from "../parts/page.tsx";
import { Pager } from "../parts/pager.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { atPart } from "../parts/search-change.ts";
import { ZeroLine, ZeroLineLegend } from "../parts/zero-line.tsx";
import { CustomerDialog } from "./customer-dialog.tsx";
import { currenciesQuery, customersQuery } from "./queries.ts";
import { readWallet, tones } from "./wallet.ts";

const route = "/shell/organizations/$organizationId/customers";

export function CustomersPage(): ReactNode {
  const organizationId = useOrganizationId();
  const { search, wallet, cursor } = useSearch({ from: route });
  const navigate = useNavigate({ from: "/organizations/$organizationId/customers" });
  const [isCreating, setIsCreating] = useState(false);
  const mayChange = useMay("money");
  const customers = useQuery(customersQuery({ organizationId, search, cursor }));
  const known = useQuery(currenciesQuery(organizationId));
  const currencies = known.data ?? [];
  const currency = wallet ?? currencies[0]?.credit_currency_key;
  // Without the currency the table would say that no customer has a wallet, and would be of other widths.
  const isPending = customers.isPending || known.isPending;
  const found = customers.data?.customers ?? [];
  return (
    <Page
      title="Customers"
      actions={
        <>
          <CsvLink list="customers" query={{ search }} />
          {mayChange && (
            <Button className="btn primary" data-key="n" onPress={() => setIsCreating(true)}>
              <Icon name="plus" />
              New customer
            </Button>
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
        <Nothing search={search} isFirst={cursor === undefined} />
      )}
      {!isPending && found.length > 0 && (
        <>
          <Table customers={found} currency={currency} isOld={customers.isPlaceholderData} />
          <Pager
            cursor={cursor}
            next={customers.data?.next}
            onMove={(to) => void navigate({ search: (before) => atPart(before, to) })}
          />
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
}): ReactNode {
  const { search = "" } = useSearch({ from: route });
  const navigate = useNavigate({ from: "/organizations/$organizationId/customers" });
  const find = useCallback(
    (text: string) =>
      void navigate({
        search: ({ wallet }) => ({ ...(wallet && { wallet }), ...(text && { search: text }) }),
        replace: true,
      }),
    [navigate],
  );
  return (
    <div className="toolbar">
      <SearchBox label="Name, ID or email" value={search} onChange={find} />
      {currencies === undefined && <FilterPlace />}
      {currencies !== undefined && currencies.length > 0 && (
        <Filter
          label="Wallet"
          value={currency}
          options={currencies.map((one) => ({ value: one, label: one }))}
          onChange={(chosen) =>
            void navigate({ search: (before) => ({ ...before, wallet: chosen }), replace: true })
          }
        />
      )}
    </div>
  );
}

function Table({
  customers,
  currency,
  isOld,
}: {
  readonly customers: readonly AdminCustomer[];
  readonly currency: string | undefined;
  readonly isOld: boolean;
}): ReactNode {
  return (
    <table className="rows" aria-busy={isOld}>
      <caption className="unseen">Customers by ID, with their wallets in {currency ?? "no currency"}</caption>
      <thead>
        <tr>
          <th scope="col">Customer</th>
          <th scope="col" className="p2">
            Wallet
          </th>
          <th scope="col" className="p1 barcol">
            Balance
          </th>
          <th scope="col" className="r">
            Credits
          </th>
          <th scope="col" className="r p2">
            Pending
          </th>
          <th scope="col" className="p1">
            State
          </th>
          <th scope="col" className="p3">
            Email
          </th>
        </tr>
      </thead>
      <tbody>
        {customers.map((customer) => (
          <Row key={customer.externalId} customer={customer} currency={currency} />
        ))}
      </tbody>
    </table>
  );
}

function Row({
  customer,
  currency,
}: {
  readonly customer: AdminCustomer;
  readonly currency: string | undefined;
}): ReactNode {
  const organizationId = useOrganizationId();
  const { externalId, name, email, wallets } = customer;
  const wallet = wallets.find(({ credit_currency_key }) => credit_currency_key === currency);
  const reading = wallet && readWallet(wallet);
  const others = wallets.length - (wallet === undefined ? 0 : 1);
  const state = reading && <State nearness={reading.nearness} />;
  return (
    <tr>
      <th scope="row">
        <Link
          className="cover"
          to="/organizations/$organizationId/customers/$customerId"
          params={{ organizationId, customerId: externalId }}
          search={wallet === undefined ? {} : { wallet: wallet.credit_currency_key }}
        >
          {name}
        </Link>
        <span className="sub mono">{externalId}</span>
        {reading !== undefined && reading.nearness !== "fine" && <span className="phone">{state}</span>}
        {wallet !== undefined && (
          <span className="phone bar">
            <ZeroLine wallet={wallet} isAligned />
          </span>
        )}
      </th>
      <td className="p2">
        {wallet === undefined ? "" : wallet.kind === "prepaid" ? "Prepaid" : "Postpaid"}
        {others > 0 && (
          <span className="sub">{`${wallet === undefined ? "" : "and "}${others} other${others > 1 ? "s" : ""}`}</span>
        )}
      </td>
      <td className="p1 barcol">{wallet !== undefined && <ZeroLine wallet={wallet} isAligned />}</td>
      <td className="r">
        {reading === undefined ? (
          <span className="quiet">no wallet</span>
        ) : (
          <>
            <span className={tones[reading.nearness]}>{formatCredits(reading.figure)}</span>
            <span className="sub">{reading.words}</span>
          </>
        )}
      </td>
      <td className="r p2">
        {wallet !== undefined && (
          <span className={wallet.pending === 0 ? "zero" : ""}>{formatCredits(wallet.pending)}</span>
        )}
      </td>
      <td className="p1">{state}</td>
      <td className="p3 quiet breaks">{email}</td>
    </tr>
  );
}

function State({ nearness }: { readonly nearness: ReturnType<typeof readWallet>["nearness"] }): ReactNode {
  if (nearness === "now") {
    return (
      <Badge tone="bad" icon="alert">
        Exhausted
      </Badge>
    );
  }
  if (nearness === "soon") {
    return (
      <Badge tone="warn" icon="warning">
        Near its end
      </Badge>
    );
  }
  return <Fine>Funded</Fine>;
}

function Nothing({
  search,
  isFirst,
}: {
  readonly search: string | undefined;
  readonly isFirst: boolean;
}): ReactNode {
  return (
    <Empty title={search === undefined ? "No customers yet" : "No customer is found"}>
      <p>
        {search === undefined && isFirst
          ? "Customers come here when you create them, or when your application does, by the API."
          : "The search looks for the beginnings of words in name, ID and email."}
      </p>
    </Empty>
  );
}
