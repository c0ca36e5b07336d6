import type { AdminOrder } from "@creditgate/admin";
import { useAnswer } from "../api/query.ts";
import { keyOf } from "../parts/address.ts";
import { customerColumn, OrderLink } from "../parts/links.tsx";
import { Empty, Listing, Table } from "../parts/table.tsx";
import { Day } from "../parts/time.tsx";
import { ordersQuery } from "./queries.ts";
import { useRecordsPart } from "./record-toolbar.tsx";
import { OrderBadge } from "./status-badge.tsx";
import { orderStatuses, orderTypeName, orderTypes } from "./words.ts";

export function OrderList() {
  const { part, search, isFiltered } = useRecordsPart();
  const status = keyOf(orderStatuses, search.status);
  const type = keyOf(orderTypes, search.type);
  const orders = useAnswer(ordersQuery, { ...part, status, type });
  return (
    <Listing
      query={orders}
      rowsOf={(answer) => answer.orders}
      failure="The orders could not be loaded."
      empty={
        <Empty title={isFiltered ? "No such order" : "No orders yet"}>
          {isFiltered
            ? "No order passes these filters. The ID of a customer must be whole."
            : "Orders come here when you make them, when your application does, by the API, or when a wallet tops itself up."}
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
        column("Starts", { from: 3, look: "quiet" }, ({ startDate }) => <Day at={startDate} />),
        column("Made", { from: 1, look: "quiet" }, ({ createdAt }) => <Day at={createdAt} />),
        column("State", {}, ({ status }) => <OrderBadge status={status} />),
      ]}
    />
  );
}
