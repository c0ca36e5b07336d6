import { type AdminWebhook, adminWebhook } from "@creditgate/admin";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useEdit } from "../api/edit.ts";
import { useAnswer, useMay, useOrganization } from "../api/query.ts";
import { CopyButton } from "../parts/button.tsx";
import { DialogButton, Effect, FormDialog } from "../parts/form-dialog.tsx";
import { Crumbs, Facts, Page, RecordPage } from "../parts/page.tsx";
import { formatExact } from "../parts/time.tsx";
import { notify } from "../parts/toasts.tsx";
import { DeleteDialog, RotateDialog } from "./action-dialogs.tsx";
import { DeliveryLog, useDeliveries } from "./delivery-log.tsx";
import { EndpointDialog } from "./endpoint-dialog.tsx";
import { EndpointBadge, TestButton } from "./endpoint-parts.tsx";
import { webhookQueries, webhooksQuery } from "./queries.ts";
import { webhookLabels } from "./words.ts";

/** An endpoint, and what was sent to it. */
export function WebhookPage() {
  const { endpointId } = useParams({ from: "/shell/organizations/$organizationId/webhooks/$endpointId" });
  const webhooks = useAnswer(webhooksQuery);
  // Asked beside the endpoint, not after it.
  useDeliveries(endpointId);
  const endpoint = webhooks.data?.find((one) => one.endpointId === endpointId);
  // A list that cannot be loaded again may still have the endpoint.
  if (endpoint !== undefined) return <Loaded key={endpointId} endpoint={endpoint} />;
  return (
    <RecordPage
      query={webhooks}
      list="webhooks"
      name="Endpoint"
      unknown="No such endpoint"
      failure="The endpoint could not be loaded."
    >
      {() => (
        <Page title="No such endpoint" crumbs={<Crumbs list="webhooks" name="Endpoint" />}>
          <p className="quiet">It is deleted, or there never was one.</p>
        </Page>
      )}
    </RecordPage>
  );
}

function Loaded({ endpoint }: { readonly endpoint: AdminWebhook }) {
  const mayChange = useMay("keys");
  const name = endpoint.description ?? new URL(endpoint.url).host;
  return (
    <Page
      title={name}
      crumbs={<Crumbs list="webhooks" name={name} />}
      facts={
        <div className="facts">
          <span>
            <EndpointBadge endpoint={endpoint} />
          </span>
          <CopyButton className="copy breaks" text={endpoint.url} label={`Copy the address ${endpoint.url}`}>
            {endpoint.url}
          </CopyButton>
        </div>
      }
      actions={
        mayChange && (
          <>
            {endpoint.status === "enabled" && <TestButton endpoint={endpoint} />}
            <DialogButton text="Change">
              <EndpointDialog endpoint={endpoint} />
            </DialogButton>
            <DialogButton text="Rotate the secret">
              <RotateDialog endpoint={endpoint} />
            </DialogButton>
            <DialogButton text={endpoint.status === "enabled" ? "Disable" : "Enable"}>
              <StatusDialog endpoint={endpoint} />
            </DialogButton>
            <DialogButton text="Delete" look="danger">
              <DeleteDialog endpoint={endpoint} />
            </DialogButton>
          </>
        )
      }
    >
      <section className="panel" aria-label="What is known of the endpoint">
        <Facts
          facts={[
            ["Receives", endpoint.events === null ? "All events" : endpoint.events.join(", ")],
            ["Made", formatExact(endpoint.createdAt)],
            ["Fails since", endpoint.failingSince !== null && formatExact(endpoint.failingSince)],
            ["Disabled", endpoint.disabledAt !== null && formatExact(endpoint.disabledAt)],
          ]}
        />
      </section>
      <DeliveryLog endpoint={endpoint} mayReplay={mayChange} />
    </Page>
  );
}

/** Disables an endpoint, or enables it again. */
function StatusDialog({ endpoint }: { endpoint: AdminWebhook }) {
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
