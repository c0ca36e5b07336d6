import type { AdminAgent } from "@creditgate/admin";
import { isCreditgateError } from "@creditgate/client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useMay, useOrganizationId } from "../api/account.ts";
import { standing } from "../api/client.ts";
import { TextButton } from "../parts/button.tsx";
import { Failure } from "../parts/failure.tsx";
import { Empty } from "../parts/listing.tsx";
import { Section } from "../parts/page.tsx";
import { AgentDialog } from "./agent-dialog.tsx";
import { IndicatorDialog } from "./indicator-dialog.tsx";
import { IndicatorTable } from "./indicator-table.tsx";
import { IndicatorView } from "./indicator-view.tsx";
import { agentQuery, indicatorsQuery, pricesQuery } from "./queries.ts";

/** An agent: its indicators, and the price of one of them. */
export function AgentView({ agentId, indicator }: { agentId: string; indicator: string | undefined }) {
  const organizationId = useOrganizationId();
  const agent = useQuery(agentQuery(organizationId, agentId));
  const indicators = useInfiniteQuery(indicatorsQuery(organizationId, agentId));
  const chosen = indicator ?? indicators.data?.[0]?.name;
  const prices = useInfiniteQuery({
    ...pricesQuery(organizationId, agentId, chosen ?? ""),
    enabled: chosen !== undefined,
  });
  const isUnknown = isCreditgateError(agent.error) && agent.error.status === 404;
  const known = standing(agent);
  // All of it at once: what is below each other would be moved by what comes above it. Later, another indicator is chosen
  // in the table, which stays.
  const [wasWhole, setWasWhole] = useState(false);
  const isWhole = wasWhole || !(agent.isPending || indicators.isLoading || prices.isLoading);
  if (isWhole && !wasWhole) setWasWhole(true);
  if (!isWhole || agent.isPending) return <div className="bone block tall" />;
  if (known !== undefined) return <Loaded agent={known} indicator={indicator} />;
  return isUnknown ? (
    <Empty title="No such agent">The organization has none with the ID {agentId}.</Empty>
  ) : (
    <Failure error={agent.error} what="The agent could not be loaded." onRetry={() => void agent.refetch()} />
  );
}

function Loaded({ agent, indicator }: { agent: AdminAgent; indicator: string | undefined }) {
  const { agentId, agent_name: name } = agent;
  const organizationId = useOrganizationId();
  const navigate = useNavigate({ from: "/organizations/$organizationId/agents" });
  const mayChange = useMay("money");
  const [open, setOpen] = useState<"agent" | "indicator">();
  const indicators = useInfiniteQuery(indicatorsQuery(organizationId, agentId));
  const found = indicators.data ?? [];
  const chosen = indicator ?? found[0]?.name;
  const currencies = [...new Set(found.flatMap(({ currency }) => currency ?? []))];
  const close = () => setOpen(undefined);
  return (
    <div className="section stack">
      <Section
        id="indicators"
        title={`${name}: indicators`}
        end={
          <>
            {currencies.length === 1 && (
              <span className="quiet small">
                credits of <code>{currencies[0]}</code>
              </span>
            )}
            {mayChange && (
              <span className="end buttons">
                <TextButton text="Change the agent" look="sm ghost" onPress={() => setOpen("agent")} />
                <TextButton text="Indicator" look="sm" icon="plus" onPress={() => setOpen("indicator")} />
              </span>
            )}
          </>
        }
      >
        {agent.agent_description !== null && <p className="quiet small">{agent.agent_description}</p>}
        {indicators.isPending && <div className="bone block" />}
        {indicators.isError && (
          <Failure
            error={indicators.error}
            what="The indicators could not be loaded."
            onRetry={() => void indicators.refetch()}
          />
        )}
        {indicators.isSuccess && found.length === 0 && (
          <Empty title="No indicator yet">
            An indicator is something that the agent does and that has a price, as a message. Usage of{" "}
            {agentId} is refused until it has one.
          </Empty>
        )}
        {found.length > 0 && <IndicatorTable agentId={agentId} indicators={found} chosen={chosen} />}
        {indicators.hasNextPage && (
          <div>
            <TextButton text="More indicators" look="sm" onPress={() => void indicators.fetchNextPage()} />
          </div>
        )}
      </Section>
      {chosen !== undefined && <IndicatorView key={chosen} agentId={agentId} indicator={chosen} />}
      {open === "agent" && <AgentDialog agent={agent} onClose={close} />}
      {open === "indicator" && (
        <IndicatorDialog
          agent={agent}
          onCreated={(created) => void navigate({ search: { agent: agentId, indicator: created.name } })}
          onClose={close}
        />
      )}
    </div>
  );
}
