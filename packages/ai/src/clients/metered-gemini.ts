import { invalidOption } from "@creditgate/core/adapter";
import type { MeteredCredits } from "../call/metering-options.ts";
import { meteredFetch } from "../fetch/metered-fetch.ts";
import { type Fields, fieldsOf } from "../usage/fields.ts";
import type { MeteredClientOptions } from "./metered-client.ts";

/**
 * The client of `@google/genai` (2 or 3) with calls that are billed to `credits`, as {@link meteredFetch} does: a copy, of
 * the same class. Its `live`, `interactions`, `batches` and video are not metered. Throws an `invalid_option` error for
 * version 1, which cannot be given a `fetch`.
 */
export function meteredGemini<Client extends { readonly models: object; readonly chats: object }>(
  client: Client,
  credits: MeteredCredits,
  options: MeteredClientOptions = {},
): Client {
  const api = fieldsOf(fieldsOf(client)?.apiClient);
  if (api === undefined) invalidOption("client", "a client of @google/genai", client);
  const configured = fieldsOf(api.clientOptions) ?? {};
  if (typeof api.getFetch !== "function") {
    invalidOption(
      "client",
      "@google/genai 2 or later, since 1.x cannot be given a fetch; or the AI SDK",
      client,
    );
  }
  const own: unknown = Reflect.apply(api.getFetch, api, []);
  const send: typeof fetch = (input, init) =>
    Reflect.apply(typeof own === "function" ? own : fetch, undefined, [input, init]);
  const httpOptions = {
    ...fieldsOf(configured.httpOptions),
    fetch: meteredFetch(credits, { ...options, fetch: send }),
  };
  const metered = derived(api, { clientOptions: { ...configured, httpOptions } });
  const models = rebuilt(client.models, metered);
  return derived(client, { apiClient: metered, models, chats: rebuilt(client.chats, models, metered) });
}

/** Another of its class, of other parts. */
function rebuilt(part: object, ...parts: readonly unknown[]): unknown {
  return Reflect.construct(part.constructor, parts);
}

/** The same object but for these fields. */
function derived<T extends object>(original: T, fields: Fields): T {
  const properties = Object.entries(fields).map(
    ([name, value]) => [name, { value, writable: true }] as const,
  );
  return Object.create(original, Object.fromEntries(properties)) as T;
}
