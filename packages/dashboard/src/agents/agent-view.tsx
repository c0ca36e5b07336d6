import type { AdminAgent } from "@creditgate/admin";
import { isCreditgateError } from "@creditgate/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useMay, useOrganizationId } from "../api/account.ts";
import { lastKnown } from "../api/client.ts";
import { useAnswer } from "../api/query.ts";
import { TextButton } from "../parts/button.tsx";
import { DialogButton } from "../parts/dialog-button.tsx";
import { Failure } from "../parts/failure.tsx";
import { bone, Empty, Loaded } from "../parts/listing.tsx";
import { Section } from "../parts/page.tsx";
import { AgentDialog } from "./agent-dialog.tsx";
import { IndicatorDialog } from "./indicator-dialog.tsx";
import { IndicatorTable } from "./indicator-table.tsx";
import { IndicatorView } from "./indicator-view.tsx";
import { agentQuery, indicatorsQuery, pricesQuery } from "./queries.ts";

/** An agent: its indicators, and the price of one of them. */
export function AgentView({ agentId, indicator }: { agentId: string; indicator: string | undefined }) {
  const organizationId = useOrganizationId();
  const agent = useAnswer(agentQuery, agentId);
  const indicators = useInfiniteQuery(indicatorsQuery(organizationId, agentId));
  const chosen = indicator ?? indicators.data?.[0]?.name;
  const prices = useInfiniteQuery({
    ...pricesQuery(organizationId, agentId, chosen ?? ""),
    enabled: chosen !== undefined,
  });
  const isUnknown = isCreditgateError(agent.error) && agent.error.status === 404;
  const known = lastKnown(agent);
  // All of it at once: what is below each other would be moved by what comes above it. Later, another indicator is chosen
  // in the table, which stays.
  const [wasWhole, setWasWhole] = useState(false);
  const isWhole = wasWhole || !(agent.isPending || indicators.isLoading || prices.isLoading);
  if (isWhole && !wasWhole) setWasWhole(true);
  if (!isWhole || agent.isPending) return <div className="bone block tall" />;
  if (known !== undefined) return <Agent agent={known} indicator={indicator} />;
  return isUnknown ? (
    <Empty title="No such agent">The organization has none with the ID {agentId}.</Empty>
  ) : (
    <Failure error={agent.error} what="The agent could not be loaded." onRetry={() => void agent.refetch()} />
  );
}

function Agent({ agent, indicator }: { agent: AdminAgent; indicator: string | undefined }) {
  const { agentId, agentName: name } = agent;
  const organizationId = useOrganizationId();
  const navigate = useNavigate({ from: "/organizations/$organizationId/agents" });
  const mayChange = useMay("money");
  const indicators = useInfiniteQuery(indicatorsQuery(organizationId, agentId));
  const found = indicators.data ?? [];
  const chosen = indicator ?? found[0]?.name;
  const currencies = [...new Set(found.flatMap(({ currency }) => currency ?? []))];
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
                <DialogButton text="Change the agent" look="sm ghost">
                  <AgentDialog agent={agent} />
                </DialogButton>
                <DialogButton text="Indicator" look="sm" icon="plus">
                  <IndicatorDialog
                    agent={agent}
                    onCreated={({ name: created }) =>
                      void navigate({ search: { agent: agentId, indicator: created } })
                    }
                  />
                </DialogButton>
              </span>
            )}
          </>
        }
      >
        {agent.agentDescription !== null && <p className="quiet small">{agent.agentDescription}</p>}
        <Loaded query={indicators} failure="The indicators could not be loaded." pending={bone}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="No indicator yet">
                An indicator is something that the agent does and that has a price, as a message. Usage of{" "}
                {agentId} is refused until it has one.
              </Empty>
            ) : (
              <IndicatorTable agentId={agentId} indicators={rows} chosen={chosen} />
            )
          }
        </Loaded>
        {indicators.hasNextPage && (
          <div>
            <TextButton text="More indicators" look="sm" onPress={() => void indicators.fetchNextPage()} />
          </div>
        )}
      </Section>
      {chosen !== undefined && <IndicatorView key={chosen} agentId={agentId} indicator={chosen} />}
    </div>
  );
}
