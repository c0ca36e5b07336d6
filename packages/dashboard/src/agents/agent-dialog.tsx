import type { AdminAgent } from "@creditgate/client/admin";
import { type ReactNode, useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
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
  const [name, setName] = useState(agent?.agent_name ?? "");
  const [agentId, setAgentId] = useState("");
  const [type, setType] = useState(agent?.agent_type ?? "");
  const [description, setDescription] = useState(agent?.agent_description ?? "");
  const written = {
    agent_name: name.trim(),
    agent_type: type.trim() || null,
    // One of several lines, which is not in this field as it is, stays as it is.
    ...(description === (agent?.agent_description ?? "")
      ? {}
      : { agent_description: description.trim() || null }),
  };
  const { agents } = admin.organization(organizationId);
  const save = useChange({
    change: () =>
      agent === undefined
        ? agents.create({ ...written, agentId: agentId.trim(), agent_external_id: agentId.trim() })
        : agents.edit(agent.agentId, written),
    untrue: priceKeys(organizationId, agent?.agentId ?? agentId.trim()),
    onDone(saved) {
      onClose();
      onDone(saved);
      tell(agent === undefined ? `${saved.agent_name} created` : `${saved.agent_name} changed`);
    },
  });
  return (
    <FormDialog
      title={agent === undefined ? "New agent" : `Change ${agent.agent_name}`}
      action={agent === undefined ? "Create the agent" : "Change the agent"}
      isReady={name.trim() !== "" && (agent !== undefined || agentId.trim() !== "")}
      change={save}
      failure={agent === undefined ? "The agent was not created." : "The agent was not changed."}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <Field
        label="Name"
        name="name"
        value={name}
        onChange={setName}
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
        onChange={setType}
        maxLength={200}
        hint="Such as chat or voice."
      />
      <Field
        label="Description (optional)"
        name="description"
        value={description}
        onChange={setDescription}
        maxLength={1_000}
      />
    </FormDialog>
  );
}
