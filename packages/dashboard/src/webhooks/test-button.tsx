import type { AdminWebhook } from "@creditgate/client/admin";
import type { ReactNode } from "react";
import { Button } from "react-aria-components";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { explain } from "../parts/failure.tsx";
import { tell } from "../parts/toasts.tsx";
import { webhookKeys } from "./queries.ts";

/** Sends the event `webhook.test`: what comes of it stands in the log. */
export function TestButton({ endpoint }: { readonly endpoint: AdminWebhook }): ReactNode {
  const organizationId = useOrganizationId();
  const send = useChange({
    change: () => admin.organization(organizationId).webhooks.sendTest(endpoint.endpointId),
    untrue: webhookKeys(organizationId),
    onDone: () => tell("A test is on its way", "What comes of it stands in the log."),
  });
  return (
    <Button
      className="btn"
      isPending={send.isPending}
      onPress={() => send.mutate(undefined, { onError: (error) => tell("No test was sent", explain(error)) })}
    >
      Send a test
    </Button>
  );
}
