import type { AdminWebhook, RotatedWebhook } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { useMay, useOrganizationId } from "../api/account.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Crumbs } from "../parts/crumbs.tsx";
import { Facts } from "../parts/facts.tsx";
import { Missing } from "../parts/missing.tsx";
import { Page } from "../parts/page.tsx";
import { formatExact } from "../parts/time.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { DeliveryLog } from "./delivery-log.tsx";
import { EndpointBadge } from "./endpoint-badge.tsx";
import { EndpointDialog } from "./endpoint-dialog.tsx";
import { webhooksQuery } from "./queries.ts";
import { ReplayDialog } from "./replay-dialog.tsx";
import { RotateDialog } from "./rotate-dialog.tsx";
import { EndpointSecret } from "./secret.tsx";
import { StatusDialog } from "./status-dialog.tsx";
import { TestButton } from "./test-button.tsx";

/** An endpoint, and what was sent to it. */
export function WebhookPage(): ReactNode {
  const organizationId = useOrganizationId();
  const { endpointId } = useParams({ from: "/shell/organizations/$organizationId/webhooks/$endpointId" });
  const webhooks = useQuery(webhooksQuery(organizationId));
  const endpoint = webhooks.data?.find((one) => one.endpointId === endpointId);
  if (endpoint !== undefined) return <Loaded key={endpointId} endpoint={endpoint} />;
  if (webhooks.isSuccess) {
    return (
      <Page title="No such endpoint" crumbs={<EndpointCrumbs name="Endpoint" />}>
        <p className="quiet">It is deleted, or there never was one.</p>
      </Page>
    );
  }
  return (
    <Missing
      crumbs={<EndpointCrumbs name="Endpoint" />}
      error={webhooks.error}
      unknown="No such endpoint"
      failure="The endpoint could not be loaded."
      onRetry={() => void webhooks.refetch()}
    />
  );
}

function EndpointCrumbs({ name }: { readonly name: string }): ReactNode {
  return <Crumbs list="Webhooks" to="/organizations/$organizationId/webhooks" name={name} />;
}

type Open = "edit" | "rotate" | "status" | "delete" | "replay";

function Loaded({ endpoint }: { readonly endpoint: AdminWebhook }): ReactNode {
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
            <Button className="btn" onPress={() => setOpen("edit")}>
              Change
            </Button>
            <Button className="btn" onPress={() => setOpen("rotate")}>
              Rotate the secret
            </Button>
            <Button className="btn" onPress={() => setOpen("status")}>
              {endpoint.status === "enabled" ? "Disable" : "Enable"}
            </Button>
            <Button className="btn danger" onPress={() => setOpen("delete")}>
              Delete
            </Button>
          </>
        )
      }
    >
      <section className="panel" aria-label="What is known of the endpoint">
        <Facts
          facts={[
            ["Told of", endpoint.events === null ? "All events" : endpoint.events.join(", ")],
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
      {open === "rotate" && (
        <RotateDialog
          endpoint={endpoint}
          onClose={close}
          onRotated={(answer) => {
            close();
            setRotated(answer);
          }}
        />
      )}
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
