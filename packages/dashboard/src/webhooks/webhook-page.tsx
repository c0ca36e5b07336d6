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
      unknown="Endpoint not found"
      failure="The endpoint could not be loaded."
    >
      {() => (
        <Page title="Endpoint not found" crumbs={<Crumbs list="webhooks" name="Endpoint" />}>
          <p className="quiet">It was deleted or never existed.</p>
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
          <CopyButton className="copy breaks" text={endpoint.url} />
        </div>
      }
      actions={
        mayChange && (
          <>
            {endpoint.status === "enabled" && <TestButton endpoint={endpoint} />}
            <DialogButton text="Edit">
              <EndpointDialog endpoint={endpoint} />
            </DialogButton>
            <DialogButton text="Rotate secret">
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
      <section className="panel" aria-label="Endpoint details">
        <Facts
          facts={[
            ["ID", <CopyButton key="id" text={endpoint.endpointId} />],
            ["Events", endpoint.events === null ? "All events" : endpoint.events.join(", ")],
            ["Created", formatExact(endpoint.createdAt)],
            ["Failing since", endpoint.failingSince !== null && formatExact(endpoint.failingSince)],
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
    onDone: () => notify(isEnabled ? "Endpoint disabled" : "Endpoint enabled"),
  });
  return (
    <FormDialog
      title={isEnabled ? "Disable endpoint" : "Enable endpoint"}
      action={isEnabled ? "Disable endpoint" : "Enable endpoint"}
      isDanger={isEnabled}
      form={edit}
      failure={isEnabled ? "The endpoint could not be disabled." : "The endpoint could not be enabled."}
    >
      <Effect>
        <p>
          {isEnabled
            ? "The endpoint receives no events. Queued events are discarded and new ones are not queued."
            : "The endpoint receives events again. Resend the ones it missed: events are kept for 30 days."}
        </p>
        <p className="quiet">
          {isEnabled
            ? "You can enable it again and resend the events it missed."
            : "You can disable it again."}
        </p>
      </Effect>
    </FormDialog>
  );
}
