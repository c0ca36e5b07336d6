import type { AdminCustomer, AdminWallet } from "@creditgate/admin";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useAnswer, useMay, useOrganization } from "../api/query.ts";
import { CustomerBudgets } from "../budgets/budgets-page.tsx";
import { customerQueries, customerQuery } from "../customers/queries.ts";
import { CustomerBooks, PaymentDue, useCustomerBooks } from "../orders/customer-books.tsx";
import { InvoiceTable } from "../orders/invoice-list.tsx";
import { OrderDialog } from "../orders/order-dialog.tsx";
import { OrderTable } from "../orders/order-list.tsx";
import { Field } from "../parts/field.tsx";
import { ActionDialog, DialogButton, Effect } from "../parts/form-dialog.tsx";
import { MenuButton } from "../parts/menu-button.tsx";
import { Crumbs, Page, RecordPage, Section } from "../parts/page.tsx";
import { Empty, Loaded as LoadedList } from "../parts/table.tsx";
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
  return (
    <RecordPage
      query={invoices.isPending ? { ...customer, data: undefined } : customer}
      list="customers"
      name={customer.data?.name ?? customerId}
      unknown="Customer not found"
      failure="The customer could not be loaded."
    >
      {(known, old) => <Loaded key={customerId} customer={known} old={old} />}
    </RecordPage>
  );
}

function Loaded({ customer, old }: { readonly customer: AdminCustomer; readonly old: ReactNode }) {
  const mayChange = useMay("money");
  const mayErase = useMay("owner") && customer.erasedAt === null;
  const { wallet, show } = useSearch({ from: route });
  const { wallets, name } = customer;
  const chosen = wallets.find((one) => one.creditCurrencyKey === wallet) ?? wallets[0];
  const canTopUp = wallets.some(({ kind }) => kind === "prepaid");
  const newOrder = (
    <DialogButton text="New order">
      <OrderDialog customer={customer} />
    </DialogButton>
  );
  const topUp = (
    <DialogButton text="Top up" look="primary" icon="plus">
      <TopUpDialog customer={customer} initial={chosen?.creditCurrencyKey} />
    </DialogButton>
  );
  const newWallet = (
    <DialogButton text="New wallet" look="primary" icon="plus">
      <WalletDialog customer={customer} />
    </DialogButton>
  );
  return (
    <Page
      title={name}
      crumbs={<Crumbs list="customers" name={name} />}
      facts={<CustomerFacts customer={customer} />}
      actions={
        mayChange && (
          <>
            {newOrder}
            {canTopUp && topUp}
            {!canTopUp && wallets.length > 0 && newWallet}
            <MenuButton
              label={`More for ${name}`}
              actions={[
                canTopUp && { name: "New wallet", dialog: <WalletDialog customer={customer} /> },
                { name: "Edit customer", dialog: <EditDialog customer={customer} /> },
                mayErase && {
                  name: "Erase personal data",
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
        <Empty title="No wallets yet" action={mayChange && newWallet}>
          A wallet holds credits of one currency. Requests of a customer without a wallet are denied.
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
      <Part customer={customer} chosen={chosen} newOrder={mayChange && newOrder} topUp={mayChange && topUp} />
    </Page>
  );
}

interface PartProps {
  readonly customer: AdminCustomer;
  readonly chosen: AdminWallet | undefined;
  /** The buttons for lists without rows. */
  readonly newOrder: ReactNode;
  readonly topUp: ReactNode;
}

/** What the tab shows. */
function Part({ customer, chosen, newOrder, topUp }: PartProps) {
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
          <LoadedList query={invoices} failure="The invoices could not be loaded.">
            {({ invoices: rows }) =>
              rows.length === 0 ? (
                <Empty title="No invoices yet" action={newOrder}>
                  Orders and the end of a postpaid period issue invoices.
                </Empty>
              ) : (
                <InvoiceTable invoices={rows} hasCustomer={false} />
              )
            }
          </LoadedList>
        </Section>
        <Section
          id="orders"
          title="Orders"
          end={<CsvLink list="orders" query={{ customerId: customer.externalId }} isSmall />}
        >
          <LoadedList query={orders} failure="The orders could not be loaded.">
            {({ orders: rows }) =>
              rows.length === 0 ? (
                <Empty title="No orders yet" action={newOrder}>
                  An order sells credits to this customer.
                </Empty>
              ) : (
                <OrderTable orders={rows} hasCustomer={false} />
              )
            }
          </LoadedList>
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
            topUp={topUp}
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
      title={`Erase personal data of ${name}`}
      action="Erase personal data"
      isDanger
      isReady={typed.trim() === externalId}
      failure="The personal data was not erased."
      send={() => organization.customers.erase(externalId)}
      untrue={customerQueries}
      onDone={() => notify("Personal data erased", "Financial records are kept.")}
    >
      <Effect>
        <p>The name and all contact and billing details are removed. Auto top-up is turned off.</p>
        <p>
          Financial records are kept: the ID <span className="mono">{externalId}</span>, wallets, usage,
          ledger, orders and invoices. So is the content of usage reports.
        </p>
        <p className="quiet">This cannot be undone.</p>
      </Effect>
      <Field
        label="Enter the customer ID to confirm"
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
