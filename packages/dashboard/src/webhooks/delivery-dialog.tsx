import type { AdminWebhook, AdminWebhookDelivery } from "@creditgate/admin";
import { useMay, useOrganization } from "../api/account.ts";
import { formatCount } from "../parts/amounts.ts";
import { Badge, Fine } from "../parts/badge.tsx";
import { ActionDialog } from "../parts/form-dialog.tsx";
import { Facts, RawText } from "../parts/page.tsx";
import { formatExact } from "../parts/time.tsx";
import { notify } from "../parts/toasts.tsx";
import { webhookQueries } from "./queries.ts";
import { deliveryStatuses } from "./words.ts";

/** A delivery: what was sent, and how the endpoint answered. It can be sent again. */
export function DeliveryDialog({
  endpoint,
  delivery,
}: {
  endpoint: AdminWebhook;
  delivery: AdminWebhookDelivery;
}) {
  const organization = useOrganization();
  const mayReplay = useMay("keys") && endpoint.status === "enabled" && delivery.type !== "webhook.test";
  const { eventId, attemptedAt, nextAttemptAt, response } = delivery;
  return (
    <ActionDialog
      title={delivery.type}
      action={mayReplay ? "Send it again" : undefined}
      failure="The event is not sent again."
      send={() => organization.webhooks.replay(endpoint.endpointId, { eventId })}
      untrue={webhookQueries}
      onDone={() =>
        notify("The event is sent again", "Its id is what it was: an endpoint that has it passes over it.")
      }
    >
      <Facts
        facts={[
          ["State", <DeliveryBadge key="state" status={delivery.status} />],
          ["Attempts", formatCount(delivery.attempts)],
          ["Last answer", answerOf(delivery)],
          ["Happened", formatExact(delivery.createdAt)],
          ["Last attempt", attemptedAt !== null && formatExact(attemptedAt)],
          ["Next attempt", nextAttemptAt !== null && formatExact(nextAttemptAt)],
          [
            "Event ID",
            <span key="id" className="mono">
              {eventId}
            </span>,
          ],
        ]}
      />
      {response !== null && response !== "" && <RawText label="What was answered" text={response} />}
      <RawText label="What is sent" text={JSON.stringify(delivery.event, null, 2)} />
    </ActionDialog>
  );
}

/** What came of the last attempt, in a few words. */
export function answerOf({ responseStatus, error, durationMs, attempts }: AdminWebhookDelivery): string {
  if (attempts === 0) return "not sent yet";
  const took = durationMs === null ? "" : `, ${formatCount(durationMs)} ms`;
  return `${responseStatus === null ? (error ?? "no answer") : String(responseStatus)}${took}`;
}

export function DeliveryBadge({ status }: { readonly status: string }) {
  if (status === "delivered") return <Fine>{deliveryStatuses.delivered}</Fine>;
  if (status === "given_up") return <Badge tone="bad">{deliveryStatuses.given_up}</Badge>;
  return (
    <Badge tone="warn" icon="clock">
      {status === "pending" ? deliveryStatuses.pending : status}
    </Badge>
  );
}
