import type { AdminWebhook, CreatedWebhook } from "@creditgate/admin";
import { Button } from "react-aria-components";
import { useChange } from "../api/edit.ts";
import { useOrganization } from "../api/query.ts";
import { Badge, Fine } from "../parts/badge.tsx";
import { explain } from "../parts/failure.tsx";
import { SecretDialog } from "../parts/secret-dialog.tsx";
import { Day } from "../parts/time.tsx";
import { notify } from "../parts/toasts.tsx";
import { webhookQueries } from "./queries.ts";
import { reasonOf } from "./words.ts";

/** How it stands with an endpoint. */
export function EndpointBadge({ endpoint }: { readonly endpoint: AdminWebhook }) {
  const { status, failingSince } = endpoint;
  if (status === "disabled") {
    return (
      <>
        <Badge tone="line">Disabled</Badge> <span className="small quiet">{reasonOf(endpoint)}</span>
      </>
    );
  }
  if (failingSince !== null) {
    return (
      <>
        <Badge tone="bad">Failing</Badge>{" "}
        <span className="small quiet">
          since <Day at={failingSince} />
        </span>
      </>
    );
  }
  return <Fine>Enabled</Fine>;
}

/** Sends the event `webhook.test`: what comes of it stands in the log. */
export function TestButton({ endpoint }: { readonly endpoint: AdminWebhook }) {
  const organization = useOrganization();
  const send = useChange({
    change: () => organization.webhooks.sendTest(endpoint.endpointId),
    untrue: webhookQueries,
    onDone: () => notify("Test event queued", "The result appears in the delivery log."),
  });
  return (
    <Button
      className="btn"
      isPending={send.isPending}
      onPress={() =>
        send.mutate(undefined, { onError: (error) => notify("The test event was not sent", explain(error)) })
      }
    >
      Send test event
    </Button>
  );
}

/** The secret of an endpoint, which verifies that a message is from here. */
export function EndpointSecret({ title, endpoint }: { title: string; endpoint: CreatedWebhook }) {
  return (
    <SecretDialog title={title} label="Secret" secret={endpoint.secret}>
      Your endpoint verifies the header <code>webhook-signature</code> with it, for example with a{" "}
      <span className="nobreak">Standard Webhooks</span> library. If you lose it, rotate it.
    </SecretDialog>
  );
}
