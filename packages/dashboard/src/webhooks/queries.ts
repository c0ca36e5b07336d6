import type { WebhookDeliveryQuery } from "@creditgate/admin";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { admin } from "../api/client.ts";
import type { QueryKeys } from "../api/edit.ts";
import { type DaySpan, instantsOf } from "../parts/address.ts";

/** All endpoints: an organisation has 20 at most. */
export const webhooksQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["webhooks", organizationId],
    queryFn: ({ signal }) => admin.organization(organizationId).webhooks.list({ signal }),
    refetchInterval: 10_000,
  });

export interface DeliveriesPart extends DaySpan {
  readonly organizationId: string;
  readonly endpointId: string;
  readonly status?: WebhookDeliveryQuery["status"];
  readonly type?: WebhookDeliveryQuery["type"];
  readonly customer?: string | undefined;
  readonly cursor?: string | undefined;
}

/** What was sent to an endpoint and what waits, looked at again every few seconds. */
export const deliveriesQuery = (part: DeliveriesPart) =>
  queryOptions({
    queryKey: ["deliveries", part.organizationId, part],
    queryFn: ({ signal }) => {
      const { organizationId, endpointId, status, type, customer, cursor, ...span } = part;
      return admin.organization(organizationId).webhooks.deliveries.list(
        {
          ...{ endpoint_id: endpointId, status, type, customer_id: customer, cursor, limit: 25 },
          ...instantsOf(span),
        },
        { signal },
      );
    },
    placeholderData: keepPreviousData,
    refetchInterval: 5_000,
  });

/** What a change of an endpoint makes untrue. */
export function webhookKeys(organizationId: string): QueryKeys {
  return [
    ["webhooks", organizationId],
    ["deliveries", organizationId],
  ];
}
