import type { AdminVoiceSession } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { useMay, useOrganizationId } from "../api/account.ts";
import { Badge } from "../parts/badge.tsx";
import { formatCount } from "../parts/credits.ts";
import { Empty } from "../parts/empty.tsx";
import { Listing } from "../parts/listing.tsx";
import { formatExact, formatTime } from "../parts/time.tsx";
import { voiceSessionsQuery } from "./queries.ts";
import { VoiceDialog } from "./voice-dialog.tsx";

/** The voice calls of a customer that are not billed yet, the oldest first. */
export function VoiceList({ customerId }: { readonly customerId: string }): ReactNode {
  const organizationId = useOrganizationId();
  const [cursor, setCursor] = useState<string>();
  const [closing, setClosing] = useState<AdminVoiceSession>();
  const mayChange = useMay("money");
  const sessions = useQuery(voiceSessionsQuery({ organizationId, customerId, cursor }));
  return (
    <section className="section" aria-labelledby="voice">
      <header>
        <h2 id="voice">Voice sessions</h2>
        <p>Calls that have no indicator yet. One that has ended is a report of usage.</p>
      </header>
      <Listing
        query={sessions}
        rowsOf={(answer) => answer.sessions}
        failure="The voice sessions could not be loaded."
        empty={
          <Empty title="No call is open">
            <p>A call comes here when your application opens a voice session, until it is billed.</p>
          </Empty>
        }
        cursor={cursor}
        onMove={setCursor}
      >
        {(rows, isOld) => (
          <table aria-busy={isOld}>
            <caption className="unseen">Voice sessions that are not billed, the oldest first</caption>
            <thead>
              <tr>
                <th scope="col">Session</th>
                <th scope="col" className="p2">
                  Agent
                </th>
                <th scope="col" className="p1">
                  Opened
                </th>
                <th scope="col" className="r p1">
                  Parts
                </th>
                <th scope="col">State</th>
                {mayChange && (
                  <th scope="col">
                    <span className="unseen">Actions</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {rows.map((session) => (
                <tr key={session.sessionId}>
                  <th scope="row" className="mono breaks">
                    {session.sessionId}
                    <span className="sub phone">{formatTime(session.openedAt)}</span>
                  </th>
                  <td className="p2">{session.agentId}</td>
                  <td className="quiet p1">
                    <time dateTime={session.openedAt} title={formatExact(session.openedAt)}>
                      {formatTime(session.openedAt)}
                    </time>
                  </td>
                  <td className="r p1">{formatCount(session.parts)}</td>
                  <td>
                    {session.abandonedAt === null ? (
                      <Badge tone="accent">Open</Badge>
                    ) : (
                      <Badge tone="warn" icon="warning">
                        Given up
                      </Badge>
                    )}
                  </td>
                  {mayChange && (
                    <td className="end">
                      <Button className="btn sm" onPress={() => setClosing(session)}>
                        End<span className="unseen"> {session.sessionId}</span>
                      </Button>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Listing>
      {closing !== undefined && <VoiceDialog session={closing} onClose={() => setClosing(undefined)} />}
    </section>
  );
}
