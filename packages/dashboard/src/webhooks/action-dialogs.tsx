import type { AdminWebhook } from "@creditgate/admin";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useDraft } from "../api/edit.ts";
import { useOrganization, useOrganizationId } from "../api/query.ts";
import { instantsOf } from "../parts/address.ts";
import { formatCount } from "../parts/amounts.ts";
import { Choice, Field } from "../parts/field.tsx";
import { ActionDialog, Effect } from "../parts/form-dialog.tsx";
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
      title="Delete the endpoint"
      action="Delete the endpoint"
      isDanger
      failure="The endpoint is not deleted."
      send={() => organization.webhooks.delete(endpoint.endpointId)}
      untrue={webhookQueries}
      onDone={async () => {
        await navigate({ to: "/organizations/$organizationId/webhooks", params: { organizationId } });
        notify("The endpoint is deleted");
      }}
    >
      <p className="mono breaks">{endpoint.url}</p>
      <Effect>
        <p>It receives no more events. Queued events are given up, and its log is deleted.</p>
        <p className="quiet">It cannot be undone: another endpoint has another secret.</p>
      </Effect>
    </ActionDialog>
  );
}

/** For how many seconds both secrets sign. */
const overlaps = [
  { value: "86400", label: "For a day" },
  { value: "3600", label: "For an hour" },
  { value: "604800", label: "For a week" },
  { value: "0", label: "Not at all: it is known to others" },
];

/** Creates a new secret beside the old one. */
export function RotateDialog({ endpoint: { endpointId } }: { endpoint: AdminWebhook }) {
  const organization = useOrganization();
  const [overlap, setOverlap] = useState("86400");
  return (
    <ActionDialog
      title="Rotate the secret"
      action="Make a new secret"
      failure="It is not certain that there is a new secret."
      send={() => organization.webhooks.rotateSecret(endpointId, { overlapSeconds: Number(overlap) })}
      untrue={webhookQueries}
      onDone={(rotated) => <EndpointSecret title="The new secret signs from now on" endpoint={rotated} />}
    >
      <Choice label="The old one signs too" value={overlap} options={overlaps} onChange={setOverlap} />
      <Effect>
        <p>
          {overlap === "0"
            ? "The old secret ends now: an endpoint that has not got the new one refuses what is sent, and it is tried again."
            : "Each message has a signature of both until the old secret ends, so that the endpoint can change over."}
        </p>
        <p className="quiet">It cannot be undone.</p>
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
      title="Send events again"
      action="Send them again"
      isReady={from !== "" && isOrdered}
      failure="It is not certain that all are sent again."
      send={replay}
      untrue={webhookQueries}
      onDone={(replayed) =>
        replayed === 0
          ? notify(
              "There was nothing to send again",
              "No event of these days that the endpoint asks for is kept, but for those that wait to be sent.",
            )
          : notify(
              replayed === 1 ? "1 event is sent again" : `${formatCount(replayed)} events are sent again`,
              "What comes of them stands in the log.",
            )
      }
    >
      <div className="pair">
        <Field {...bind("from")} label="From the day" type="date" autoFocus />
        <Field
          {...bind("to")}
          label="To the day (optional)"
          type="date"
          error={isOrdered ? undefined : "A day after the first"}
        />
      </div>
      <Effect>
        <p>
          All events of these days, by UTC, that the endpoint asks for are sent again, with the ids that they
          had: it passes over those that it knows. Events are kept for 30 days, from when an endpoint first
          asks for them.
        </p>
        <p className="quiet">What is sent cannot be taken back.</p>
      </Effect>
    </ActionDialog>
  );
}
