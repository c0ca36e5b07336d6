import type { AdminAgent, IndicatorTerms } from "@creditgate/admin";
import { parseRate } from "../agents/terms-draft.ts";
import { queryClient } from "../api/client.ts";
import { useChange, useDraft } from "../api/edit.ts";
import { useOrganization } from "../api/query.ts";
import { Field } from "../parts/field.tsx";
import { startQueries } from "./queries.ts";
import { StepForm } from "./step-form.tsx";

const rates = [
  ["perEvent", "Per event"],
  ["perThousandInputTokens", "Per 1,000 input tokens"],
  ["perThousandOutputTokens", "Per 1,000 output tokens"],
] as const;

/** Creates an agent with a price, or a price for the one that there is. */
export function AgentStep({ agent, currency }: { agent: AdminAgent | undefined; currency: string }) {
  const organization = useOrganization();
  const { values, bind } = useDraft({
    name: agent?.agentName ?? "Chat",
    agentId: agent?.agentId ?? "chat",
    indicator: "message",
    perEvent: "1.00",
    perThousandInputTokens: "0.50",
    perThousandOutputTokens: "1.50",
  });
  const [name, agentId, indicator] = [values.name.trim(), values.agentId.trim(), values.indicator.trim()];
  const price = Object.fromEntries(rates.map(([rate]) => [rate, parseRate(values[rate])]));
  const create = useChange({
    async change(terms: IndicatorTerms) {
      try {
        if (agent === undefined) {
          await organization.agents.create({ agentId, agentExternalId: agentId, agentName: name });
        }
        return await organization.indicators.create(agentId, { name: indicator, ...terms });
      } catch (error) {
        // The agent may have been made: the step goes on from there.
        void queryClient.invalidateQueries({ queryKey: ["start"] });
        throw error;
      }
    },
    untrue: startQueries,
  });
  const isPriced = Object.values(price).every((rate) => rate !== undefined);
  const isReady = isPriced && [name, agentId, indicator].every((text) => text !== "");
  return (
    <StepForm
      action={agent === undefined ? "Create agent" : "Set price"}
      isReady={isReady}
      isPending={create.isPending}
      error={create.error}
      onSubmit={() => create.mutate({ billing: "CREDITS", currency, price })}
    >
      {agent === undefined ? (
        <div className="fields">
          <Field {...bind("name")} label="Name" maxLength={200} />
          <Field {...bind("agentId")} label="ID" isCode maxLength={200} />
        </div>
      ) : (
        <p className="small">
          <b>{agent.agentName}</b> <code>{agent.agentId}</code> has no price in <code>{currency}</code> yet.
        </p>
      )}
      <Field {...bind("indicator")} label="Indicator" isCode maxLength={200} hint="What you bill for." />
      <div className="fields three">
        {rates.map(([rate, label]) => (
          <Field
            {...bind(rate)}
            key={rate}
            label={label}
            unit="credits"
            isNumber
            error={price[rate] === undefined ? "Enter credits of 0 or more" : undefined}
          />
        ))}
      </div>
      <p className="hint small quiet">
        Credits of <code>{currency}</code>. Set prices for cached tokens, images, models and more on “Agents
        and prices”.
      </p>
    </StepForm>
  );
}
