import type { AdminWebhook } from "@creditgate/client/admin";
import type { ReactNode } from "react";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { Effect } from "../parts/effect.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { tell } from "../parts/toasts.tsx";
import { webhookKeys } from "./queries.ts";

/** Disables an endpoint, or enables it again. */
export function StatusDialog({
  endpoint,
  onClose,
}: {
  readonly endpoint: AdminWebhook;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const isEnabled = endpoint.status === "enabled";
  const set = useChange({
    change: () =>
      admin
        .organization(organizationId)
        .webhooks.edit(endpoint.endpointId, { status: isEnabled ? "disabled" : "enabled" }),
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
      change={set}
      failure={isEnabled ? "The endpoint is not disabled." : "The endpoint is not enabled."}
      onSubmit={() => set.mutate()}
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
