import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { textOf } from "../shell/address.ts";
import { organizationRoute } from "../shell/routes.ts";
import { isPeriod, type Period } from "./period.ts";

export interface OverviewSearch {
  /** @default 30 days */
  period?: Period;
  /** Whose bars are shown. @default agents */
  by?: "customer";
  /** @default the first one */
  currency?: string;
}

/** Where an organisation begins. */
export const overviewRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/overview",
  component: lazyRouteComponent(() => import("./overview-page.tsx"), "OverviewPage"),
  validateSearch: ({ period, by, currency }): OverviewSearch => ({
    ...(isPeriod(period) ? { period } : {}),
    ...(by === "customer" ? { by } : {}),
    ...textOf("currency", currency),
  }),
});
