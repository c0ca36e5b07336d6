import type { AdminVoiceSession } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMay, useOrganizationId } from "../api/account.ts";
import { admin } from "../api/client.ts";
import { useDraft } from "../api/edit.ts";
import { textOf } from "../parts/address.ts";
import { formatCount } from "../parts/amounts.ts";
import { Badge } from "../parts/badge.tsx";
import { TextButton } from "../parts/button.tsx";
import { Effect } from "../parts/effect.tsx";
import { Field, ReasonField } from "../parts/field.tsx";
import { ActionDialog, type DialogOf } from "../parts/form-dialog.tsx";
import { Empty, Listing } from "../parts/listing.tsx";
import { Section } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { formatTime, Time } from "../parts/time.tsx";
import { tell } from "../parts/toasts.tsx";
import { customerKeys, voiceSessionsQuery } from "./queries.ts";

/** The voice calls of a customer that are not billed yet, the oldest first. */
export function VoiceList({ customerId }: { readonly customerId: string }) {
  const organizationId = useOrganizationId();
  const [cursor, setCursor] = useState<string>();
  const [closing, setClosing] = useState<AdminVoiceSession>();
  const mayChange = useMay("money");
  const sessions = useQuery(voiceSessionsQuery({ organizationId, customerId, cursor }));
  return (
    <Section
      id="voice"
      title="Voice sessions"
      lead="Calls that have no indicator yet. One that has ended is a report of usage."
    >
      <Listing
        query={sessions}
        rowsOf={(answer) => answer.sessions}
        failure="The voice sessions could not be loaded."
        empty={
          <Empty title="No call is open">
            A call comes here when your application opens a voice session, until it is billed.
          </Empty>
        }
        cursor={cursor}
        onMove={setCursor}
      >
        {(rows, isOld) => (
          <Table
            caption="Voice sessions that are not billed, the oldest first"
            rows={rows}
            idOf={({ sessionId }) => sessionId}
            isOld={isOld}
            columns={[
              {
                header: "Session",
                isName: true,
                look: "mono breaks",
                cell: ({ sessionId, openedAt }) => (
                  <>
                    {sessionId}
                    <span className="sub phone">{formatTime(openedAt)}</span>
                  </>
                ),
              },
              { header: "Agent", from: 2, cell: ({ agentId }) => agentId },
              { header: "Opened", from: 1, look: "quiet", cell: ({ openedAt }) => <Time at={openedAt} /> },
              { header: "Parts", isNumber: true, from: 1, cell: ({ parts }) => formatCount(parts) },
              {
                header: "State",
                cell: ({ abandonedAt }) =>
                  abandonedAt === null ? (
                    <Badge tone="accent">Open</Badge>
                  ) : (
                    <Badge tone="warn">Given up</Badge>
                  ),
              },
              mayChange && {
                header: "Actions",
                isUnseen: true,
                look: "end",
                cell: (session) => (
                  <TextButton
                    text="End"
                    look="sm"
                    unseen={session.sessionId}
                    onPress={() => setClosing(session)}
                  />
                ),
              },
            ]}
          />
        )}
      </Listing>
      {closing !== undefined && <VoiceDialog session={closing} onClose={() => setClosing(undefined)} />}
    </Section>
  );
}

const minutes = /^\d+(\.\d+)?$/;

/** Ends a call that was left open, and bills it. */
function VoiceDialog({ session, onClose }: DialogOf<{ session: AdminVoiceSession }>) {
  const organizationId = useOrganizationId();
  const { values, bind } = useDraft({ indicator: "", duration: "", reason: "" });
  const [reason, duration] = [values.reason.trim(), values.duration.trim()];
  const isDuration = duration === "" || minutes.test(duration);
  return (
    <ActionDialog
      title="End the call"
      action="End and bill the call"
      isReady={reason !== "" && isDuration}
      failure="The call has not ended."
      send={() =>
        admin.organization(organizationId).voiceSessions.close(session.sessionId, {
          reason,
          ...textOf("indicator", values.indicator.trim()),
          ...(duration === "" ? {} : { totalDuration: Number(duration) }),
        })
      }
      untrue={[
        ...customerKeys(organizationId, session.customer_id),
        ["voice-sessions", organizationId],
        ["usage", organizationId],
      ]}
      onDone={(closed) => tell("The call has ended", `It is billed as ${closed.indicator}.`)}
      onClose={onClose}
    >
      <Field
        {...bind("indicator")}
        label="Indicator (optional)"
        isCode
        maxLength={200}
        hint={`One of ${session.agentId}. Empty is its only one in credits.`}
      />
      <Field
        {...bind("duration")}
        label="Duration (optional)"
        unit="minutes"
        isNumber
        error={isDuration ? undefined : "Minutes, as 12.5"}
        hint="Without it only what was tracked is billed."
      />
      <ReasonField {...bind("reason")} autoFocus />
      <Effect>
        <p>The call becomes a report of usage, once, and is debited at the price of now.</p>
        <p className="quiet">It cannot be undone: a refund gives credits back.</p>
      </Effect>
    </ActionDialog>
  );
}
