import type { AdminWebhook } from "@creditgate/client/admin";
import { type ReactNode, useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { formatCount } from "../parts/credits.ts";
import { instantsOf } from "../parts/day-span.tsx";
import { Effect } from "../parts/effect.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { tell } from "../parts/toasts.tsx";
import { webhookKeys } from "./queries.ts";

/** Sends all events of some days again. */
export function ReplayDialog({
  endpoint,
  onClose,
}: {
  readonly endpoint: AdminWebhook;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const [from, setFrom] = useState(() => new Date().toISOString().slice(0, 10));
  const [to, setTo] = useState("");
  const replay = useChange({
    async change() {
      const { webhooks } = admin.organization(organizationId);
      const { from: since = "", to: until } = instantsOf({ from, ...(to === "" ? {} : { to }) });
      let replayed = 0;
      let cursor: string | undefined;
      do {
        const request = { since, until, cursor };
        const answer = await webhooks.replay(endpoint.endpointId, request);
        replayed += answer.replayed;
        cursor = answer.next ?? undefined;
      } while (cursor !== undefined);
      return replayed;
    },
    untrue: webhookKeys(organizationId),
    onDone(replayed) {
      onClose();
      if (replayed === 0)
        tell(
          "There was nothing to send again",
          "No event of these days that the endpoint asks for is kept, but for those that wait to be sent.",
        );
      else
        tell(
          replayed === 1 ? "1 event is sent again" : `${formatCount(replayed)} events are sent again`,
          "What comes of them stands in the log.",
        );
    },
  });
  const isOrdered = to === "" || from <= to;
  return (
    <FormDialog
      title="Send events again"
      action="Send them again"
      isReady={from !== "" && isOrdered}
      change={replay}
      failure="It is not certain that all are sent again."
      onSubmit={() => replay.mutate()}
      onClose={onClose}
    >
      <div className="pair">
        <Field label="From the day" name="from" type="date" value={from} onChange={setFrom} autoFocus />
        <Field
          label="To the day (optional)"
          name="to"
          type="date"
          value={to}
          onChange={setTo}
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
    </FormDialog>
  );
}
