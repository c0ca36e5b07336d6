import type { AdminVoiceSession } from "@creditgate/admin";
import { useState } from "react";
import { useDraft } from "../api/edit.ts";
import { useAnswer, useMay, useOrganization } from "../api/query.ts";
import { customerQueries, voiceSessionsQuery } from "../customers/queries.ts";
import { textOf } from "../parts/address.ts";
import { formatCount } from "../parts/amounts.ts";
import { Badge } from "../parts/badge.tsx";
import { CopyButton } from "../parts/button.tsx";
import { Field, ReasonField } from "../parts/field.tsx";
import { ActionDialog, DialogButton, Effect } from "../parts/form-dialog.tsx";
import { Section } from "../parts/page.tsx";
import { Empty, Listing, Table } from "../parts/table.tsx";
import { formatTime, Time } from "../parts/time.tsx";
import { notify } from "../parts/toasts.tsx";

/** The voice calls of a customer that are not billed yet, the oldest first. */
export function VoiceList({ customerId }: { readonly customerId: string }) {
  const [cursor, setCursor] = useState<string>();
  const mayChange = useMay("money");
  const sessions = useAnswer(voiceSessionsQuery, customerId, cursor);
  return (
    <Section
      id="voice"
      title="Voice sessions"
      lead="Calls in progress. A call is billed as one usage report when it ends."
    >
      <Listing
        query={sessions}
        rowsOf={(answer) => answer.sessions}
        what="voice sessions"
        empty={
          <Empty title="No open calls">
            A call is listed from when your application opens a voice session until it is billed.
          </Empty>
        }
        paging={[cursor, setCursor]}
      >
        {(rows, isOld) => (
          <Table
            caption="Voice sessions that are not billed, the oldest first"
            rows={rows}
            idOf={({ sessionId }) => sessionId}
            isOld={isOld}
            columns={(column) => [
              column("Session", { isName: true, look: "breaks" }, ({ sessionId, openedAt }) => (
                <>
                  <CopyButton text={sessionId} />
                  <span className="sub phone">{formatTime(openedAt)}</span>
                </>
              )),
              column("Agent", { from: 2 }, ({ agentId }) => agentId),
              column("Opened", { from: 1, look: "quiet" }, ({ openedAt }) => <Time at={openedAt} />),
              column("Parts", { isNumber: true, from: 1 }, ({ parts }) => formatCount(parts)),
              column("Status", {}, ({ abandonedAt }) =>
                abandonedAt === null ? (
                  <Badge tone="accent">Open</Badge>
                ) : (
                  <Badge tone="warn">Abandoned</Badge>
                ),
              ),
              mayChange &&
                column("Actions", { isUnseen: true, look: "end" }, (session) => (
                  <DialogButton text="End" look="sm" unseen={session.sessionId}>
                    <VoiceDialog session={session} />
                  </DialogButton>
                )),
            ]}
          />
        )}
      </Listing>
    </Section>
  );
}

const minutes = /^\d+(\.\d+)?$/;

/** Ends a call that was left open, and bills it. */
function VoiceDialog({ session }: { session: AdminVoiceSession }) {
  const organization = useOrganization();
  const { values, bind } = useDraft({ indicator: "", duration: "", reason: "" });
  const [reason, duration] = [values.reason.trim(), values.duration.trim()];
  const isDuration = duration === "" || minutes.test(duration);
  return (
    <ActionDialog
      title="End call"
      action="End and bill call"
      isReady={reason !== "" && isDuration}
      failure="The call could not be ended."
      send={() =>
        organization.voiceSessions.close(session.sessionId, {
          reason,
          ...textOf("indicator", values.indicator.trim()),
          ...(duration === "" ? {} : { totalDuration: Number(duration) }),
        })
      }
      untrue={[...customerQueries, "voice-sessions"]}
      onDone={(closed) => notify("Call ended", `Billed as ${closed.indicator}.`)}
    >
      <Field
        {...bind("indicator")}
        label="Indicator (optional)"
        isCode
        maxLength={200}
        hint={`An indicator of ${session.agentId}. Leave empty if it has only one in credits.`}
      />
      <Field
        {...bind("duration")}
        label="Duration (optional)"
        unit="minutes"
        isNumber
        error={isDuration ? undefined : "Enter minutes, such as 12.5"}
        hint="Leave empty to bill the tracked usage only."
      />
      <ReasonField {...bind("reason")} autoFocus />
      <Effect>
        <p>The call is billed once, as a usage report at the current price.</p>
        <p className="quiet">This cannot be undone. A refund can return the credits.</p>
      </Effect>
    </ActionDialog>
  );
}
