import type { AdminOrderDetails, AdminOrderLineItem } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useMay, useOrganizationId } from "../api/account.ts";
import { customerQuery } from "../customers/queries.ts";
import { formatMoney } from "../parts/amounts.ts";
import { CopyButton, TextButton } from "../parts/button.tsx";
import { Crumbs, Facts, Page, RecordPage, Section } from "../parts/page.tsx";
import { None, Table } from "../parts/table.tsx";
import { Day, formatExact } from "../parts/time.tsx";
import { CancelDialog } from "./cancel-dialog.tsx";
import { CreditsOf } from "./credit-note-list.tsx";
import { InvoiceTable } from "./invoice-list.tsx";
import { CustomerLink, OrderLink } from "./links.tsx";
import { orderQuery } from "./queries.ts";
import { OrderBadge } from "./status-badge.tsx";
import { orderTypeName } from "./words.ts";

/** An order: its items, what it brings, and its invoices. */
export function OrderPage() {
  const organizationId = useOrganizationId();
  const { orderId } = useParams({ from: "/shell/organizations/$organizationId/orders/$orderId" });
  return (
    <RecordPage
      query={useQuery(orderQuery(organizationId, orderId))}
      crumbs={<OrderCrumbs name="Order" />}
      unknown="No such order"
      failure="The order could not be loaded."
    >
      {(order, old) => <Loaded key={orderId} order={order} old={old} />}
    </RecordPage>
  );
}

function OrderCrumbs({ name }: { readonly name: string }) {
  return <Crumbs list="Orders and invoices" to="/organizations/$organizationId/orders" name={name} />;
}

function Loaded({ order, old }: { readonly order: AdminOrderDetails; readonly old: ReactNode }) {
  const mayChange = useMay("money");
  const [isCancelling, setIsCancelling] = useState(false);
  const { orderName, orderId, status } = order;
  return (
    <Page
      title={orderName}
      crumbs={<OrderCrumbs name={orderName} />}
      facts={
        <div className="facts">
          <OrderBadge status={status} />
          <CopyButton className="copy" text={orderId} label={`Copy the ID ${orderId}`}>
            {orderId}
          </CopyButton>
        </div>
      }
      actions={
        mayChange &&
        status === "pending" && (
          <TextButton text="Cancel the order" look="danger" onPress={() => setIsCancelling(true)} />
        )
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
      {isCancelling && <CancelDialog order={order} onClose={() => setIsCancelling(false)} />}
    </Page>
  );
}

function OrderFacts({ order }: { readonly order: AdminOrderDetails }) {
  const organizationId = useOrganizationId();
  const { customerExternalId, type, supersededBy, supersededAt } = order;
  const { data: customer } = useQuery(customerQuery(organizationId, customerExternalId));
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
      columns={[
        {
          header: "Agent",
          isName: true,
          look: ({ agentId }) => (agentId === null ? "" : "mono"),
          cell: ({ agentId }) => agentId ?? "Credits alone",
        },
        {
          header: "Fee",
          isNumber: true,
          cell: ({ platformFee: fee }) => (fee === null ? <None /> : formatMoney(fee.amount, fee.currency)),
        },
        { header: "Credits", isNumber: true, cell: (item) => <CreditsOf parts={item.creditBenefits} /> },
      ]}
    />
  );
}
