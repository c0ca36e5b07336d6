import type { AdminWebhook, CreatedWebhook } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { useMay, useOrganizationId } from "../api/account.ts";
import { standing } from "../api/standing.ts";
import { Bones } from "../parts/bones.tsx";
import { Empty } from "../parts/empty.tsx";
import { Failure } from "../parts/failure.tsx";
import { Icon } from "../parts/icon.tsx";
import { Page } from "../parts/page.tsx";
import { Day } from "../parts/time.tsx";
import { EndpointBadge } from "./endpoint-badge.tsx";
import { EndpointDialog } from "./endpoint-dialog.tsx";
import { webhooksQuery } from "./queries.ts";
import { EndpointSecret } from "./secret.tsx";
import { Thresholds } from "./thresholds.tsx";
import { eventsOf } from "./words.ts";

/** Who is told of what happens, and below what a wallet is low. */
export function WebhooksPage(): ReactNode {
  const organizationId = useOrganizationId();
  const mayChange = useMay("keys");
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<CreatedWebhook>();
  const webhooks = useQuery(webhooksQuery(organizationId));
  const known = standing(webhooks);
  return (
    <Page
      title="Webhooks"
      actions={
        mayChange && (
          <Button className="btn primary" data-key="n" onPress={() => setIsCreating(true)}>
            <Icon name="plus" />
            New endpoint
          </Button>
        )
      }
    >
      {webhooks.isPending && <Bones />}
      {webhooks.isError && (
        <Failure
          error={webhooks.error}
          what="The endpoints could not be loaded."
          onRetry={() => void webhooks.refetch()}
        />
      )}
      {known !== undefined &&
        (known.length === 0 ? (
          <Empty title="No endpoints yet">
            <p>
              An endpoint is an address of yours. It is told when a wallet runs low, an order becomes active
              or an invoice is made.
            </p>
          </Empty>
        ) : (
          <Table endpoints={known} />
        ))}
      {/* Below it: what is there first would be moved. */}
      {!webhooks.isPending && <Thresholds />}
      {isCreating && (
        <EndpointDialog
          onClose={() => setIsCreating(false)}
          onCreated={(endpoint) => {
            setIsCreating(false);
            setCreated(endpoint);
          }}
        />
      )}
      {created !== undefined && (
        <EndpointSecret
          title="The endpoint is made"
          endpoint={created}
          onClose={() => setCreated(undefined)}
        />
      )}
    </Page>
  );
}

function Table({ endpoints }: { readonly endpoints: readonly AdminWebhook[] }): ReactNode {
  const organizationId = useOrganizationId();
  return (
    <table className="rows">
      <caption className="unseen">Endpoints, the oldest first</caption>
      <thead>
        <tr>
          <th scope="col">Endpoint</th>
          <th scope="col" className="p2">
            Told of
          </th>
          <th scope="col">State</th>
          <th scope="col" className="p1">
            Made
          </th>
        </tr>
      </thead>
      <tbody>
        {endpoints.map((endpoint) => (
          <tr key={endpoint.endpointId}>
            <th scope="row" className="breaks">
              <Link
                className="cover"
                to="/organizations/$organizationId/webhooks/$endpointId"
                params={{ organizationId, endpointId: endpoint.endpointId }}
              >
                {endpoint.url}
              </Link>
              {endpoint.description !== null && <span className="sub">{endpoint.description}</span>}
            </th>
            <td className="p2">{eventsOf(endpoint)}</td>
            <td>
              <EndpointBadge endpoint={endpoint} />
            </td>
            <td className="quiet p1">
              <Day at={endpoint.createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
