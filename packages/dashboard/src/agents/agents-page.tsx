import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMay, useOrganizationId } from "../api/account.ts";
import { currenciesQuery } from "../customers/queries.ts";
import { DialogButton } from "../parts/dialog-button.tsx";
import { Empty, Loaded } from "../parts/listing.tsx";
import { Page } from "../parts/page.tsx";
import { AgentDialog } from "./agent-dialog.tsx";
import { AgentPicker } from "./agent-picker.tsx";
import { AgentView } from "./agent-view.tsx";
import { CreditPriceDialog } from "./credit-price-dialog.tsx";
import { agentsQuery } from "./queries.ts";

const route = "/shell/organizations/$organizationId/agents";

export function AgentsPage() {
  const organizationId = useOrganizationId();
  const navigate = useNavigate({ from: "/organizations/$organizationId/agents" });
  const mayChange = useMay("money");
  const { data: currencies = [] } = useQuery({ ...currenciesQuery(organizationId), enabled: mayChange });
  const search = useSearch({ from: route });
  const agents = useInfiniteQuery(agentsQuery(organizationId));
  return (
    <Page
      title="Agents and prices"
      actions={
        mayChange && (
          <>
            <DialogButton text="Price of a credit" isDisabled={currencies.length === 0}>
              <CreditPriceDialog currencies={currencies} />
            </DialogButton>
            <DialogButton text="New agent" look="primary" icon="plus" data-key="n">
              <AgentDialog onDone={(agent) => void navigate({ search: { agent: agent.agentId } })} />
            </DialogButton>
          </>
        )
      }
    >
      <Loaded query={agents} failure="The agents could not be loaded. Usage is priced all the same.">
        {(known) => {
          const agentId = search.agent ?? known[0]?.agentId;
          return agentId === undefined ? (
            <Empty title="No agent yet">
              An agent is what of yours does the work: a chat, a phone line. Its indicators are what it does,
              each with a price.{" "}
              {mayChange
                ? "Make the first here, or let your application ensure it by the API."
                : "One who may change prices makes it."}
            </Empty>
          ) : (
            <div className="agents">
              <AgentPicker
                agents={known}
                chosen={agentId}
                more={agents.hasNextPage ? () => void agents.fetchNextPage() : undefined}
              />
              <AgentView key={agentId} agentId={agentId} indicator={search.indicator} />
            </div>
          );
        }}
      </Loaded>
    </Page>
  );
}
