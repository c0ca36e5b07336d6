import type { AdminOrder } from "@creditgate/admin";
import { useAnswer } from "../api/query.ts";
import { keyOf } from "../parts/address.ts";
import { customerColumn, OrderLink } from "../parts/links.tsx";
import { Empty, Listing, Table } from "../parts/table.tsx";
import { Day } from "../parts/time.tsx";
import { NewOrder } from "./order-dialog.tsx";
import { ordersQuery } from "./queries.ts";
import { useRecordsPart } from "./record-toolbar.tsx";
import { OrderBadge } from "./status-badge.tsx";
import { orderStatuses, orderTypeName, orderTypes } from "./words.ts";

export function OrderList() {
  const { part, search } = useRecordsPart();
  const status = keyOf(orderStatuses, search.status);
  const type = keyOf(orderTypes, search.type);
  const orders = useAnswer(ordersQuery, { ...part, status, type });
  return (
    <Listing
      query={orders}
      rowsOf={(answer) => answer.orders}
      what="orders"
      empty={
        <Empty title="No orders yet" action={<NewOrder />}>
          An order sells credits to a customer and issues the invoice. You create orders here, your
          application through the API, and wallets by auto top-up.
        </Empty>
      }
    >
      {(rows, isOld) => <OrderTable orders={rows} isOld={isOld} />}
    </Listing>
  );
}

interface OrderTableProps {
  readonly orders: readonly AdminOrder[];
  readonly isOld?: boolean;
  readonly hasCustomer?: boolean;
}

/** Orders, the newest first; without the customer on a page of one. */
export function OrderTable({ orders, isOld = false, hasCustomer = true }: OrderTableProps) {
  return (
    <Table
      look="rows"
      caption="Orders, the newest first"
      rows={orders}
      idOf={({ orderId }) => orderId}
      isOld={isOld}
      columns={(column) => [
        column("Order", { isName: true }, ({ orderId, orderName, customerExternalId, createdAt }) => (
          <>
            <OrderLink orderId={orderId} isCover>
              {orderName}
            </OrderLink>
            <span className="sub phone">
              {hasCustomer && <span className="mono">{customerExternalId}, </span>}
              <Day at={createdAt} />
            </span>
          </>
        )),
        hasCustomer && customerColumn,
        column("Type", { from: 2 }, ({ type }) => orderTypeName(type)),
        column("Start date", { from: 3, look: "quiet" }, ({ startDate }) => <Day at={startDate} />),
        column("Created", { from: 1, look: "quiet" }, ({ createdAt }) => <Day at={createdAt} />),
        column("Status", {}, ({ status }) => <OrderBadge status={status} />),
      ]}
    />
  );
}
