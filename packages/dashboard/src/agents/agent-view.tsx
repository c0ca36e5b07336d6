import type { AdminAgent, AdminIndicator } from "@creditgate/admin";
import { isCreditgateError } from "@creditgate/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { lastKnown } from "../api/client.ts";
import { useAnswer, useMay, useOrganization, useOrganizationId } from "../api/query.ts";
import { currenciesQuery } from "../customers/queries.ts";
import { CopyButton, TextButton } from "../parts/button.tsx";
import { Failure } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { ActionDialog, DialogButton, Effect } from "../parts/form-dialog.tsx";
import { Section } from "../parts/page.tsx";
import { bone, Empty, Loaded } from "../parts/table.tsx";
import { notify } from "../parts/toasts.tsx";
import { visible } from "../parts/visible.ts";
import { AgentDialog } from "./agent-dialog.tsx";
import { CostBox } from "./cost-box.tsx";
import { IndicatorTable } from "./indicator-table.tsx";
import { PriceDialog } from "./price-dialog.tsx";
import { PriceHistory } from "./price-history.tsx";
import { agentQuery, indicatorsQuery, priceQueries, pricesQuery } from "./queries.ts";
import { describePrice } from "./rates.ts";
import { newTerms, readTerms } from "./terms-draft.ts";
import { TermsFields } from "./terms-fields.tsx";

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
    <Empty title="Agent not found">Nothing in this organization has the ID {agentId}.</Empty>
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
  const create = mayChange && (
    <DialogButton text="New indicator" look="sm" icon="plus">
      <IndicatorDialog
        agent={agent}
        onCreated={({ name: created }) => void navigate({ search: { agent: agentId, indicator: created } })}
      />
    </DialogButton>
  );
  return (
    <div className="section stack">
      <Section
        id="indicators"
        title={visible(name)}
        end={
          <>
            {currencies.length === 1 && (
              <span className="quiet small">
                credits of <code>{currencies[0]}</code>
              </span>
            )}
            {mayChange && (
              <span className="end buttons">
                <DialogButton text="Edit agent" look="sm ghost">
                  <AgentDialog agent={agent} />
                </DialogButton>
                {create}
              </span>
            )}
          </>
        }
      >
        <p className="facts">
          <CopyButton text={agentId} />
          {agent.agentDescription}
        </p>
        <Loaded query={indicators} failure="The indicators could not be loaded." pending={bone}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="No indicators yet" action={create}>
                An indicator is what you bill for, such as a message, with its price. Usage of {agentId} is
                rejected until the agent has one.
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

/** What an indicator has cost, costs and will cost, and what a use would. */
function IndicatorView({ agentId, indicator }: { agentId: string; indicator: string }) {
  const organizationId = useOrganizationId();
  const mayChange = useMay("money");
  const prices = useInfiniteQuery(pricesQuery(organizationId, agentId, indicator));
  const versions = prices.data ?? [];
  const isUnknown = isCreditgateError(prices.error) && prices.error.status === 404;
  return (
    <>
      <Section
        id="history"
        title={
          <>
            Price history of <code>{indicator}</code>
          </>
        }
        isRuled
        end={
          <DialogButton text="Change price" look="sm end" isShown={mayChange && versions.length > 0}>
            <PriceDialog agentId={agentId} indicator={indicator} versions={versions} />
          </DialogButton>
        }
        lead={
          isUnknown
            ? "The agent has no indicator with this name."
            : "A price applies to usage received while it is current. Billed usage does not change."
        }
      >
        {!isUnknown && (
          <Loaded query={prices} failure="The history could not be loaded." pending={bone}>
            {(rows) => rows.length > 0 && <PriceHistory versions={rows} isWhole={!prices.hasNextPage} />}
          </Loaded>
        )}
        {prices.hasNextPage && (
          <div>
            <TextButton text="Load older versions" look="sm" onPress={() => void prices.fetchNextPage()} />
          </div>
        )}
      </Section>
      {versions.length > 0 && <CostBox agentId={agentId} indicator={indicator} versions={versions} />}
    </>
  );
}

/** Creates an indicator with its first price. */
function IndicatorDialog({
  agent: { agentId, agentName },
  onCreated,
}: {
  agent: AdminAgent;
  onCreated: (indicator: AdminIndicator) => void;
}) {
  const organization = useOrganization();
  const { data: currencies = [] } = useAnswer(currenciesQuery);
  const [name, setName] = useState("");
  const [draft, setDraft] = useState(() => newTerms(currencies[0]?.creditCurrencyKey ?? "ai_credits"));
  const terms = readTerms(draft);
  return (
    <ActionDialog
      title={`New indicator of ${agentName}`}
      action="Create indicator"
      isReady={name.trim() !== "" && terms !== undefined}
      failure="The indicator was not created."
      send={async () =>
        terms && (await organization.indicators.create(agentId, { name: name.trim(), ...terms }))
      }
      untrue={priceQueries}
      onDone={(indicator) => {
        if (indicator === undefined) return;
        onCreated(indicator);
        notify(`Indicator ${indicator.name} created`);
      }}
    >
      <Field
        label="Name"
        name="name"
        value={name}
        onChange={setName}
        isCode
        autoFocus
        maxLength={200}
        hint="What the agent does, such as message or image. Used in usage reports. It cannot be changed."
      />
      <TermsFields draft={draft} onChange={setDraft} />
      <Effect>
        <p>
          {terms === undefined
            ? "Enter a price. For free usage, enter 0 per event."
            : `Usage is accepted immediately and ${
                terms.billing === "CREDITS" ? `costs ${describePrice(terms.price ?? {})}` : "debits nothing"
              }.`}
        </p>
      </Effect>
    </ActionDialog>
  );
}
