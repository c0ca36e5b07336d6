import { type AdminWebhook, type CreatedWebhook, webhookEventTypes } from "@creditgate/client/admin";
import { type ReactNode, useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { CheckList } from "../parts/check-list.tsx";
import { Choice } from "../parts/choice.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { keyOf } from "../parts/key-of.ts";
import { tell } from "../parts/toasts.tsx";
import { webhookKeys } from "./queries.ts";
import { eventWords } from "./words.ts";

type EventType = keyof typeof eventWords;

const types = webhookEventTypes.flatMap((type) => keyOf(eventWords, type) ?? []);

const scopes = [
  { value: "all", label: "All events, those of later versions too" },
  { value: "some", label: "These events" },
] as const;

/** Makes an endpoint, or changes one. */
export function EndpointDialog({
  endpoint,
  onCreated,
  onClose,
}: {
  /** The one that is changed; without it one is made. */
  readonly endpoint?: AdminWebhook;
  readonly onCreated?: (created: CreatedWebhook) => void;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const { webhooks } = admin.organization(organizationId);
  const [url, setUrl] = useState(endpoint?.url ?? "");
  const [description, setDescription] = useState(endpoint?.description ?? "");
  const asked = endpoint?.events ?? null;
  const [scope, setScope] = useState<"all" | "some">(asked === null ? "all" : "some");
  const [events, setEvents] = useState<readonly EventType[]>(
    types.filter((type) => asked?.includes(type) ?? false),
  );
  const isUrl = url === "" || isAddress(url);
  const name = description.trim();
  const chosen = scope === "all" ? null : events;
  const create = useChange({
    change: () =>
      webhooks.create({ url: url.trim(), events: chosen, ...(name === "" ? {} : { description: name }) }),
    untrue: webhookKeys(organizationId),
    onDone: (created) => onCreated?.(created),
  });
  const edit = useChange({
    change: (endpointId: string) =>
      webhooks.edit(endpointId, {
        url: url.trim(),
        description: name === "" ? null : name,
        events: chosen,
      }),
    untrue: webhookKeys(organizationId),
    onDone() {
      onClose();
      tell("The endpoint is changed");
    },
  });
  return (
    <FormDialog
      title={endpoint === undefined ? "New endpoint" : "Change the endpoint"}
      action={endpoint === undefined ? "Create the endpoint" : "Change the endpoint"}
      isReady={url.trim() !== "" && isUrl && (scope === "all" || events.length > 0)}
      change={endpoint === undefined ? create : edit}
      failure={endpoint === undefined ? "The endpoint was not created." : "The endpoint was not changed."}
      onSubmit={() => (endpoint === undefined ? create.mutate() : edit.mutate(endpoint.endpointId))}
      onClose={onClose}
    >
      <Field
        label="Address"
        name="url"
        value={url}
        onChange={setUrl}
        isCode
        autoFocus
        maxLength={2048}
        error={isUrl ? undefined : "A URL, as https://example.com/webhooks"}
        hint="It is sent a POST for each event, and answers with a status from 200 to 299."
      />
      <Field
        label="Description (optional)"
        name="description"
        value={description}
        onChange={setDescription}
        maxLength={256}
      />
      <Choice label="Told of" value={scope} options={scopes} onChange={setScope} />
      {scope === "some" && (
        <CheckList
          label="Events"
          value={events}
          onChange={setEvents}
          isCode
          options={types.map((type) => ({ value: type, label: type, hint: eventWords[type] }))}
        />
      )}
    </FormDialog>
  );
}

function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text.trim()) && URL.canParse(text.trim());
}
