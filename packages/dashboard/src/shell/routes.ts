import { createRootRoute, createRoute, Outlet } from "@tanstack/react-router";
import { MissingPage } from "./missing-page.tsx";
import { Shell } from "./shell.tsx";

export const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: MissingPage });

/** What one must have signed in for. */
export const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: "shell", component: Shell });

/** What belongs to one organisation. Each area's `routes.ts` hangs its pages in here. */
export const organizationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/organizations/$organizationId",
  component: Outlet,
});
