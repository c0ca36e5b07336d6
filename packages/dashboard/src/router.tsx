import { createRoute, createRouter } from "@tanstack/react-router";
import { agentsRoute } from "./agents/routes.ts";
import { auditRoute } from "./audit/routes.ts";
import { booksRoute } from "./books/routes.ts";
import { customerRoute, customersRoute } from "./customers/routes.ts";
import { gatesRoute } from "./gates/routes.ts";
import { keysRoute } from "./keys/routes.ts";
import { invoiceRoute, orderRoute, ordersRoute } from "./orders/routes.ts";
import { overviewRoute } from "./overview/routes.ts";
import { accountRoute, peopleRoute } from "./people/routes.ts";
import { isOwnPath } from "./shell/address.ts";
import { ErrorPage } from "./shell/error-page.tsx";
import { HomePage } from "./shell/home-page.tsx";
import { organizationRoute, rootRoute, shellRoute } from "./shell/routes.ts";
import { SignInPage } from "./sign-in/sign-in-page.tsx";
import { WelcomePage } from "./sign-in/welcome-page.tsx";
import { startRoute } from "./start/routes.ts";
import { usageRoute } from "./usage/routes.ts";
import { webhookRoute, webhooksRoute } from "./webhooks/routes.ts";

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
        ...[customersRoute, customerRoute],
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
