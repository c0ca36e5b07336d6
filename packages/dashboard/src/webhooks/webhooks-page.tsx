import type { AdminWebhook } from "@creditgate/admin";
import { Link } from "@tanstack/react-router";
import { useMay, useOrganizationId } from "../api/account.ts";
import { useAnswer } from "../api/query.ts";
import { DialogButton } from "../parts/dialog-button.tsx";
import { Empty, Loaded } from "../parts/listing.tsx";
import { Page } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { Day } from "../parts/time.tsx";
import { EndpointDialog } from "./endpoint-dialog.tsx";
import { EndpointBadge } from "./endpoint-parts.tsx";
import { webhooksQuery } from "./queries.ts";
import { Thresholds } from "./thresholds.tsx";
import { eventsOf } from "./words.ts";

/** The webhook endpoints, and the thresholds of low balances. */
export function WebhooksPage() {
  const mayChange = useMay("keys");
  const webhooks = useAnswer(webhooksQuery);
  return (
    <Page
      title="Webhooks"
      actions={
        mayChange && (
          <DialogButton text="New endpoint" look="primary" icon="plus" data-key="n">
            <EndpointDialog />
          </DialogButton>
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
      columns={(column) => [
        column("Endpoint", { isName: true, look: "breaks" }, ({ endpointId, url, description }) => (
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
        )),
        column("Receives", { from: 2 }, eventsOf),
        column("State", {}, (endpoint) => <EndpointBadge endpoint={endpoint} />),
        column("Made", { from: 1, look: "quiet" }, ({ createdAt }) => <Day at={createdAt} />),
      ]}
    />
  );
}
