import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { organizationRoute } from "../shell/routes.ts";

export const keysRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/keys",
  component: lazyRouteComponent(() => import("./keys-page.tsx"), "KeysPage"),
  validateSearch: ({ ended }): { ended?: true } => (ended === true ? { ended } : {}),
});
