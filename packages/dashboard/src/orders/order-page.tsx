import type { AdminOrderDetails, AdminOrderLineItem } from "@creditgate/admin";
import { useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useAnswer, useMay, useOrganization } from "../api/query.ts";
import { customerQuery } from "../customers/queries.ts";
import { formatMoney } from "../parts/amounts.ts";
import { CopyId } from "../parts/button.tsx";
import { ReasonField } from "../parts/field.tsx";
import { ActionDialog, DialogButton, Effect } from "../parts/form-dialog.tsx";
import { CustomerLink, invoiceName, OrderLink } from "../parts/links.tsx";
import { Crumbs, Facts, Page, RecordPage, Section } from "../parts/page.tsx";
import { None, Table } from "../parts/table.tsx";
import { Day, formatExact } from "../parts/time.tsx";
import { notify } from "../parts/toasts.tsx";
import { formatTerms } from "./benefit-terms.ts";
import { benefitsOf, withdrawalRows } from "./benefits.ts";
import { CreditsOf } from "./credit-note-list.tsx";
import { InvoiceTable } from "./invoice-list.tsx";
import { bookQueries, orderQuery } from "./queries.ts";
import { OrderBadge } from "./status-badge.tsx";
import { askedFor, orderTypeName, topUpWarning } from "./words.ts";

/** An order: its items, what it brings, and its invoices. */
export function OrderPage() {
  const { orderId } = useParams({ from: "/shell/organizations/$organizationId/orders/$orderId" });
  return (
    <RecordPage
      query={useAnswer(orderQuery, orderId)}
      list="orders"
      name="Order"
      unknown="No such order"
      failure="The order could not be loaded."
    >
      {(order, old) => <Loaded key={orderId} order={order} old={old} />}
    </RecordPage>
  );
}

function Loaded({ order, old }: { readonly order: AdminOrderDetails; readonly old: ReactNode }) {
  const mayChange = useMay("money");
  const { orderName, orderId, status } = order;
  return (
    <Page
      title={orderName}
      crumbs={<Crumbs list="orders" name={orderName} />}
      facts={
        <div className="facts">
          <OrderBadge status={status} />
          <CopyId id={orderId} />
        </div>
      }
      actions={
        <DialogButton text="Cancel the order" look="danger" isShown={mayChange && status === "pending"}>
          <CancelDialog order={order} />
        </DialogButton>
      }
    >
      {old}
      <OrderFacts order={order} />
      <Section id="items" title="What is ordered">
        <LineItems items={order.lineItems} />
      </Section>
      <Section id="invoices" title="Invoices">
        <InvoiceTable invoices={order.invoices} hasCustomer={false} />
      </Section>
    </Page>
  );
}

function OrderFacts({ order }: { readonly order: AdminOrderDetails }) {
  const { customerExternalId, type, supersededBy, supersededAt } = order;
  const { data: customer } = useAnswer(customerQuery, customerExternalId);
  return (
    <section className="panel" aria-label="What is known of the order">
      <Facts
        facts={[
          [
            "Customer",
            <CustomerLink key="customer" customerId={customerExternalId}>
              {customer?.name ?? customerExternalId}
            </CustomerLink>,
          ],
          ["Type", orderTypeName(type)],
          ["Start date", <Day key="start" at={order.startDate} />],
          ["Made", formatExact(order.createdAt)],
          ["Active since", order.activatedAt !== null && formatExact(order.activatedAt)],
          ["Superseded", supersededAt !== null && formatExact(supersededAt)],
          [
            "By",
            supersededBy !== null && (
              <OrderLink key="by" orderId={supersededBy}>
                the order that replaced it
              </OrderLink>
            ),
          ],
          ["Cancelled", order.cancelledAt !== null && formatExact(order.cancelledAt)],
        ]}
      />
    </section>
  );
}

function LineItems({ items }: { readonly items: readonly AdminOrderLineItem[] }) {
  return (
    <Table
      caption="What is ordered"
      rows={items.map((item, index) => ({ ...item, index }))}
      idOf={({ index }) => index}
      columns={(column) => [
        column(
          "Agent",
          { isName: true, look: ({ agentId }) => (agentId === null ? "" : "mono") },
          ({ agentId }) => agentId ?? "Credits alone",
        ),
        column("Fee", { isNumber: true }, ({ platformFee: fee }) =>
          fee === null ? <None /> : formatMoney(fee.amount, fee.currency),
        ),
        column("Credits", { isNumber: true }, ({ creditBenefits }) => (
          <CreditsOf
            parts={creditBenefits.map((benefit) => ({
              creditCurrencyKey: benefit.credit_currency_key,
              credits: benefit.credits,
              terms: formatTerms(benefit),
            }))}
          />
        )),
      ]}
    />
  );
}

/** Cancels an order that is not active yet, and voids its invoice. */
function CancelDialog({ order }: { order: AdminOrderDetails }) {
  const organization = useOrganization();
  const [reason, setReason] = useState("");
  const { data: customer } = useAnswer(customerQuery, order.customerExternalId);
  const invoice = order.invoices.find(({ type, status }) => type === "order" && status === "open");
  return (
    <ActionDialog
      title={`Cancel ${order.orderName}`}
      action="Cancel the order"
      isDanger
      isReady={reason.trim() !== "" && customer !== undefined}
      failure="The order is not cancelled."
      send={() => organization.orders.cancel(order.orderId, { reason: reason.trim() })}
      untrue={bookQueries}
      onDone={() => notify(`${order.orderName} is cancelled`)}
    >
      <ReasonField name="reason" value={reason} onChange={setReason} autoFocus />
      {customer === undefined ? (
        <div className="bone block" />
      ) : (
        <Effect rows={withdrawalRows(benefitsOf(order), customer.wallets)}>
          <p>
            The order never starts.{" "}
            {invoice !== undefined &&
              `${invoiceName(invoice)} is void, and ${customer.name} owes ${askedFor(invoice)} no more.`}
            {order.type === "top_up" && ` ${topUpWarning}`}
          </p>
          <p className="quiet">It cannot be undone: make another order.</p>
        </Effect>
      )}
    </ActionDialog>
  );
}
