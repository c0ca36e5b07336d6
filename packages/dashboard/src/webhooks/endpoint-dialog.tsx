import {
  type AdminWebhook,
  adminWebhook,
  type CreatedWebhook,
  webhookEventTypes,
} from "@creditgate/client/admin";
import type { ReactNode } from "react";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { useEdit } from "../api/edit.ts";
import { CheckList } from "../parts/check-list.tsx";
import { Choice } from "../parts/choice.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { keyOf } from "../parts/key-of.ts";
import { tell } from "../parts/toasts.tsx";
import { webhookKeys } from "./queries.ts";
import { eventWords, webhookLabels } from "./words.ts";

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
  const edit = useEdit<AdminWebhook | undefined, Values, unknown>({
    record: endpoint,
    schema: adminWebhook,
    valuesOf,
    labels: webhookLabels,
    async send(changed, seen, values) {
      if (endpoint === undefined) return;
      await webhooks.edit(endpoint.endpointId, {
        ...seen,
        ...(changed.url === undefined ? {} : { url: changed.url.trim() }),
        ...(changed.description === undefined ? {} : { description: changed.description.trim() || null }),
        ...(changed.scope === undefined && changed.events === undefined ? {} : { events: chosenOf(values) }),
      });
    },
    untrue: webhookKeys(organizationId),
    onDone() {
      onClose();
      tell("The endpoint is changed");
    },
  });
  const { url, description, scope, events } = edit.values;
  const isUrl = url === "" || isAddress(url);
  const create = useChange({
    change: () => {
      const name = description.trim();
      return webhooks.create({
        url: url.trim(),
        events: chosenOf(edit.values),
        ...(name === "" ? {} : { description: name }),
      });
    },
    untrue: webhookKeys(organizationId),
    onDone: (created) => onCreated?.(created),
  });
  return (
    <FormDialog
      title={endpoint === undefined ? "New endpoint" : "Change the endpoint"}
      action={endpoint === undefined ? "Create the endpoint" : "Change the endpoint"}
      isReady={url.trim() !== "" && isUrl && (scope === "all" || events.length > 0) && edit.isChanged}
      change={endpoint === undefined ? create : edit}
      failure={endpoint === undefined ? "The endpoint was not created." : "The endpoint was not changed."}
      onSubmit={() => (endpoint === undefined ? create.mutate() : edit.save())}
      onClose={onClose}
    >
      <Field
        label="Address"
        name="url"
        value={url}
        onChange={(text) => edit.set({ url: text })}
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
        onChange={(text) => edit.set({ description: text })}
        maxLength={256}
      />
      <Choice
        label="Told of"
        value={scope}
        options={scopes}
        onChange={(chosen) => edit.set({ scope: chosen })}
      />
      {scope === "some" && (
        <CheckList
          label="Events"
          value={events}
          onChange={(chosen) => edit.set({ events: chosen })}
          isCode
          options={types.map((type) => ({ value: type, label: type, hint: eventWords[type] }))}
        />
      )}
    </FormDialog>
  );
}

interface Values {
  readonly url: string;
  readonly description: string;
  readonly scope: "all" | "some";
  readonly events: readonly EventType[];
}

function valuesOf(endpoint: AdminWebhook | undefined): Values {
  const asked = endpoint?.events ?? null;
  return {
    url: endpoint?.url ?? "",
    description: endpoint?.description ?? "",
    scope: asked === null ? "all" : "some",
    events: types.filter((type) => asked?.includes(type) ?? false),
  };
}

function chosenOf({ scope, events }: Values): readonly EventType[] | null {
  return scope === "all" ? null : events;
}

function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text.trim()) && URL.canParse(text.trim());
}
