import { type AdminWebhook, adminWebhook, type CreatedWebhook, webhookEventTypes } from "@creditgate/admin";
import { useEdit } from "../api/edit.ts";
import { useOrganization } from "../api/query.ts";
import { keyOf, textOf } from "../parts/address.ts";
import { CheckList, Choice, Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { notify } from "../parts/toasts.tsx";
import { EndpointSecret } from "./endpoint-parts.tsx";
import { webhookQueries } from "./queries.ts";
import { eventWords, webhookLabels } from "./words.ts";

type EventType = keyof typeof eventWords;

const types = webhookEventTypes.flatMap((type) => keyOf(eventWords, type) ?? []);

const scopes = [
  { value: "all", label: "All events, including future ones" },
  { value: "some", label: "Selected events" },
] as const;

/** Creates an endpoint, or changes one. */
export function EndpointDialog({ endpoint }: { endpoint?: AdminWebhook }) {
  const { webhooks } = useOrganization();
  const edit = useEdit<AdminWebhook | undefined, Values, CreatedWebhook | undefined>({
    record: endpoint,
    schema: adminWebhook,
    valuesOf,
    labels: webhookLabels,
    async send(changed, seen, values) {
      if (endpoint === undefined) {
        return webhooks.create({
          ...{ url: values.url.trim(), events: chosenOf(values) },
          ...textOf("description", values.description.trim()),
        });
      }
      await webhooks.edit(endpoint.endpointId, {
        ...seen,
        ...(changed.url === undefined ? {} : { url: changed.url.trim() }),
        ...(changed.description === undefined ? {} : { description: changed.description.trim() || null }),
        ...(changed.scope === undefined && changed.events === undefined ? {} : { events: chosenOf(values) }),
      });
      return undefined;
    },
    untrue: webhookQueries,
    onDone: (created) =>
      created === undefined ? (
        notify("Endpoint updated")
      ) : (
        <EndpointSecret title="Endpoint created" endpoint={created} />
      ),
  });
  const { bind } = edit;
  const { url, scope, events } = edit.values;
  const isUrl = url === "" || isAddress(url);
  const action = endpoint === undefined ? "Create endpoint" : "Save endpoint";
  return (
    <FormDialog
      title={endpoint === undefined ? "New endpoint" : action}
      action={action}
      isReady={url.trim() !== "" && isUrl && (scope === "all" || events.length > 0) && edit.isChanged}
      form={edit}
      failure={`The endpoint was not ${endpoint === undefined ? "created" : "changed"}.`}
    >
      <Field
        {...bind("url")}
        label="Endpoint URL"
        isCode
        autoFocus
        maxLength={2048}
        error={isUrl ? undefined : "Enter a URL, such as https://example.com/webhooks"}
        hint="Receives a POST for each event and responds with a 2xx status."
      />
      <Field {...bind("description")} label="Description (optional)" maxLength={256} />
      <Choice {...bind("scope")} label="Events to send" options={scopes} />
      {scope === "some" && (
        <CheckList
          {...bind("events")}
          label="Events"
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
