import { type AdminWebhook, adminWebhook } from "@creditgate/client/admin";
import { type ReactNode, useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { admin } from "../api/client.ts";
import { useEdit } from "../api/edit.ts";
import { Effect } from "../parts/effect.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { tell } from "../parts/toasts.tsx";
import { webhookKeys } from "./queries.ts";
import { webhookLabels } from "./words.ts";

/** Disables an endpoint, or enables it again. */
export function StatusDialog({
  endpoint,
  onClose,
}: {
  readonly endpoint: AdminWebhook;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  // What was asked for stays asked for, also if someone else does it meanwhile.
  const [isEnabled] = useState(endpoint.status === "enabled");
  const edit = useEdit({
    record: endpoint,
    schema: adminWebhook,
    valuesOf: () => ({}),
    labels: webhookLabels,
    send: (_, seen) =>
      admin
        .organization(organizationId)
        .webhooks.edit(endpoint.endpointId, { ...seen, status: isEnabled ? "disabled" : "enabled" }),
    untrue: webhookKeys(organizationId),
    onDone() {
      onClose();
      tell(isEnabled ? "The endpoint is disabled" : "The endpoint is enabled");
    },
  });
  return (
    <FormDialog
      title={isEnabled ? "Disable the endpoint" : "Enable the endpoint"}
      action={isEnabled ? "Disable the endpoint" : "Enable the endpoint"}
      isDanger={isEnabled}
      change={edit}
      failure={isEnabled ? "The endpoint is not disabled." : "The endpoint is not enabled."}
      onSubmit={edit.save}
      onClose={onClose}
    >
      <Effect>
        <p>
          {isEnabled
            ? "It is told of nothing from now on. What waits for it is given up, and what happens meanwhile is not queued."
            : "It is told of what happens from now on. Replay what it has missed: events are kept for 30 days."}
        </p>
        <p className="quiet">
          {isEnabled
            ? "It can be enabled again, and what it missed be replayed."
            : "It can be disabled again."}
        </p>
      </Effect>
    </FormDialog>
  );
}
