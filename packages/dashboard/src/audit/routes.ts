import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { dayOf } from "../parts/day-span.tsx";
import { keyOf } from "../parts/key-of.ts";
import { textOf } from "../shell/address.ts";
import { organizationRoute } from "../shell/routes.ts";
import type { AuditSearch } from "./search.ts";
import { actions } from "./words.ts";

export const auditRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/audit",
  component: lazyRouteComponent(() => import("./audit-page.tsx"), "AuditPage"),
  validateSearch: ({ who, action, from, to, cursor }): AuditSearch => ({
    ...textOf("who", who),
    ...textOf("action", keyOf(actions, action)),
    ...dayOf("from", from),
    ...dayOf("to", to),
    ...textOf("cursor", cursor),
  }),
});
