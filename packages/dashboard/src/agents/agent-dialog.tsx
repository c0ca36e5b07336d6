import { type AdminAgent, type AgentEditRequest, adminAgent } from "@creditgate/client/admin";
import { type ReactNode, useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { useEdit } from "../api/edit.ts";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { tell } from "../parts/toasts.tsx";
import { priceKeys } from "./queries.ts";

/** Makes an agent, or changes what one is called. */
export function AgentDialog({
  agent,
  onDone,
  onClose,
}: {
  /** The one that is changed; a new one without it. */
  readonly agent?: AdminAgent | undefined;
  readonly onDone: (agent: AdminAgent) => void;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const [agentId, setAgentId] = useState("");
  const { agents } = admin.organization(organizationId);
  const untrue = priceKeys(organizationId, agent?.agentId ?? agentId.trim());
  const done = (saved: AdminAgent | undefined) => {
    onClose();
    if (saved === undefined) return;
    onDone(saved);
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
  });
  const { name, type, description } = edit.values;
  const create = useChange({
    change: () =>
      agents.create({
        ...writtenOf({ type, description }),
        ...{ agent_name: name.trim(), agentId: agentId.trim(), agent_external_id: agentId.trim() },
      }),
    untrue,
    onDone: done,
  });
  return (
    <FormDialog
      title={agent === undefined ? "New agent" : `Change ${agent.agent_name}`}
      action={agent === undefined ? "Create the agent" : "Change the agent"}
      isReady={name.trim() !== "" && (agent === undefined ? agentId.trim() !== "" : edit.isChanged)}
      change={agent === undefined ? create : edit}
      failure={agent === undefined ? "The agent was not created." : "The agent was not changed."}
      onSubmit={() => (agent === undefined ? create.mutate() : edit.save())}
      onClose={onClose}
    >
      <Field
        label="Name"
        name="name"
        value={name}
        onChange={(text) => edit.set({ name: text })}
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
      <Field
        label="Type (optional)"
        name="type"
        value={type}
        onChange={(text) => edit.set({ type: text })}
        maxLength={200}
        hint="Such as chat or voice."
      />
      <Field
        label="Description (optional)"
        name="description"
        value={description}
        onChange={(text) => edit.set({ description: text })}
        maxLength={1_000}
      />
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
