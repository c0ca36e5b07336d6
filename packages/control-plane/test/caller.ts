import type { Json } from "../src/http/json.ts";

/** What a test sends, beyond method and path. */
interface Sending {
  readonly body?: unknown;
  /** Sent as it is, whatever it is. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

export type Caller = (method: "GET" | "POST", path: string, sending?: Sending) => Promise<Received>;

/** Calls a control plane as a client without a library does. */
export function caller({ baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string }): Caller {
  return async (method, path, { body, text, headers = {} } = {}) => {
    const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        "service-api-key": apiKey,
        ...(payload === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(payload === undefined ? {} : { body: payload }),
    });
    const received = await response.text();
    return { status: response.status, headers: response.headers, text: received, json: JSON.parse(received) };
  };
}

/** A usage report of Acme's chat for Alice. */
export function usageOf(changes: Readonly<Record<string, unknown>> = {}): Json {
  return {
    agentId: "chat",
    customerId: "alice",
    indicator: "message",
    rawUsage: { provider: "openai", model: "gpt-5", plan: "pro", inputTokens: 12, outputTokens: 40 },
    ...changes,
  } as Json;
}
