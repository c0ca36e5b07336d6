import type { AdminCustomer } from "@creditgate/admin";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useDraft } from "../api/edit.ts";
import { useAnswer, useMay, useOrganization, useOrganizationId } from "../api/query.ts";
import { textOf } from "../parts/address.ts";
import { formatCredits } from "../parts/amounts.ts";
import { Badge, Fine } from "../parts/badge.tsx";
import { Field } from "../parts/field.tsx";
import { ActionDialog, DialogButton } from "../parts/form-dialog.tsx";
import { Name } from "../parts/name.tsx";
import { Page } from "../parts/page.tsx";
import { Amount, Empty, Listing, Table } from "../parts/table.tsx";
import { CsvLink, FilterOnceKnown, SearchBox } from "../parts/toolbar.tsx";
import { currenciesQuery, customersQuery } from "./queries.ts";
import { readWallet, tones } from "./wallet.ts";
import { ZeroLine, ZeroLineLegend } from "./zero-line.tsx";

const route = "/shell/organizations/$organizationId/customers";

export function CustomersPage() {
  const { search, wallet, cursor } = useSearch({ from: route });
  const create = useMay("money") && (
    <DialogButton text="New customer" look="primary" icon="plus" data-key="n">
      <CustomerDialog />
    </DialogButton>
  );
  const customers = useAnswer(customersQuery, { search, cursor });
  const known = useAnswer(currenciesQuery);
  const currencies = known.data ?? [];
  const currency = wallet ?? currencies[0]?.creditCurrencyKey;
  // Without the currency the table would show that no customer has a wallet, and would be of other widths.
  const isPending = customers.isPending || known.isPending;
  const found = customers.data?.customers ?? [];
  return (
    <Page
      title="Customers"
      actions={
        <>
          <CsvLink list="customers" query={{ search }} />
          {create}
        </>
      }
    >
      <div className="section">
        <Toolbar currency={currency} currencies={known.data?.map((one) => one.creditCurrencyKey)} />
        {!isPending && found.length > 0 && <ZeroLineLegend />}
      </div>
      <Listing
        query={{ ...customers, isPending }}
        rowsOf={(answer) => answer.customers}
        what="customers"
        empty={
          <Empty title="No customers yet" action={create}>
            A customer has wallets, which pay for its usage. Create one here or through the API.
          </Empty>
        }
      >
        {(rows, isOld) => <Customers customers={rows} currency={currency} isOld={isOld} />}
      </Listing>
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
  const navigate = useNavigate({ from: "/organizations/$organizationId/customers" });
  return (
    <div className="toolbar">
      <SearchBox label="Name, ID or email" name="search" isWords />
      <FilterOnceKnown
        label="Wallet"
        value={currency}
        known={currencies}
        // The part of the list stays.
        onChange={(chosen) =>
          void navigate({ search: (before) => ({ ...before, wallet: chosen }), replace: true })
        }
      />
    </div>
  );
}

/** What the columns show of a customer: its wallet in the chosen currency. */
function shownOf(customer: AdminCustomer, currency: string | undefined) {
  const wallet = customer.wallets.find(({ creditCurrencyKey }) => creditCurrencyKey === currency);
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
      columns={(column) => [
        column("Customer", { isName: true }, ({ externalId, name, wallet, reading }) => (
          <>
            <Link
              className="cover"
              to="/organizations/$organizationId/customers/$customerId"
              params={{ organizationId, customerId: externalId }}
              search={wallet === undefined ? {} : { wallet: wallet.creditCurrencyKey }}
            >
              <Name>{name}</Name>
            </Link>
            <span className="sub mono">
              <Name>{externalId}</Name>
            </span>
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
        )),
        column("Wallet", { from: 2 }, ({ wallet, others }) => (
          <>
            {wallet === undefined ? "" : wallet.kind === "prepaid" ? "Prepaid" : "Postpaid"}
            {others > 0 && (
              <span className="sub">{`${wallet === undefined ? "" : "and "}${others} other${others > 1 ? "s" : ""}`}</span>
            )}
          </>
        )),
        column(
          "Balance",
          { from: 1, width: "barcol" },
          ({ wallet }) => wallet !== undefined && <ZeroLine wallet={wallet} isAligned />,
        ),
        column("Credits", { isNumber: true }, ({ reading }) =>
          reading === undefined ? (
            <span className="quiet">no wallet</span>
          ) : (
            <>
              <span className={tones[reading.nearness]}>{formatCredits(reading.figure)}</span>
              <span className="sub">{reading.words}</span>
            </>
          ),
        ),
        column(
          "Pending",
          { isNumber: true, from: 2 },
          ({ wallet }) => wallet !== undefined && <Amount of={wallet.pending} />,
        ),
        column("Status", { from: 1 }, ({ reading }) => reading && <State nearness={reading.nearness} />),
        column("Email", { from: 3, look: "quiet breaks" }, ({ email }) => email),
      ]}
    />
  );
}

function State({ nearness }: { readonly nearness: ReturnType<typeof readWallet>["nearness"] }) {
  if (nearness === "now") return <Badge tone="bad">Exhausted</Badge>;
  return nearness === "soon" ? <Badge tone="warn">Low</Badge> : <Fine>Funded</Fine>;
}

/** Creates a customer, and opens its page. */
function CustomerDialog() {
  const organizationId = useOrganizationId();
  const organization = useOrganization();
  const navigate = useNavigate();
  const { values, bind } = useDraft({ name: "", externalId: "", email: "" });
  const [name, externalId] = [values.name.trim(), values.externalId.trim()];
  return (
    <ActionDialog
      title="New customer"
      action="Create customer"
      isReady={name !== "" && externalId !== ""}
      failure="The customer was not created."
      send={() =>
        organization.customers.create({ externalId, name, ...textOf("email", values.email.trim()) })
      }
      untrue={["customers"]}
      onDone={(customer) =>
        navigate({
          to: "/organizations/$organizationId/customers/$customerId",
          params: { organizationId, customerId: customer.externalId },
        })
      }
    >
      <Field {...bind("name")} label="Name" maxLength={200} autoFocus />
      <Field
        {...bind("externalId")}
        label="ID"
        isCode
        maxLength={200}
        hint="Used by your application. It cannot be changed."
      />
      <Field {...bind("email")} label="Email (optional)" type="email" maxLength={254} />
    </ActionDialog>
  );
}
