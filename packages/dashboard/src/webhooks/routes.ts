import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { dayOf } from "../parts/day-span.tsx";
import { keyOf } from "../parts/key-of.ts";
import { textOf } from "../shell/address.ts";
import { organizationRoute } from "../shell/routes.ts";
import type { DeliveriesSearch } from "./search.ts";
import { deliveryStatuses, eventTypes } from "./words.ts";

export const webhooksRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/webhooks",
  component: lazyRouteComponent(() => import("./webhooks-page.tsx"), "WebhooksPage"),
});

export const webhookRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/webhooks/$endpointId",
  component: lazyRouteComponent(() => import("./webhook-page.tsx"), "WebhookPage"),
  validateSearch: ({ status, type, customer, cursor, from, to }): DeliveriesSearch => ({
    ...textOf("status", keyOf(deliveryStatuses, status)),
    ...textOf("type", keyOf(eventTypes, type)),
    ...textOf("customer", customer),
    ...dayOf("from", from),
    ...dayOf("to", to),
    ...textOf("cursor", cursor),
  }),
});
