import type { AdminCustomer, AdminWallet } from "@creditgate/admin";
import { isCreditgateError } from "@creditgate/client";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useMay, useOrganizationId } from "../api/account.ts";
import { standing } from "../api/client.ts";
import { CustomerBooks, PaymentDue, useCustomerBooks } from "../orders/customer-books.tsx";
import { InvoiceTable } from "../orders/invoice-list.tsx";
import { OrderDialog } from "../orders/order-dialog.tsx";
import { OrderTable } from "../orders/order-list.tsx";
import { TextButton } from "../parts/button.tsx";
import { Failure, OldNote } from "../parts/failure.tsx";
import { Empty } from "../parts/listing.tsx";
import { MenuButton } from "../parts/menu-button.tsx";
import { Crumbs, Page, Section } from "../parts/page.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { CsvLink, Filter } from "../parts/toolbar.tsx";
import { AutoTopUpDialog } from "./auto-top-up-dialog.tsx";
import { CustomerFacts, EditDialog } from "./customer-fields.tsx";
import { EraseDialog } from "./erase-dialog.tsx";
import { LimitsDialog } from "./limits-dialog.tsx";
import { MonthUsage } from "./month-usage.tsx";
import { customerQuery } from "./queries.ts";
import { customerParts } from "./search.ts";
import { StatementTable } from "./statement-table.tsx";
import { TopUpDialog } from "./top-up-dialog.tsx";
import { UsageList } from "./usage-list.tsx";
import { VoiceList } from "./voice-list.tsx";
import { WalletDialog } from "./wallet-dialog.tsx";
import { WalletPanel } from "./wallet-panel.tsx";

const route = "/shell/organizations/$organizationId/customers/$customerId";

export function CustomerPage() {
  const organizationId = useOrganizationId();
  const { customerId } = useParams({ from: route });
  const customer = useQuery(customerQuery(organizationId, customerId));
  // A payment that is due stands above all else: what is below it would move.
  const { invoices } = useCustomerBooks(customerId);
  const known = standing(customer);
  if (known !== undefined && !invoices.isPending)
    return <Loaded key={customerId} customer={known} old={<OldNote query={customer} />} />;
  const isUnknown = isCreditgateError(customer.error) && customer.error.status === 404;
  const name = customer.data?.name ?? customerId;
  return (
    <Page title={isUnknown ? "No such customer" : name} crumbs={<CustomerCrumbs name={name} />}>
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

function CustomerCrumbs({ name }: { readonly name: string }) {
  return <Crumbs list="Customers" to="/organizations/$organizationId/customers" name={name} />;
}

type Open =
  | { readonly dialog: "top-up" | "wallet" | "order" | "edit" | "erase" }
  | { readonly dialog: "limits" | "auto-top-up"; readonly wallet: AdminWallet };

function Loaded({ customer, old }: { readonly customer: AdminCustomer; readonly old: ReactNode }) {
  const mayChange = useMay("money");
  const mayErase = useMay("owner") && customer.erasedAt === null;
  const [open, setOpen] = useState<Open>();
  const { wallet, show } = useSearch({ from: route });
  const { wallets, name } = customer;
  const chosen = wallets.find((one) => one.credit_currency_key === wallet) ?? wallets[0];
  const canTopUp = wallets.some(({ kind }) => kind === "prepaid");
  const close = () => setOpen(undefined);
  return (
    <Page
      title={name}
      crumbs={<CustomerCrumbs name={name} />}
      facts={<CustomerFacts customer={customer} />}
      actions={
        mayChange && (
          <>
            <TextButton text="New order" onPress={() => setOpen({ dialog: "order" })} />
            {canTopUp ? (
              <TextButton
                text="Top up"
                look="primary"
                icon="plus"
                onPress={() => setOpen({ dialog: "top-up" })}
              />
            ) : (
              <TextButton text="New wallet" look="primary" onPress={() => setOpen({ dialog: "wallet" })} />
            )}
            <MenuButton
              label={`More for ${name}`}
              actions={[
                ...(canTopUp ? [{ id: "wallet" as const, name: "New wallet" }] : []),
                { id: "edit" as const, name: "Edit the customer" },
                ...(mayErase
                  ? [{ id: "erase" as const, name: "Erase the personal data", isDanger: true }]
                  : []),
              ]}
              onAction={(dialog) => setOpen({ dialog })}
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
            <WalletPanel
              key={one.credit_currency_key}
              wallet={one}
              onSetLimits={() => setOpen({ dialog: "limits", wallet: one })}
              onAutoTopUp={() => setOpen({ dialog: "auto-top-up", wallet: one })}
            />
          ))}
        </div>
      )}
      <Tabs
        label="Customer"
        shown={show}
        tabs={[
          { show: undefined, name: "Statement" },
          { show: "usage", name: customerParts.usage },
          { show: "orders", name: customerParts.orders },
          { show: "voice", name: customerParts.voice },
        ]}
      />
      <Part customer={customer} chosen={chosen} />
      {open?.dialog === "top-up" && (
        <TopUpDialog customer={customer} initial={chosen?.credit_currency_key} onClose={close} />
      )}
      {open?.dialog === "wallet" && <WalletDialog customer={customer} onClose={close} />}
      {open?.dialog === "limits" && <LimitsDialog customer={customer} wallet={open.wallet} onClose={close} />}
      {open?.dialog === "auto-top-up" && (
        <AutoTopUpDialog customer={customer} wallet={open.wallet} onClose={close} />
      )}
      {open?.dialog === "order" && <OrderDialog customer={customer} onClose={close} />}
      {open?.dialog === "edit" && <EditDialog customer={customer} onClose={close} />}
      {open?.dialog === "erase" && <EraseDialog customer={customer} onClose={close} />}
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
  if (show === "orders") {
    return (
      <>
        <Section id="invoices" title="Invoices" end={<ListFile list="invoices" customer={customer} />}>
          {invoices.data?.invoices.length === 0 && <p className="quiet small">None yet.</p>}
          {(invoices.data?.invoices.length ?? 0) > 0 && (
            <InvoiceTable invoices={invoices.data?.invoices ?? []} hasCustomer={false} />
          )}
        </Section>
        <Section id="orders" title="Orders" end={<ListFile list="orders" customer={customer} />}>
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
            key={chosen.credit_currency_key}
            wallet={chosen}
            numbers={numbers}
            choice={
              customer.wallets.length > 1 && <WalletChoice wallets={customer.wallets} chosen={chosen} />
            }
          />
        )
      )}
      <div className="section stack">
        {chosen !== undefined && <MonthUsage key={chosen.credit_currency_key} wallet={chosen} />}
        <CustomerBooks customer={customer} />
      </div>
    </div>
  );
}

function ListFile({ list, customer }: { list: string; customer: AdminCustomer }) {
  return (
    <span className="end acts">
      <CsvLink list={list} query={{ customer_id: customer.externalId }} isSmall />
    </span>
  );
}

/** Whose statement is shown. */
function WalletChoice({ wallets, chosen }: { wallets: readonly AdminWallet[]; chosen: AdminWallet }) {
  const navigate = useNavigate({ from: "/organizations/$organizationId/customers/$customerId" });
  return (
    <Filter
      label="Wallet"
      value={chosen.credit_currency_key}
      options={wallets.map(({ credit_currency_key: key }) => ({ value: key, label: key }))}
      onChange={(wallet) =>
        void navigate({ search: (before) => ({ ...before, wallet }), replace: true, resetScroll: false })
      }
    />
  );
}
