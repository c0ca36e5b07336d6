import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { dayOf } from "../parts/day-span.tsx";
import { keyOf } from "../parts/key-of.ts";
import { textOf } from "../shell/address.ts";
import { organizationRoute } from "../shell/routes.ts";
import { outcomeFilters, sums, type UsageSearch } from "./search.ts";

export const usageRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/usage",
  component: lazyRouteComponent(() => import("./usage-page.tsx"), "UsagePage"),
  validateSearch({ by, customer, agent, indicator, outcome, from, to, cursor }): UsageSearch {
    const [shown, become] = [keyOf(sums, by), keyOf(outcomeFilters, outcome)];
    const ofAgent = textOf("agent", agent);
    return {
      ...(shown === undefined ? {} : { by: shown }),
      ...textOf("customer", customer),
      ...ofAgent,
      ...(ofAgent.agent === undefined ? {} : textOf("indicator", indicator)),
      // Sums are of all usage.
      ...(become === undefined || shown !== undefined ? {} : { outcome: become }),
      ...dayOf("from", from),
      ...dayOf("to", to),
      ...textOf("cursor", cursor),
    };
  },
});
