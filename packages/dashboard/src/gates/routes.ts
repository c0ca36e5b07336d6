import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { keyOf } from "../parts/key-of.ts";
import { textOf } from "../shell/address.ts";
import { organizationRoute } from "../shell/routes.ts";
import { periods } from "./periods.ts";

export const gatesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/gates",
  component: lazyRouteComponent(() => import("./gates-page.tsx"), "GatesPage"),
  validateSearch: ({ period }): { period?: string } => textOf("period", keyOf(periods, period)),
});
