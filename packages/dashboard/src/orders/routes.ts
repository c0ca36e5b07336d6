import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { dayOf } from "../parts/day-span.tsx";
import { keyOf } from "../parts/key-of.ts";
import { textOf } from "../shell/address.ts";
import { organizationRoute } from "../shell/routes.ts";
import { type OrdersSearch, shown } from "./search.ts";
import { invoiceStatuses, invoiceTypes, orderStatuses, orderTypes } from "./words.ts";

export const ordersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/orders",
  component: lazyRouteComponent(() => import("./orders-page.tsx"), "OrdersPage"),
  validateSearch({ show, status, type, customer, cursor, from, to }): OrdersSearch {
    const list = keyOf(shown, show);
    const statuses = list === "orders" ? orderStatuses : list === undefined ? invoiceStatuses : {};
    const types = list === "orders" ? orderTypes : list === undefined ? invoiceTypes : {};
    return {
      ...(list === undefined ? {} : { show: list }),
      ...textOf("status", keyOf(statuses, status)),
      ...textOf("type", keyOf(types, type)),
      ...textOf("customer", customer),
      ...dayOf("from", from),
      ...dayOf("to", to),
      ...textOf("cursor", cursor),
    };
  },
});

export const orderRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/orders/$orderId",
  component: lazyRouteComponent(() => import("./order-page.tsx"), "OrderPage"),
});

export const invoiceRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/orders/invoices/$invoiceId",
  component: lazyRouteComponent(() => import("./invoice-page.tsx"), "InvoicePage"),
});
