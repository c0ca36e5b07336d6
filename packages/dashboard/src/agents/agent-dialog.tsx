import { type AdminAgent, type AgentEditRequest, adminAgent } from "@creditgate/admin";
import { useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { admin } from "../api/client.ts";
import { useAction, useEdit } from "../api/edit.ts";
import { Field } from "../parts/field.tsx";
import { type DialogOf, FormDialog } from "../parts/form-dialog.tsx";
import { tell } from "../parts/toasts.tsx";
import { priceKeys } from "./queries.ts";

/** Creates an agent, or changes its name, type or description. */
export function AgentDialog({
  agent,
  onDone,
  onClose,
}: DialogOf<{
  /** The one that is changed; without it one is created. */
  agent?: AdminAgent | undefined;
  onDone?: (agent: AdminAgent) => void;
}>) {
  const organizationId = useOrganizationId();
  const [agentId, setAgentId] = useState("");
  const { agents } = admin.organization(organizationId);
  const untrue = priceKeys(organizationId, agent?.agentId ?? agentId.trim());
  const done = (saved: AdminAgent | undefined) => {
    if (saved === undefined) return;
    onDone?.(saved);
    tell(agent === undefined ? `${saved.agent_name} created` : `${saved.agent_name} changed`);
  };
  const edit = useEdit<AdminAgent | undefined, Values, AdminAgent | undefined>({
    record: agent,
    schema: adminAgent,
    valuesOf: (one) => ({
      name: one?.agent_name ?? "",
      type: one?.agent_type ?? "",
      description: one?.agent_description ?? "",
    }),
    labels: { agent_name: "Name", agent_type: "Type", agent_description: "Description" },
    send: async (changed, seen) =>
      agent && (await agents.edit(agent.agentId, { ...seen, ...writtenOf(changed) })),
    untrue,
    onDone: done,
    onClose,
  });
  const { bind } = edit;
  const { name, type, description } = edit.values;
  const create = useAction({
    send: () =>
      agents.create({
        ...writtenOf({ type, description }),
        ...{ agent_name: name.trim(), agentId: agentId.trim(), agent_external_id: agentId.trim() },
      }),
    untrue,
    onDone: done,
    onClose,
  });
  return (
    <FormDialog
      title={agent === undefined ? "New agent" : `Change ${agent.agent_name}`}
      action={agent === undefined ? "Create the agent" : "Change the agent"}
      isReady={name.trim() !== "" && (agent === undefined ? agentId.trim() !== "" : edit.isChanged)}
      form={agent === undefined ? create : edit}
      failure={agent === undefined ? "The agent was not created." : "The agent was not changed."}
    >
      <Field
        {...bind("name")}
        label="Name"
        maxLength={200}
        autoFocus
        hint="As your customers know it, as Support chat."
      />
      {agent === undefined && (
        <Field
          label="ID"
          name="agent-id"
          value={agentId}
          onChange={setAgentId}
          isCode
          maxLength={200}
          hint="By which reports of usage name it. It cannot be changed."
        />
      )}
      <Field {...bind("type")} label="Type (optional)" maxLength={200} hint="Such as chat or voice." />
      <Field {...bind("description")} label="Description (optional)" maxLength={1_000} />
    </FormDialog>
  );
}

interface Values {
  readonly name: string;
  readonly type: string;
  readonly description: string;
}

function writtenOf({ name, type, description }: Partial<Values>): AgentEditRequest {
  return {
    ...(name === undefined ? {} : { agent_name: name.trim() }),
    ...(type === undefined ? {} : { agent_type: type.trim() || null }),
    ...(description === undefined ? {} : { agent_description: description.trim() || null }),
  };
}
