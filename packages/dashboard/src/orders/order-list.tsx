import type { AdminOrder } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Empty } from "../parts/empty.tsx";
import { keyOf } from "../parts/key-of.ts";
import { Listing } from "../parts/listing.tsx";
import { Day } from "../parts/time.tsx";
import { CustomerLink, OrderLink } from "./links.tsx";
import { ordersQuery } from "./queries.ts";
import { useMove, useRecordsPart } from "./records-part.ts";
import { OrderBadge } from "./status-badge.tsx";
import { orderStatuses, orderTypes } from "./words.ts";

export function OrderList(): ReactNode {
  const { part, search, isFiltered } = useRecordsPart();
  const onMove = useMove();
  const status = keyOf(orderStatuses, search.status);
  const type = keyOf(orderTypes, search.type);
  const orders = useQuery(ordersQuery({ ...part, status, type }));
  return (
    <Listing
      query={orders}
      rowsOf={(answer) => answer.orders}
      failure="The orders could not be loaded."
      empty={<Nothing isFiltered={isFiltered} />}
      cursor={part.cursor}
      onMove={onMove}
    >
      {(rows, isOld) => <OrderTable orders={rows} isOld={isOld} />}
    </Listing>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  return (
    <Empty title={isFiltered ? "No such order" : "No orders yet"}>
      <p>
        {isFiltered
          ? "No order passes these filters. The ID of a customer must be whole."
          : "Orders come here when you make them, when your application does, by the API, or when a wallet tops itself up."}
      </p>
    </Empty>
  );
}

/** Orders, the newest first; without the customer on a page of one. */
export function OrderTable({
  orders,
  isOld = false,
  hasCustomer = true,
}: {
  readonly orders: readonly AdminOrder[];
  readonly isOld?: boolean;
  readonly hasCustomer?: boolean;
}): ReactNode {
  return (
    <table className="rows" aria-busy={isOld}>
      <caption className="unseen">Orders, the newest first</caption>
      <thead>
        <tr>
          <th scope="col">Order</th>
          {hasCustomer && (
            <th scope="col" className="p1">
              Customer
            </th>
          )}
          <th scope="col" className="p2">
            Type
          </th>
          <th scope="col" className="p3">
            Starts
          </th>
          <th scope="col" className="p1">
            Made
          </th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <tr key={order.orderId}>
            <th scope="row">
              <OrderLink orderId={order.orderId} isCover>
                {order.orderName}
              </OrderLink>
              <span className="sub phone">
                {hasCustomer && <span className="mono">{order.customerExternalId}, </span>}
                <Day at={order.createdAt} />
              </span>
            </th>
            {hasCustomer && (
              <td className="p1 breaks">
                <CustomerLink customerId={order.customerExternalId} />
              </td>
            )}
            <td className="p2">{typeOf(order)}</td>
            <td className="quiet p3">
              <Day at={order.startDate} />
            </td>
            <td className="quiet p1">
              <Day at={order.createdAt} />
            </td>
            <td>
              <OrderBadge status={order.status} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function typeOf({ type }: AdminOrder): string {
  const known = keyOf(orderTypes, type);
  return known === undefined ? type : orderTypes[known];
}
