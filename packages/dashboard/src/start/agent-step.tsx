import type { AdminAgent, IndicatorTerms } from "@creditgate/client/admin";
import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { parseRate } from "../agents/terms-draft.ts";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { queryClient } from "../api/query-client.ts";
import { Failure } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { startKeys } from "./queries.ts";

/** Makes an agent with a price, or a price for the one that there is. */
export function AgentStep({
  agent,
  currency,
}: {
  readonly agent: AdminAgent | undefined;
  readonly currency: string;
}): ReactNode {
  const organizationId = useOrganizationId();
  const [name, setName] = useState(agent?.agent_name ?? "Chat");
  const [agentId, setAgentId] = useState(agent?.agentId ?? "chat");
  const [indicator, setIndicator] = useState("message");
  const [event, setEvent] = useState("1.00");
  const [input, setInput] = useState("0.50");
  const [output, setOutput] = useState("1.50");
  const rates = { perEvent: event, perThousandInputTokens: input, perThousandOutputTokens: output };
  const isPriced = Object.values(rates).every((text) => parseRate(text) !== undefined);
  const create = useChange({
    async change(terms: IndicatorTerms) {
      const organization = admin.organization(organizationId);
      try {
        if (agent === undefined) {
          await organization.agents.create({
            agentId: agentId.trim(),
            agent_external_id: agentId.trim(),
            agent_name: name.trim(),
          });
        }
        return await organization.indicators.create(agentId.trim(), { name: indicator.trim(), ...terms });
      } catch (error) {
        // The agent may have been made: the step goes on from there.
        void queryClient.invalidateQueries({ queryKey: ["start", organizationId] });
        throw error;
      }
    },
    untrue: startKeys(organizationId),
  });
  const isReady = isPriced && [name, agentId, indicator].every((text) => text.trim() !== "");
  function submit(submitted: FormEvent): void {
    submitted.preventDefault();
    if (!isReady || create.isPending) return;
    const price = Object.fromEntries(Object.entries(rates).map(([rate, text]) => [rate, parseRate(text)]));
    create.mutate({ billing: "CREDITS", currency, price });
  }
  const rateError = (text: string) => (parseRate(text) === undefined ? "Credits from 0" : undefined);
  return (
    <form className="section step-form" onSubmit={submit} noValidate>
      {agent === undefined ? (
        <div className="fields">
          <Field label="Name" name="agent-name" value={name} onChange={setName} maxLength={200} />
          <Field label="ID" name="agent-id" value={agentId} onChange={setAgentId} isCode maxLength={200} />
        </div>
      ) : (
        <p className="small">
          <b>{agent.agent_name}</b> <code>{agent.agentId}</code> has no price in <code>{currency}</code> yet.
        </p>
      )}
      <Field
        label="Indicator"
        name="indicator"
        value={indicator}
        onChange={setIndicator}
        isCode
        maxLength={200}
        hint="What it does that has a price."
      />
      <div className="fields three">
        <Field
          label="Per event"
          value={event}
          onChange={setEvent}
          unit="credits"
          isNumber
          error={rateError(event)}
        />
        <Field
          label="Per 1,000 input tokens"
          value={input}
          onChange={setInput}
          unit="credits"
          isNumber
          error={rateError(input)}
        />
        <Field
          label="Per 1,000 output tokens"
          value={output}
          onChange={setOutput}
          unit="credits"
          isNumber
          error={rateError(output)}
        />
      </div>
      <p className="hint small quiet">
        Credits of <code>{currency}</code>. Cached tokens, images, models and more have prices of their own
        under “Agents and prices”.
      </p>
      {create.isError && <Failure error={create.error} what="Not all of it was made." />}
      <div>
        <Button className="btn primary" type="submit" isDisabled={!isReady} isPending={create.isPending}>
          {agent === undefined ? "Create the agent" : "Set the price"}
        </Button>
      </div>
    </form>
  );
}
