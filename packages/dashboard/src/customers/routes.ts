import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { keyOf } from "../parts/key-of.ts";
import { textOf } from "../shell/address.ts";
import { organizationRoute } from "../shell/routes.ts";
import { type CustomerSearch, customerParts } from "./search.ts";

export interface CustomersSearch {
  /** Beginnings of words in name, ID or email. */
  search?: string;
  /** The currency whose wallets are shown. */
  wallet?: string;
  /** Where the part of the list begins. */
  cursor?: string;
}

export const customersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/customers",
  component: lazyRouteComponent(() => import("./customers-page.tsx"), "CustomersPage"),
  validateSearch: ({ search, wallet, cursor }): CustomersSearch => ({
    ...textOf("search", search),
    ...textOf("wallet", wallet),
    ...textOf("cursor", cursor),
  }),
});

export const customerRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/customers/$customerId",
  component: lazyRouteComponent(() => import("./customer-page.tsx"), "CustomerPage"),
  validateSearch({ wallet, show }): CustomerSearch {
    const part = keyOf(customerParts, show);
    return { ...textOf("wallet", wallet), ...(part === undefined ? {} : { show: part }) };
  },
});
