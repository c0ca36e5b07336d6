import { invalidOption } from "@creditgate/core/adapter";
import type { MeteredCredits } from "../call/metering-options.ts";
import { type MeteredFetchOptions, meteredFetch } from "../fetch/metered-fetch.ts";

/** What metering uses of the client of OpenAI or Anthropic. */
export interface ConfigurableClient {
  withOptions(options: { fetch: typeof fetch }): unknown;
}

export type MeteredClientOptions = Omit<MeteredFetchOptions, "fetch" | "request">;

/**
 * The OpenAI client (6 or 7, also `AzureOpenAI`) with calls that are billed to `credits`, as {@link meteredFetch} does:
 * a copy, of the same class and with all helpers. Throws an `invalid_option` error for something else.
 */
export function meteredOpenAI<Client extends ConfigurableClient>(
  client: Client,
  credits: MeteredCredits,
  options: MeteredClientOptions = {},
): Client {
  return meteredCopy(client, credits, options, "an OpenAI client");
}

/**
 * The Anthropic client (0.137 or 1) with calls that are billed to `credits`, as {@link meteredFetch} does: a copy, of the
 * same class and with all helpers. Throws an `invalid_option` error for something else.
 */
export function meteredAnthropic<Client extends ConfigurableClient>(
  client: Client,
  credits: MeteredCredits,
  options: MeteredClientOptions = {},
): Client {
  return meteredCopy(client, credits, options, "an Anthropic client");
}

function meteredCopy<Client extends ConfigurableClient>(
  client: Client,
  credits: MeteredCredits,
  options: MeteredClientOptions,
  expected: string,
): Client {
  if (typeof client?.withOptions !== "function") invalidOption("client", expected, client);
  const own = "fetch" in client && typeof client.fetch === "function" ? client.fetch : fetch;
  const send: typeof fetch = (input, init) => Reflect.apply(own, undefined, [input, init]);
  const { apiVersion, deploymentName: deployment } = client as {
    apiVersion?: string;
    deploymentName?: string;
  };
  // Its own method makes a copy of its class; Azure's of openai 6 forgets what stands in none of the options that all have.
  return client.withOptions({
    fetch: meteredFetch(credits, { ...options, fetch: send }),
    ...(apiVersion !== undefined && { apiVersion, deployment }),
  }) as Client;
}
