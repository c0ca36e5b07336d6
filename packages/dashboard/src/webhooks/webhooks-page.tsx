import type { AdminWebhook, CreatedWebhook } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useMay, useOrganizationId } from "../api/account.ts";
import { TextButton } from "../parts/button.tsx";
import { Empty, Loaded } from "../parts/listing.tsx";
import { Page } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { Day } from "../parts/time.tsx";
import { EndpointDialog } from "./endpoint-dialog.tsx";
import { EndpointBadge, EndpointSecret } from "./endpoint-parts.tsx";
import { webhooksQuery } from "./queries.ts";
import { Thresholds } from "./thresholds.tsx";
import { eventsOf } from "./words.ts";

/** The webhook endpoints, and the thresholds of low balances. */
export function WebhooksPage() {
  const organizationId = useOrganizationId();
  const mayChange = useMay("keys");
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<CreatedWebhook>();
  const webhooks = useQuery(webhooksQuery(organizationId));
  return (
    <Page
      title="Webhooks"
      actions={
        mayChange && (
          <TextButton
            text="New endpoint"
            look="primary"
            icon="plus"
            data-key="n"
            onPress={() => setIsCreating(true)}
          />
        )
      }
    >
      <Loaded query={webhooks} failure="The endpoints could not be loaded.">
        {(known) =>
          known.length === 0 ? (
            <Empty title="No endpoints yet">
              An endpoint is an address of yours. It receives an event when a wallet runs low, an order
              becomes active or an invoice is made.
            </Empty>
          ) : (
            <Endpoints endpoints={known} />
          )
        }
      </Loaded>
      {/* Below it: what is there first would be moved. */}
      {!webhooks.isPending && <Thresholds />}
      {isCreating && <EndpointDialog onClose={() => setIsCreating(false)} onCreated={setCreated} />}
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

function Endpoints({ endpoints }: { readonly endpoints: readonly AdminWebhook[] }) {
  const organizationId = useOrganizationId();
  return (
    <Table
      look="rows"
      caption="Endpoints, the oldest first"
      rows={endpoints}
      idOf={({ endpointId }) => endpointId}
      columns={[
        {
          header: "Endpoint",
          isName: true,
          look: "breaks",
          cell: ({ endpointId, url, description }) => (
            <>
              <Link
                className="cover"
                to="/organizations/$organizationId/webhooks/$endpointId"
                params={{ organizationId, endpointId }}
              >
                {url}
              </Link>
              {description !== null && <span className="sub">{description}</span>}
            </>
          ),
        },
        { header: "Receives", from: 2, cell: eventsOf },
        { header: "State", cell: (endpoint) => <EndpointBadge endpoint={endpoint} /> },
        { header: "Made", from: 1, look: "quiet", cell: ({ createdAt }) => <Day at={createdAt} /> },
      ]}
    />
  );
}
