import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from "@tanstack/react-router";
import { queryClient } from "./api/client.ts";
import { accountQuery, organizationsQuery } from "./api/query.ts";
import type { AuditSearch } from "./audit/queries.ts";
import { actions } from "./audit/words.ts";
import { type BooksSearch, bookPeriods, journals } from "./books/queries.ts";
import { type CustomerSearch, customerParts } from "./customer/search.ts";
import { gatePeriods } from "./gates/queries.ts";
import {
  invoiceStatuses,
  invoiceTypes,
  type OrdersSearch,
  orderStatuses,
  orderTypes,
  recordLists,
} from "./orders/words.ts";
import { type Period, periods } from "./overview/queries.ts";
import { choiceOf, dayOf, isOwnPath, listSearchOf, textOf } from "./parts/address.ts";
import { HomePage } from "./shell/home-page.tsx";
import { ErrorPage, MissingPage } from "./shell/no-page.tsx";
import { Shell } from "./shell/shell.tsx";
import { SignInPage } from "./sign-in/sign-in-page.tsx";
import { WelcomePage } from "./sign-in/welcome-page.tsx";
import { outcomeFilters, sums, type UsageSearch } from "./usage/queries.ts";
import { type DeliveriesSearch, deliveryStatuses, eventTypes } from "./webhooks/words.ts";

const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: MissingPage });

/** The pages that need a session. */
const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  component: Shell,
  // Asked while the code of the page is loaded.
  loader() {
    void queryClient.prefetchQuery(accountQuery);
    void queryClient.prefetchQuery(organizationsQuery);
  },
});

/** The pages of one organisation. */
const organizationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/organizations/$organizationId",
  component: Outlet,
});

interface OverviewSearch {
  /** @default 30 days */
  period?: Period;
  /** Whose bars are shown. @default agents */
  by?: "customer";
  /** @default the first one */
  currency?: string;
}

/** Where an organisation begins. */
const overviewRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/overview",
  component: lazyRouteComponent(() => import("./overview/overview-page.tsx"), "OverviewPage"),
  validateSearch: ({ period, by, currency }): OverviewSearch => ({
    ...choiceOf("period", periods, period),
    ...(by === "customer" ? { by } : {}),
    ...textOf("currency", currency),
  }),
});

interface CustomersSearch {
  /** Beginnings of words in name, ID or email. */
  search?: string;
  /** The currency whose wallets are shown. */
  wallet?: string;
  /** Where the part of the list begins. */
  cursor?: string;
}

const customersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/customers",
  component: lazyRouteComponent(() => import("./customers/customers-page.tsx"), "CustomersPage"),
  validateSearch: ({ search, wallet, cursor }): CustomersSearch => ({
    ...textOf("search", search),
    ...textOf("wallet", wallet),
    ...textOf("cursor", cursor),
  }),
});

const customerRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/customers/$customerId",
  component: lazyRouteComponent(() => import("./customer/customer-page.tsx"), "CustomerPage"),
  validateSearch: ({ wallet, show }): CustomerSearch => ({
    ...textOf("wallet", wallet),
    ...choiceOf("show", customerParts, show),
  }),
});

const budgetsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/budgets",
  component: lazyRouteComponent(() => import("./budgets/budgets-page.tsx"), "BudgetsPage"),
  validateSearch: ({ customer, cursor }): { customer?: string; cursor?: string } =>
    listSearchOf({ customer, cursor }),
});

interface AgentsSearch {
  /** The agent that is shown; without it the first. */
  agent?: string;
  /** Its indicator whose price is shown; without it the first. */
  indicator?: string;
}

const agentsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/agents",
  component: lazyRouteComponent(() => import("./agents/agents-page.tsx"), "AgentsPage"),
  validateSearch: ({ agent, indicator }): AgentsSearch => ({
    ...textOf("agent", agent),
    ...textOf("indicator", indicator),
  }),
});

const usageRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/usage",
  component: lazyRouteComponent(() => import("./usage/usage-page.tsx"), "UsagePage"),
  validateSearch({ by, agent, indicator, outcome, ...rest }): UsageSearch {
    const shown = choiceOf("by", sums, by);
    const ofAgent = textOf("agent", agent);
    return {
      ...shown,
      ...listSearchOf(rest),
      ...ofAgent,
      ...(ofAgent.agent === undefined ? {} : textOf("indicator", indicator)),
      // Sums are of all usage.
      ...(shown.by === undefined ? choiceOf("outcome", outcomeFilters, outcome) : {}),
    };
  },
});

const ordersRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/orders",
  component: lazyRouteComponent(() => import("./orders/orders-page.tsx"), "OrdersPage"),
  validateSearch({ show, status, type, ...rest }): OrdersSearch {
    const shown = choiceOf("show", recordLists, show);
    const { show: list } = shown;
    const statuses = list === "orders" ? orderStatuses : list === undefined ? invoiceStatuses : {};
    const types = list === "orders" ? orderTypes : list === undefined ? invoiceTypes : {};
    return {
      ...shown,
      ...choiceOf("status", statuses, status),
      ...choiceOf("type", types, type),
      ...listSearchOf(rest),
    };
  },
});

const orderRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/orders/$orderId",
  component: lazyRouteComponent(() => import("./orders/order-page.tsx"), "OrderPage"),
});

const invoiceRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/orders/invoices/$invoiceId",
  component: lazyRouteComponent(() => import("./orders/invoice-page.tsx"), "InvoicePage"),
});

const booksRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/books",
  component: lazyRouteComponent(() => import("./books/books-page.tsx"), "BooksPage"),
  validateSearch: ({ show, period, from, to }): BooksSearch => ({
    ...choiceOf("show", journals, show),
    ...choiceOf("period", bookPeriods, period),
    ...dayOf("from", from),
    ...dayOf("to", to),
  }),
});

const gatesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/gates",
  component: lazyRouteComponent(() => import("./gates/gates-page.tsx"), "GatesPage"),
  validateSearch: ({ period }): { period?: string } => choiceOf("period", gatePeriods, period),
});

const keysRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/keys",
  component: lazyRouteComponent(() => import("./keys/keys-page.tsx"), "KeysPage"),
  validateSearch: ({ ended }): { ended?: true } => (ended === true ? { ended } : {}),
});

const webhooksRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/webhooks",
  component: lazyRouteComponent(() => import("./webhooks/webhooks-page.tsx"), "WebhooksPage"),
});

const webhookRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/webhooks/$endpointId",
  component: lazyRouteComponent(() => import("./webhooks/webhook-page.tsx"), "WebhookPage"),
  validateSearch: ({ status, type, ...rest }): DeliveriesSearch => ({
    ...choiceOf("status", deliveryStatuses, status),
    ...choiceOf("type", eventTypes, type),
    ...listSearchOf(rest),
  }),
});

const peopleRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/people",
  component: lazyRouteComponent(() => import("./people/people-page.tsx"), "PeoplePage"),
});

const accountRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/account",
  component: lazyRouteComponent(() => import("./people/account-page.tsx"), "AccountPage"),
});

const auditRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/audit",
  component: lazyRouteComponent(() => import("./audit/audit-page.tsx"), "AuditPage"),
  validateSearch: ({ who, action, from, to, cursor }): AuditSearch => ({
    ...textOf("who", who),
    ...choiceOf("action", actions, action),
    ...listSearchOf({ from, to, cursor }),
  }),
});

const startRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/start",
  component: lazyRouteComponent(() => import("./start/start-page.tsx"), "StartPage"),
});

const signIn = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  component: SignInPage,
  validateSearch: ({ next }): { next?: string } => (isOwnPath(next) ? { next } : {}),
});

const welcome = createRoute({ getParentRoute: () => rootRoute, path: "/welcome", component: WelcomePage });

const home = createRoute({ getParentRoute: () => shellRoute, path: "/", component: HomePage });

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signIn,
    welcome,
    shellRoute.addChildren([
      home,
      organizationRoute.addChildren([
        overviewRoute,
        ...[customersRoute, customerRoute, budgetsRoute],
        ...[startRoute, agentsRoute, keysRoute],
        ...[ordersRoute, orderRoute, invoiceRoute, booksRoute],
        usageRoute,
        gatesRoute,
        ...[webhooksRoute, webhookRoute],
        ...[peopleRoute, auditRoute, accountRoute],
      ]),
    ]),
  ]),
  basepath: "/dashboard",
  defaultPreload: "intent",
  defaultErrorComponent: ErrorPage,
  scrollRestoration: true,
  // Without it a page gets what its address says and its validateSearch leaves out.
  search: { strict: true },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
