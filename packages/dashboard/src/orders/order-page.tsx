import type { AdminOrderDetails, AdminOrderLineItem } from "@creditgate/admin";
import { useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useAnswer, useMay, useOrganization } from "../api/query.ts";
import { customerQuery } from "../customers/queries.ts";
import { formatMoney } from "../parts/amounts.ts";
import { CopyButton } from "../parts/button.tsx";
import { ReasonField } from "../parts/field.tsx";
import { ActionDialog, DialogButton, Effect, EffectPlace } from "../parts/form-dialog.tsx";
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
      unknown="Order not found"
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
          <CopyButton text={orderId} />
        </div>
      }
      actions={
        <DialogButton text="Cancel order" look="danger" isShown={mayChange && status === "pending"}>
          <CancelDialog order={order} />
        </DialogButton>
      }
    >
      {old}
      <OrderFacts order={order} />
      <Section id="items" title="Line items">
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
    <section className="panel" aria-label="Order details">
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
          ["Created", formatExact(order.createdAt)],
          ["Active since", order.activatedAt !== null && formatExact(order.activatedAt)],
          ["Superseded", supersededAt !== null && formatExact(supersededAt)],
          [
            "Superseded by",
            supersededBy !== null && (
              <OrderLink key="by" orderId={supersededBy}>
                Replacement order
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
      caption="Line items"
      rows={items.map((item, index) => ({ ...item, index }))}
      idOf={({ index }) => index}
      columns={(column) => [
        column(
          "Agent",
          { isName: true, look: ({ agentId }) => (agentId === null ? "" : "mono") },
          ({ agentId }) => agentId ?? "Credits only",
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
  const { data: customer, error } = useAnswer(customerQuery, order.customerExternalId);
  const invoice = order.invoices.find(({ type, status }) => type === "order" && status === "open");
  return (
    <ActionDialog
      title={`Cancel ${order.orderName}`}
      action="Cancel order"
      isDanger
      isReady={reason.trim() !== "" && customer !== undefined}
      failure="The order could not be cancelled."
      send={() => organization.orders.cancel(order.orderId, { reason: reason.trim() })}
      untrue={bookQueries}
      onDone={() => notify(`${order.orderName} cancelled`)}
    >
      <ReasonField name="reason" value={reason} onChange={setReason} autoFocus />
      <EffectPlace error={error} isLoaded={customer !== undefined} />
      {customer !== undefined && (
        <Effect rows={withdrawalRows(benefitsOf(order), customer.wallets)}>
          <p>
            The order never becomes active.{" "}
            {invoice !== undefined &&
              `${invoiceName(invoice)} is voided; ${customer.name} no longer owes ${askedFor(invoice)}.`}
            {order.type === "top_up" && ` ${topUpWarning}`}
          </p>
          <p className="quiet">This cannot be undone.</p>
        </Effect>
      )}
    </ActionDialog>
  );
}
