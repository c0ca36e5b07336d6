import type { AdminWebhook } from "@creditgate/client/admin";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { Effect } from "../parts/effect.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { tell } from "../parts/toasts.tsx";
import { webhookKeys } from "./queries.ts";

/** Removes an endpoint. */
export function DeleteDialog({
  endpoint,
  onClose,
}: {
  readonly endpoint: AdminWebhook;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const remove = useChange({
    change: () => admin.organization(organizationId).webhooks.delete(endpoint.endpointId),
    untrue: webhookKeys(organizationId),
    async onDone() {
      await navigate({ to: "/organizations/$organizationId/webhooks", params: { organizationId } });
      tell("The endpoint is deleted");
    },
  });
  return (
    <FormDialog
      title="Delete the endpoint"
      action="Delete the endpoint"
      isDanger
      change={remove}
      failure="The endpoint is not deleted."
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p className="mono breaks">{endpoint.url}</p>
      <Effect>
        <p>It is told of nothing from now on. What waits for it is given up, and its log goes.</p>
        <p className="quiet">It cannot be undone: another endpoint has another secret.</p>
      </Effect>
    </FormDialog>
  );
}
