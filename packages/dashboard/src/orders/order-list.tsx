import type { AdminOrder } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { keyOf } from "../parts/address.ts";
import { Empty, Listing } from "../parts/listing.tsx";
import { Table } from "../parts/table.tsx";
import { Day } from "../parts/time.tsx";
import { useFilters } from "../parts/toolbar.tsx";
import { customerColumn, OrderLink } from "./links.tsx";
import { ordersQuery } from "./queries.ts";
import { useRecordsPart } from "./record-toolbar.tsx";
import { OrderBadge } from "./status-badge.tsx";
import { orderStatuses, orderTypeName, orderTypes } from "./words.ts";

export function OrderList() {
  const { part, search, isFiltered } = useRecordsPart();
  const { move } = useFilters();
  const status = keyOf(orderStatuses, search.status);
  const type = keyOf(orderTypes, search.type);
  const orders = useQuery(ordersQuery({ ...part, status, type }));
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
      cursor={part.cursor}
      onMove={move}
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
      columns={[
        {
          header: "Order",
          isName: true,
          cell: ({ orderId, orderName, customerExternalId, createdAt }) => (
            <>
              <OrderLink orderId={orderId} isCover>
                {orderName}
              </OrderLink>
              <span className="sub phone">
                {hasCustomer && <span className="mono">{customerExternalId}, </span>}
                <Day at={createdAt} />
              </span>
            </>
          ),
        },
        hasCustomer && customerColumn,
        { header: "Type", from: 2, cell: ({ type }) => orderTypeName(type) },
        { header: "Starts", from: 3, look: "quiet", cell: ({ startDate }) => <Day at={startDate} /> },
        { header: "Made", from: 1, look: "quiet", cell: ({ createdAt }) => <Day at={createdAt} /> },
        { header: "State", cell: ({ status }) => <OrderBadge status={status} /> },
      ]}
    />
  );
}
