import { type AdminWebhook, adminWebhook } from "@creditgate/admin";
import { useState } from "react";
import { useOrganization } from "../api/account.ts";
import { useEdit } from "../api/edit.ts";
import { Effect } from "../parts/effect.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { notify } from "../parts/toasts.tsx";
import { webhookQueries } from "./queries.ts";
import { webhookLabels } from "./words.ts";

/** Disables an endpoint, or enables it again. */
export function StatusDialog({ endpoint }: { endpoint: AdminWebhook }) {
  const organization = useOrganization();
  // The action stays the same if someone else does it meanwhile.
  const [isEnabled] = useState(endpoint.status === "enabled");
  const edit = useEdit({
    record: endpoint,
    schema: adminWebhook,
    valuesOf: () => ({}),
    labels: webhookLabels,
    send: (_, seen) =>
      organization.webhooks.edit(endpoint.endpointId, {
        ...seen,
        status: isEnabled ? "disabled" : "enabled",
      }),
    untrue: webhookQueries,
    onDone: () => notify(isEnabled ? "The endpoint is disabled" : "The endpoint is enabled"),
  });
  return (
    <FormDialog
      title={isEnabled ? "Disable the endpoint" : "Enable the endpoint"}
      action={isEnabled ? "Disable the endpoint" : "Enable the endpoint"}
      isDanger={isEnabled}
      form={edit}
      failure={isEnabled ? "The endpoint is not disabled." : "The endpoint is not enabled."}
    >
      <Effect>
        <p>
          {isEnabled
            ? "It receives no more events. Queued events are given up, and new ones are not queued."
            : "It receives events from now on. Replay what it has missed: events are kept for 30 days."}
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
