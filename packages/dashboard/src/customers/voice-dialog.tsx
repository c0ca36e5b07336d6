import type { AdminVoiceSession } from "@creditgate/client/admin";
import { type ReactNode, useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { Effect } from "../parts/effect.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { ReasonField } from "../parts/reason-field.tsx";
import { tell } from "../parts/toasts.tsx";
import { customerKeys } from "./queries.ts";

const minutes = /^\d+(\.\d+)?$/;

/** Ends a call that was left open, and bills it. */
export function VoiceDialog({
  session,
  onClose,
}: {
  readonly session: AdminVoiceSession;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const [indicator, setIndicator] = useState("");
  const [duration, setDuration] = useState("");
  const [reason, setReason] = useState("");
  const isDuration = duration.trim() === "" || minutes.test(duration.trim());
  const end = useChange({
    change: () =>
      admin.organization(organizationId).voiceSessions.close(session.sessionId, {
        reason: reason.trim(),
        ...(indicator.trim() === "" ? {} : { indicator: indicator.trim() }),
        ...(duration.trim() === "" ? {} : { totalDuration: Number(duration) }),
      }),
    untrue: [
      ...customerKeys(organizationId, session.customer_id),
      ["voice-sessions", organizationId],
      ["usage", organizationId],
    ],
    onDone(closed) {
      onClose();
      tell("The call has ended", `It is billed as ${closed.indicator}.`);
    },
  });
  return (
    <FormDialog
      title="End the call"
      action="End and bill the call"
      isReady={reason.trim() !== "" && isDuration}
      change={end}
      failure="The call has not ended."
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      <Field
        label="Indicator (optional)"
        name="indicator"
        value={indicator}
        onChange={setIndicator}
        isCode
        maxLength={200}
        hint={`One of ${session.agentId}. Empty is its only one in credits.`}
      />
      <Field
        label="Duration (optional)"
        name="duration"
        value={duration}
        onChange={setDuration}
        unit="minutes"
        isNumber
        error={isDuration ? undefined : "Minutes, as 12.5"}
        hint="Without it only what was tracked is billed."
      />
      <ReasonField value={reason} onChange={setReason} autoFocus />
      <Effect>
        <p>The call becomes a report of usage, once, and is debited at the price of now.</p>
        <p className="quiet">It cannot be undone: a refund gives credits back.</p>
      </Effect>
    </FormDialog>
  );
}
