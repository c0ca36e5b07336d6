import type { AdminWebhook, AdminWebhookDelivery } from "@creditgate/client/admin";
import type { ReactNode } from "react";
import { useMay, useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { formatCount } from "../parts/credits.ts";
import { Facts } from "../parts/facts.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { formatExact } from "../parts/time.tsx";
import { tell } from "../parts/toasts.tsx";
import { answerOf, DeliveryBadge } from "./delivery-state.tsx";
import { webhookKeys } from "./queries.ts";

/** An event on its way: what was sent, what came of the last attempt; and once more. */
export function DeliveryDialog({
  endpoint,
  delivery,
  onClose,
}: {
  readonly endpoint: AdminWebhook;
  readonly delivery: AdminWebhookDelivery;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const mayReplay = useMay("keys") && endpoint.status === "enabled" && delivery.type !== "webhook.test";
  const { eventId, attemptedAt, nextAttemptAt, response } = delivery;
  const replay = useChange({
    change: () => admin.organization(organizationId).webhooks.replay(endpoint.endpointId, { eventId }),
    untrue: webhookKeys(organizationId),
    onDone() {
      onClose();
      tell("The event is sent again", "Its id is what it was: an endpoint that has it passes over it.");
    },
  });
  return (
    <FormDialog
      title={delivery.type}
      action={mayReplay ? "Send it again" : undefined}
      change={replay}
      failure="The event is not sent again."
      onSubmit={() => replay.mutate()}
      onClose={onClose}
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
      {response !== null && response !== "" && <Text label="What was answered" text={response} />}
      <Text label="What is sent" text={JSON.stringify(delivery.event, null, 2)} />
    </FormDialog>
  );
}

function Text({ label, text }: { readonly label: string; readonly text: string }): ReactNode {
  return (
    <div className="field">
      <span className="label">{label}</span>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must by keyboard too */}
      <pre className="raw" tabIndex={0}>
        {text}
      </pre>
    </div>
  );
}
