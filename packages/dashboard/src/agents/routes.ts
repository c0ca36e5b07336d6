import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { textOf } from "../shell/address.ts";
import { organizationRoute } from "../shell/routes.ts";

export interface AgentsSearch {
  /** The agent that is shown; without it the first. */
  agent?: string;
  /** Its indicator whose price is shown; without it the first. */
  indicator?: string;
}

export const agentsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/agents",
  component: lazyRouteComponent(() => import("./agents-page.tsx"), "AgentsPage"),
  validateSearch: ({ agent, indicator }): AgentsSearch => ({
    ...textOf("agent", agent),
    ...textOf("indicator", indicator),
  }),
});
