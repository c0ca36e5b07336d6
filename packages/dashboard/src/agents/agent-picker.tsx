import type { AdminAgent, UsageSum } from "@creditgate/admin";
import { Link } from "@tanstack/react-router";
import { useOrganizationId } from "../api/account.ts";
import { useAnswer } from "../api/query.ts";
import { TextButton } from "../parts/button.tsx";
import { agentSumsQuery } from "./queries.ts";

interface AgentPickerProps {
  readonly agents: readonly AdminAgent[];
  readonly chosen: string;
  /** Loads more of them, where there are more. */
  readonly more: (() => void) | undefined;
}

/** The agents, each with what it has cost in 30 days. */
export function AgentPicker({ agents, chosen, more }: AgentPickerProps) {
  const organizationId = useOrganizationId();
  const { data: sums } = useAnswer(agentSumsQuery);
  return (
    <nav className="section" aria-label="Agents">
      <ul className="picker">
        {agents.map(({ agentId, agentName, indicators }) => (
          <li key={agentId}>
            <Link
              to="/organizations/$organizationId/agents"
              params={{ organizationId }}
              search={{ agent: agentId }}
              resetScroll={false}
              aria-current={agentId === chosen ? "true" : undefined}
            >
              <b>{agentName}</b>
              <small className="r" title="In the last 30 days">
                {sums === undefined ? "" : creditsOf(sums, agentId)}
              </small>
              <small className="mono">{agentId}</small>
              <small className="r">
                {indicators} indicator{indicators === 1 ? "" : "s"}
              </small>
            </Link>
          </li>
        ))}
      </ul>
      {more !== undefined && (
        <div>
          <TextButton text="More agents" look="sm" onPress={more} />
        </div>
      )}
    </nav>
  );
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** Credits of two currencies cannot be added: then those of the one that is used most. */
function creditsOf(sums: readonly UsageSum[], agentId: string): string {
  const most = Math.max(0, ...sums.filter((sum) => sum.agentId === agentId).map(({ credits }) => credits));
  return most === 0 ? "no credits" : `${compact.format(most)} credits`;
}
