import type { AdminCustomer, AdminWallet } from "@creditgate/admin";
import { isCreditgateError } from "@creditgate/client";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { lastKnown } from "../api/client.ts";
import { useAnswer, useMay, useOrganization } from "../api/query.ts";
import { CustomerBudgets } from "../budgets/budget-list.tsx";
import { customerQueries, customerQuery } from "../customers/queries.ts";
import { CustomerBooks, PaymentDue, useCustomerBooks } from "../orders/customer-books.tsx";
import { InvoiceTable } from "../orders/invoice-list.tsx";
import { OrderDialog } from "../orders/order-dialog.tsx";
import { OrderTable } from "../orders/order-list.tsx";
import { Failure, OldNote } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { ActionDialog, DialogButton, Effect } from "../parts/form-dialog.tsx";
import { MenuButton } from "../parts/menu-button.tsx";
import { Crumbs, Page, Section } from "../parts/page.tsx";
import { Empty } from "../parts/table.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { notify } from "../parts/toasts.tsx";
import { CsvLink, Filter } from "../parts/toolbar.tsx";
import { CreditLists } from "./credit-lists.tsx";
import { CustomerFacts, EditDialog } from "./customer-fields.tsx";
import { MonthUsage } from "./month-usage.tsx";
import { customerParts } from "./search.ts";
import { StatementTable } from "./statement-table.tsx";
import { TopUpDialog } from "./top-up-dialog.tsx";
import { UsageList } from "./usage-list.tsx";
import { VoiceList } from "./voice-list.tsx";
import { WalletDialog } from "./wallet-dialog.tsx";
import { WalletPanel } from "./wallet-panel.tsx";

const route = "/shell/organizations/$organizationId/customers/$customerId";

export function CustomerPage() {
  const { customerId } = useParams({ from: route });
  const customer = useAnswer(customerQuery, customerId);
  // A payment that is due stands above all else: what is below it would move.
  const { invoices } = useCustomerBooks(customerId);
  const known = lastKnown(customer);
  if (known !== undefined && !invoices.isPending)
    return <Loaded key={customerId} customer={known} old={<OldNote query={customer} />} />;
  const isUnknown = isCreditgateError(customer.error) && customer.error.status === 404;
  const name = customer.data?.name ?? customerId;
  return (
    <Page title={isUnknown ? "No such customer" : name} crumbs={<Crumbs list="customers" name={name} />}>
      {isUnknown && <p className="quiet">The organization has no customer with this ID.</p>}
      {customer.isError && !isUnknown && (
        <Failure
          error={customer.error}
          what="The customer could not be loaded."
          onRetry={() => void customer.refetch()}
        />
      )}
      {!customer.isError && (
        <div className="wallets">
          <div className="bone block" />
          <div className="bone block" />
        </div>
      )}
    </Page>
  );
}

function Loaded({ customer, old }: { readonly customer: AdminCustomer; readonly old: ReactNode }) {
  const mayChange = useMay("money");
  const mayErase = useMay("owner") && customer.erasedAt === null;
  const { wallet, show } = useSearch({ from: route });
  const { wallets, name } = customer;
  const chosen = wallets.find((one) => one.creditCurrencyKey === wallet) ?? wallets[0];
  const canTopUp = wallets.some(({ kind }) => kind === "prepaid");
  return (
    <Page
      title={name}
      crumbs={<Crumbs list="customers" name={name} />}
      facts={<CustomerFacts customer={customer} />}
      actions={
        mayChange && (
          <>
            <DialogButton text="New order">
              <OrderDialog customer={customer} />
            </DialogButton>
            <DialogButton text="Top up" look="primary" icon="plus" isShown={canTopUp}>
              <TopUpDialog customer={customer} initial={chosen?.creditCurrencyKey} />
            </DialogButton>
            <DialogButton text="New wallet" look="primary" isShown={!canTopUp}>
              <WalletDialog customer={customer} />
            </DialogButton>
            <MenuButton
              label={`More for ${name}`}
              actions={[
                canTopUp && { name: "New wallet", dialog: <WalletDialog customer={customer} /> },
                { name: "Edit the customer", dialog: <EditDialog customer={customer} /> },
                mayErase && {
                  name: "Erase the personal data",
                  isDanger: true,
                  dialog: <EraseDialog customer={customer} />,
                },
              ]}
            />
          </>
        )
      }
    >
      {old}
      <PaymentDue customer={customer} />
      {wallets.length === 0 ? (
        <Empty title="No wallet yet">
          Without a wallet every request of this customer is denied. A wallet holds credits of one currency.
        </Empty>
      ) : (
        <div className="wallets">
          {wallets.map((one) => (
            <WalletPanel key={one.creditCurrencyKey} customer={customer} wallet={one} />
          ))}
        </div>
      )}
      <Tabs
        label="Customer"
        shown={show}
        tabs={[
          { show: undefined, name: "Statement" },
          { show: "usage", name: customerParts.usage },
          { show: "credits", name: customerParts.credits },
          { show: "budgets", name: customerParts.budgets },
          { show: "orders", name: customerParts.orders },
          { show: "voice", name: customerParts.voice },
        ]}
      />
      <Part customer={customer} chosen={chosen} />
    </Page>
  );
}

/** What the tab shows. */
function Part({ customer, chosen }: { customer: AdminCustomer; chosen: AdminWallet | undefined }) {
  const { show } = useSearch({ from: route });
  const { invoices, orders } = useCustomerBooks(customer.externalId);
  const numbers = new Map(
    (invoices.data?.invoices ?? []).flatMap(({ invoiceId, number }) =>
      number === null ? [] : [[invoiceId, number] as const],
    ),
  );
  if (show === "voice") return <VoiceList customerId={customer.externalId} />;
  if (show === "credits") return <CreditLists customerId={customer.externalId} />;
  if (show === "budgets") return <CustomerBudgets customer={customer} />;
  if (show === "orders") {
    return (
      <>
        <Section
          id="invoices"
          title="Invoices"
          end={<CsvLink list="invoices" query={{ customerId: customer.externalId }} isSmall />}
        >
          {invoices.data?.invoices.length === 0 && <p className="quiet small">None yet.</p>}
          {(invoices.data?.invoices.length ?? 0) > 0 && (
            <InvoiceTable invoices={invoices.data?.invoices ?? []} hasCustomer={false} />
          )}
        </Section>
        <Section
          id="orders"
          title="Orders"
          end={<CsvLink list="orders" query={{ customerId: customer.externalId }} isSmall />}
        >
          {orders.data?.orders.length === 0 && <p className="quiet small">None yet.</p>}
          {(orders.data?.orders.length ?? 0) > 0 && (
            <OrderTable orders={orders.data?.orders ?? []} hasCustomer={false} />
          )}
        </Section>
      </>
    );
  }
  return (
    <div className="cols-2-1">
      {show === "usage" ? (
        <UsageList customerId={customer.externalId} />
      ) : (
        chosen !== undefined && (
          <StatementTable
            key={chosen.creditCurrencyKey}
            wallet={chosen}
            numbers={numbers}
            choice={
              customer.wallets.length > 1 && <WalletChoice wallets={customer.wallets} chosen={chosen} />
            }
          />
        )
      )}
      <div className="section stack">
        {chosen !== undefined && <MonthUsage key={chosen.creditCurrencyKey} wallet={chosen} />}
        <CustomerBooks customer={customer} />
      </div>
    </div>
  );
}

/** Whose statement is shown. */
function WalletChoice({ wallets, chosen }: { wallets: readonly AdminWallet[]; chosen: AdminWallet }) {
  const navigate = useNavigate({ from: "/organizations/$organizationId/customers/$customerId" });
  return (
    <Filter
      label="Wallet"
      value={chosen.creditCurrencyKey}
      options={wallets.map(({ creditCurrencyKey: key }) => ({ value: key, label: key }))}
      onChange={(wallet) =>
        void navigate({ search: (before) => ({ ...before, wallet }), replace: true, resetScroll: false })
      }
    />
  );
}

/** Removes personal data. The person types the ID, so that it is not the wrong customer. */
function EraseDialog({ customer }: { customer: AdminCustomer }) {
  const organization = useOrganization();
  const { externalId, name } = customer;
  const [typed, setTyped] = useState("");
  return (
    <ActionDialog
      title={`Erase the personal data of ${name}`}
      action="Erase the personal data"
      isDanger
      isReady={typed.trim() === externalId}
      failure="The personal data is not erased."
      send={() => organization.customers.erase(externalId)}
      untrue={customerQueries}
      onDone={() => notify("The personal data is erased", "The books stay.")}
    >
      <Effect>
        <p>The name, and all contact and billing details, are removed. An auto top-up ends.</p>
        <p>
          The books stay: the ID <span className="mono">{externalId}</span>, wallets, usage, ledger, orders
          and invoices. So does what your application put into its reports of usage.
        </p>
        <p className="quiet">It cannot be undone.</p>
      </Effect>
      <Field
        label="Type the ID of the customer"
        name="typed-id"
        value={typed}
        onChange={setTyped}
        isCode
        autoFocus
        hint={externalId}
      />
    </ActionDialog>
  );
}
