import type { AdminWebhook } from "@creditgate/admin";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useDraft } from "../api/edit.ts";
import { useOrganization, useOrganizationId } from "../api/query.ts";
import { instantsOf } from "../parts/address.ts";
import { formatCount } from "../parts/amounts.ts";
import { Choice, Field } from "../parts/field.tsx";
import { ActionDialog, Effect } from "../parts/form-dialog.tsx";
import { overlaps } from "../parts/secret-dialog.tsx";
import { notify } from "../parts/toasts.tsx";
import { EndpointSecret } from "./endpoint-parts.tsx";
import { webhookQueries } from "./queries.ts";

/** Deletes an endpoint. */
export function DeleteDialog({ endpoint }: { endpoint: AdminWebhook }) {
  const organizationId = useOrganizationId();
  const organization = useOrganization();
  const navigate = useNavigate();
  return (
    <ActionDialog
      title="Delete endpoint"
      action="Delete endpoint"
      isDanger
      failure="The endpoint could not be deleted."
      send={() => organization.webhooks.delete(endpoint.endpointId)}
      untrue={webhookQueries}
      onDone={async () => {
        await navigate({ to: "/organizations/$organizationId/webhooks", params: { organizationId } });
        notify("Endpoint deleted");
      }}
    >
      <p className="mono breaks">{endpoint.url}</p>
      <Effect>
        <p>The endpoint receives no more events. Queued events and the delivery log are deleted.</p>
        <p className="quiet">This cannot be undone. A new endpoint has a new secret.</p>
      </Effect>
    </ActionDialog>
  );
}

/** Creates a new secret beside the old one. */
export function RotateDialog({ endpoint: { endpointId } }: { endpoint: AdminWebhook }) {
  const organization = useOrganization();
  const [overlap, setOverlap] = useState("86400");
  return (
    <ActionDialog
      title="Rotate secret"
      action="Rotate secret"
      failure="The secret may not have been rotated."
      send={() => organization.webhooks.rotateSecret(endpointId, { overlapSeconds: Number(overlap) })}
      untrue={webhookQueries}
      onDone={(rotated) => <EndpointSecret title="Secret rotated" endpoint={rotated} />}
    >
      <Choice label="Old secret stays valid" value={overlap} options={overlaps} onChange={setOverlap} />
      <Effect>
        <p>
          {overlap === "0"
            ? "The old secret ends now. Deliveries fail and are retried until your endpoint has the new one."
            : "Each message is signed with both secrets until the old one ends."}
        </p>
        <p className="quiet">This cannot be undone.</p>
      </Effect>
    </ActionDialog>
  );
}

/** Sends all events of some days again. */
export function ReplayDialog({ endpoint: { endpointId } }: { endpoint: AdminWebhook }) {
  const organization = useOrganization();
  const { values, bind } = useDraft(() => ({ from: new Date().toISOString().slice(0, 10), to: "" }));
  const { from, to } = values;
  const isOrdered = to === "" || from <= to;
  async function replay(): Promise<number> {
    const { webhooks } = organization;
    const { from: since = "", to: until } = instantsOf({ from, ...(to === "" ? {} : { to }) });
    let replayed = 0;
    let cursor: string | undefined;
    do {
      const answer = await webhooks.replay(endpointId, { since, until, cursor });
      replayed += answer.replayed;
      cursor = answer.next ?? undefined;
    } while (cursor !== undefined);
    return replayed;
  }
  return (
    <ActionDialog
      title="Resend events"
      action="Resend events"
      isReady={from !== "" && isOrdered}
      failure="Some events may not have been queued again."
      send={replay}
      untrue={webhookQueries}
      onDone={(replayed) =>
        replayed === 0
          ? notify(
              "No events to resend",
              "There are no kept events of these days other than those already queued.",
            )
          : notify(
              replayed === 1 ? "1 event queued again" : `${formatCount(replayed)} events queued again`,
              "The results appear in the delivery log.",
            )
      }
    >
      <div className="pair">
        <Field {...bind("from")} label="From" type="date" autoFocus />
        <Field
          {...bind("to")}
          label="To (optional)"
          type="date"
          error={isOrdered ? undefined : "Enter a day after the first"}
        />
      </div>
      <Effect>
        <p>
          All of the endpoint’s events of these UTC days are sent again with their original IDs, so that it
          can skip those it has. Events are kept for 30 days from when an endpoint first subscribes to them.
        </p>
        <p className="quiet">This cannot be undone.</p>
      </Effect>
    </ActionDialog>
  );
}
