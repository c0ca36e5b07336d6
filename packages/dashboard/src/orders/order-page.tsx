import type { AdminOrderDetails, AdminOrderLineItem } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { useMay, useOrganizationId } from "../api/account.ts";
import { standing } from "../api/standing.ts";
import { customerQuery } from "../customers/queries.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { formatCredits } from "../parts/credits.ts";
import { Crumbs } from "../parts/crumbs.tsx";
import { Facts } from "../parts/facts.tsx";
import { keyOf } from "../parts/key-of.ts";
import { Missing } from "../parts/missing.tsx";
import { formatMoney } from "../parts/money.ts";
import { OldNote } from "../parts/old-note.tsx";
import { Page } from "../parts/page.tsx";
import { Day, formatExact } from "../parts/time.tsx";
import { CancelDialog } from "./cancel-dialog.tsx";
import { InvoiceTable } from "./invoice-list.tsx";
import { CustomerLink, OrderLink } from "./links.tsx";
import { orderQuery } from "./queries.ts";
import { OrderBadge } from "./status-badge.tsx";
import { orderTypes } from "./words.ts";

/** An order: what it is of, what it brings, and its invoices. */
export function OrderPage(): ReactNode {
  const organizationId = useOrganizationId();
  const { orderId } = useParams({ from: "/shell/organizations/$organizationId/orders/$orderId" });
  const order = useQuery(orderQuery(organizationId, orderId));
  const known = standing(order);
  if (known !== undefined) return <Loaded key={orderId} order={known} old={<OldNote query={order} />} />;
  return (
    <Missing
      crumbs={<OrderCrumbs name="Order" />}
      error={order.error}
      unknown="No such order"
      failure="The order could not be loaded."
      onRetry={() => void order.refetch()}
    />
  );
}

function OrderCrumbs({ name }: { readonly name: string }): ReactNode {
  return <Crumbs list="Orders and invoices" to="/organizations/$organizationId/orders" name={name} />;
}

function Loaded({ order, old }: { readonly order: AdminOrderDetails; readonly old: ReactNode }): ReactNode {
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
          <Button className="btn danger" onPress={() => setIsCancelling(true)}>
            Cancel the order
          </Button>
        )
      }
    >
      {old}
      <OrderFacts order={order} />
      <section className="section" aria-labelledby="items">
        <header>
          <h2 id="items">What is ordered</h2>
        </header>
        <LineItems items={order.lineItems} />
      </section>
      <section className="section" aria-labelledby="invoices">
        <header>
          <h2 id="invoices">Invoices</h2>
        </header>
        <InvoiceTable invoices={order.invoices} hasCustomer={false} />
      </section>
      {isCancelling && <CancelDialog order={order} onClose={() => setIsCancelling(false)} />}
    </Page>
  );
}

function OrderFacts({ order }: { readonly order: AdminOrderDetails }): ReactNode {
  const organizationId = useOrganizationId();
  const { customerExternalId, type, supersededBy, supersededAt } = order;
  const { data: customer } = useQuery(customerQuery(organizationId, customerExternalId));
  const known = keyOf(orderTypes, type);
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
          ["Type", known === undefined ? type : orderTypes[known]],
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

function LineItems({ items }: { readonly items: readonly AdminOrderLineItem[] }): ReactNode {
  return (
    <table>
      <caption className="unseen">What is ordered</caption>
      <thead>
        <tr>
          <th scope="col">Agent</th>
          <th scope="col" className="r">
            Fee
          </th>
          <th scope="col" className="r">
            Credits
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ agentId, platformFee, creditBenefits }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the items of an order never change
          <tr key={index}>
            <th scope="row" className={agentId === null ? "" : "mono"}>
              {agentId ?? "Credits alone"}
            </th>
            <td className="r">
              {platformFee === null ? (
                <span className="zero">none</span>
              ) : (
                formatMoney(platformFee.amount, platformFee.currency)
              )}
            </td>
            <td className="r">
              {creditBenefits.length === 0 ? (
                <span className="zero">none</span>
              ) : (
                creditBenefits.map(({ credits, credit_currency_key: currency }) => (
                  <span key={currency} className="each">
                    {formatCredits(credits)} <span className="mono quiet">{currency}</span>
                  </span>
                ))
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
