import { createRootRoute, createRoute, createRouter, Outlet } from "@tanstack/react-router";
import { CustomerPage } from "./customers/customer-page.tsx";
import { CustomersPage } from "./customers/customers-page.tsx";
import { HomePage } from "./shell/home-page.tsx";
import { MissingPage } from "./shell/missing-page.tsx";
import { Shell } from "./shell/shell.tsx";
import { SignInPage } from "./sign-in/sign-in-page.tsx";
import { WelcomePage } from "./sign-in/welcome-page.tsx";

const root = createRootRoute({ component: Outlet, notFoundComponent: MissingPage });

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  component: SignInPage,
  validateSearch: ({ next }): { next?: string } => (isOwnPath(next) ? { next } : {}),
});

const welcome = createRoute({ getParentRoute: () => root, path: "/welcome", component: WelcomePage });

const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Shell });

const home = createRoute({ getParentRoute: () => shell, path: "/", component: HomePage });

const organization = createRoute({
  getParentRoute: () => shell,
  path: "/organizations/$organizationId",
  component: Outlet,
});

const customers = createRoute({
  getParentRoute: () => organization,
  path: "/customers",
  component: CustomersPage,
  validateSearch: ({ search, wallet, cursor }): CustomersSearch => ({
    ...textOf("search", search),
    ...textOf("wallet", wallet),
    ...textOf("cursor", cursor),
  }),
});

export interface CustomersSearch {
  /** Beginnings of words in name, ID or email. */
  search?: string;
  /** The currency whose wallets are shown. */
  wallet?: string;
  /** Where the part of the list begins. */
  cursor?: string;
}

const customer = createRoute({
  getParentRoute: () => organization,
  path: "/customers/$customerId",
  component: CustomerPage,
  validateSearch: ({ wallet }): { wallet?: string } => textOf("wallet", wallet),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    welcome,
    shell.addChildren([home, organization.addChildren([customers, customer])]),
  ]),
  basepath: "/dashboard",
  defaultPreload: "intent",
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

/** In the address 12 is a number, and a name may be one. */
function textOf<Name extends string>(name: Name, value: unknown): { [Of in Name]?: string } {
  const isText = (typeof value === "string" && value !== "") || typeof value === "number";
  const found: { [Of in Name]?: string } = {};
  if (isText) found[name] = String(value);
  return found;
}

/** A page of ours, and not another site's: one that signs in goes where it was. */
function isOwnPath(next: unknown): next is string {
  return typeof next === "string" && /^\/(?![/\\])/.test(next);
}
