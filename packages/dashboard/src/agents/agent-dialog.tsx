import { type AdminAgent, type AgentEditRequest, adminAgent } from "@creditgate/admin";
import { useState } from "react";
import { useEdit } from "../api/edit.ts";
import { useOrganization } from "../api/query.ts";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { notify } from "../parts/toasts.tsx";
import { priceQueries } from "./queries.ts";

/** Creates an agent, or changes its name, type or description. */
export function AgentDialog({
  agent,
  onDone,
}: {
  /** The one that is changed; without it one is created. */
  agent?: AdminAgent;
  onDone?: (agent: AdminAgent) => void;
}) {
  const { agents } = useOrganization();
  const isNew = agent === undefined;
  const [agentId, setAgentId] = useState("");
  const edit = useEdit<AdminAgent | undefined, Values, AdminAgent>({
    record: agent,
    schema: adminAgent,
    valuesOf: (one) => ({
      name: one?.agentName ?? "",
      type: one?.agentType ?? "",
      description: one?.agentDescription ?? "",
    }),
    labels: { agentName: "Name", agentType: "Type", agentDescription: "Description" },
    send: (changed, seen, values) =>
      isNew
        ? agents.create({
            ...writtenOf(values),
            ...{ agentName: values.name.trim(), agentId: agentId.trim(), agentExternalId: agentId.trim() },
          })
        : agents.edit(agent.agentId, { ...seen, ...writtenOf(changed) }),
    untrue: priceQueries,
    onDone(saved) {
      onDone?.(saved);
      notify(`${saved.agentName} ${isNew ? "created" : "updated"}`);
    },
  });
  const { bind } = edit;
  const { name } = edit.values;
  const action = isNew ? "Create agent" : "Save agent";
  return (
    <FormDialog
      title={isNew ? "New agent" : `Edit ${agent.agentName}`}
      action={action}
      isReady={name.trim() !== "" && (isNew ? agentId.trim() !== "" : edit.isChanged)}
      form={edit}
      failure={`The agent was not ${isNew ? "created" : "updated"}.`}
    >
      <Field
        {...bind("name")}
        label="Name"
        maxLength={200}
        autoFocus
        hint="Shown to customers, such as “Support chat”."
      />
      {isNew && (
        <Field
          label="ID"
          name="agent-id"
          value={agentId}
          onChange={setAgentId}
          isCode
          maxLength={200}
          hint="Used in usage reports. It cannot be changed."
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
    ...(name === undefined ? {} : { agentName: name.trim() }),
    ...(type === undefined ? {} : { agentType: type.trim() || null }),
    ...(description === undefined ? {} : { agentDescription: description.trim() || null }),
  };
}
