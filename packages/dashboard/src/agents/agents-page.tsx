import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { useMay, useOrganizationId } from "../api/account.ts";
import { standing } from "../api/standing.ts";
import { currenciesQuery } from "../customers/queries.ts";
import { Bones } from "../parts/bones.tsx";
import { Empty } from "../parts/empty.tsx";
import { Failure } from "../parts/failure.tsx";
import { Icon } from "../parts/icon.tsx";
import { Page } from "../parts/page.tsx";
import { AgentDialog } from "./agent-dialog.tsx";
import { AgentPicker } from "./agent-picker.tsx";
import { AgentView } from "./agent-view.tsx";
import { CreditPriceDialog } from "./credit-price-dialog.tsx";
import { agentsQuery } from "./queries.ts";

const route = "/shell/organizations/$organizationId/agents";

export function AgentsPage(): ReactNode {
  const organizationId = useOrganizationId();
  const navigate = useNavigate({ from: "/organizations/$organizationId/agents" });
  const mayChange = useMay("money");
  const [isCreating, setIsCreating] = useState(false);
  const [isPricing, setIsPricing] = useState(false);
  const { data: currencies = [] } = useQuery({ ...currenciesQuery(organizationId), enabled: mayChange });
  const search = useSearch({ from: route });
  const agents = useInfiniteQuery(agentsQuery(organizationId));
  const known = standing(agents);
  const [first] = known ?? [];
  const agentId = search.agent ?? first?.agentId;
  return (
    <Page
      title="Agents and prices"
      actions={
        mayChange && (
          <>
            <Button className="btn" isDisabled={currencies.length === 0} onPress={() => setIsPricing(true)}>
              Price of a credit
            </Button>
            <Button className="btn primary" data-key="n" onPress={() => setIsCreating(true)}>
              <Icon name="plus" />
              New agent
            </Button>
          </>
        )
      }
    >
      {agents.isPending && <Bones />}
      {agents.isError && (
        <Failure
          error={agents.error}
          what="The agents could not be loaded. Usage is priced all the same."
          onRetry={() => void agents.refetch()}
        />
      )}
      {known !== undefined && agentId === undefined && (
        <Empty title="No agent yet">
          <p>
            An agent is what of yours does the work: a chat, a phone line. Its indicators are what it does,
            each with a price.{" "}
            {mayChange
              ? "Make the first here, or let your application ensure it by the API."
              : "One who may change prices makes it."}
          </p>
        </Empty>
      )}
      {known !== undefined && agentId !== undefined && (
        <div className="agents">
          <AgentPicker
            agents={known}
            chosen={agentId}
            more={agents.hasNextPage ? () => void agents.fetchNextPage() : undefined}
          />
          <AgentView key={agentId} agentId={agentId} indicator={search.indicator} />
        </div>
      )}
      {isPricing && <CreditPriceDialog currencies={currencies} onClose={() => setIsPricing(false)} />}
      {isCreating && (
        <AgentDialog
          onDone={(agent) => void navigate({ search: { agent: agent.agentId } })}
          onClose={() => setIsCreating(false)}
        />
      )}
    </Page>
  );
}
