import type { AdminWebhook, RotatedWebhook } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "react-aria-components";
import { useMay, useOrganizationId } from "../api/account.ts";
import { CopyButton, TextButton } from "../parts/button.tsx";
import { Crumbs, Facts, Page, RecordPage } from "../parts/page.tsx";
import { formatExact } from "../parts/time.tsx";
import { DeleteDialog, ReplayDialog, RotateDialog } from "./action-dialogs.tsx";
import { DeliveryLog } from "./delivery-log.tsx";
import { EndpointDialog } from "./endpoint-dialog.tsx";
import { EndpointBadge, EndpointSecret, TestButton } from "./endpoint-parts.tsx";
import { webhooksQuery } from "./queries.ts";
import { StatusDialog } from "./status-dialog.tsx";

/** An endpoint, and what was sent to it. */
export function WebhookPage() {
  const organizationId = useOrganizationId();
  const { endpointId } = useParams({ from: "/shell/organizations/$organizationId/webhooks/$endpointId" });
  const webhooks = useQuery(webhooksQuery(organizationId));
  const crumbs = <EndpointCrumbs name="Endpoint" />;
  const endpoint = webhooks.data?.find((one) => one.endpointId === endpointId);
  // A list that cannot be loaded again may still have the endpoint.
  if (endpoint !== undefined) return <Loaded key={endpointId} endpoint={endpoint} />;
  return (
    <RecordPage
      query={webhooks}
      crumbs={crumbs}
      unknown="No such endpoint"
      failure="The endpoint could not be loaded."
    >
      {() => (
        <Page title="No such endpoint" crumbs={crumbs}>
          <p className="quiet">It is deleted, or there never was one.</p>
        </Page>
      )}
    </RecordPage>
  );
}

function EndpointCrumbs({ name }: { readonly name: string }) {
  return <Crumbs list="Webhooks" to="/organizations/$organizationId/webhooks" name={name} />;
}

type Open = "edit" | "rotate" | "status" | "delete" | "replay";

function Loaded({ endpoint }: { readonly endpoint: AdminWebhook }) {
  const mayChange = useMay("keys");
  const [open, setOpen] = useState<Open>();
  const [rotated, setRotated] = useState<RotatedWebhook>();
  const name = endpoint.description ?? new URL(endpoint.url).host;
  const close = () => setOpen(undefined);
  return (
    <Page
      title={name}
      crumbs={<EndpointCrumbs name={name} />}
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
            <TextButton text="Change" onPress={() => setOpen("edit")} />
            <TextButton text="Rotate the secret" onPress={() => setOpen("rotate")} />
            <Button className="btn" onPress={() => setOpen("status")}>
              {endpoint.status === "enabled" ? "Disable" : "Enable"}
            </Button>
            <TextButton text="Delete" look="danger" onPress={() => setOpen("delete")} />
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
      <DeliveryLog endpoint={endpoint} onReplay={mayChange ? () => setOpen("replay") : undefined} />
      {open === "edit" && <EndpointDialog endpoint={endpoint} onClose={close} />}
      {open === "status" && <StatusDialog endpoint={endpoint} onClose={close} />}
      {open === "delete" && <DeleteDialog endpoint={endpoint} onClose={close} />}
      {open === "replay" && <ReplayDialog endpoint={endpoint} onClose={close} />}
      {open === "rotate" && <RotateDialog endpoint={endpoint} onClose={close} onRotated={setRotated} />}
      {rotated !== undefined && (
        <EndpointSecret
          title="The new secret signs from now on"
          endpoint={rotated}
          onClose={() => setRotated(undefined)}
        />
      )}
    </Page>
  );
}
