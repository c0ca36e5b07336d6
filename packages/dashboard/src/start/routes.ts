import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { organizationRoute } from "../shell/routes.ts";

export const startRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/start",
  component: lazyRouteComponent(() => import("./start-page.tsx"), "StartPage"),
});
