import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { organizationRoute } from "../shell/routes.ts";

export const peopleRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/people",
  component: lazyRouteComponent(() => import("./people-page.tsx"), "PeoplePage"),
});

export const accountRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/account",
  component: lazyRouteComponent(() => import("./account-page.tsx"), "AccountPage"),
});
