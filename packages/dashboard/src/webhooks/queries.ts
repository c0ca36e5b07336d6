import type { WebhookDeliveryQuery } from "@creditgate/admin";
import { organizationQuery } from "../api/query.ts";

/** All endpoints: an organisation has 20 at most. */
export const webhooksQuery = organizationQuery(
  "webhooks",
  ({ webhooks }, options) => webhooks.list(options),
  { refetchInterval: 10_000 },
);

/** What was sent to an endpoint and what waits, looked at again every few seconds. */
export const deliveriesQuery = organizationQuery(
  "deliveries",
  ({ webhooks }, options, query: WebhookDeliveryQuery) => webhooks.deliveries.list(query, options),
  { keepsLast: true, refetchInterval: 5_000 },
);

/** The queries that a change of an endpoint makes untrue. */
export const webhookQueries = ["webhooks", "deliveries"];
