import type { Endpoint } from "./endpoints.ts";
import type { GatewayRequest } from "./gateway-request.ts";
import { Refusal } from "./refusal.ts";

/** A provider that answers. */
export interface Upstream {
  /** Such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** As the price list names it, such as `openai`. */
  readonly provider: string;
  /** The key, in the header that takes it. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A request as it goes on. */
export interface Forwarded {
  readonly request: Pick<GatewayRequest, "headers" | "signal">;
  /** Of its address, with the question mark. */
  readonly query: string;
  readonly endpoint: Endpoint;
  readonly upstream: Upstream;
  readonly body?: string;
}

/** The client's headers that the provider receives: above all not its token. */
const sent = ["accept", "anthropic-version"];
/** What a client may try out: others, such as a longer context, may cost more than the price list says. */
const betas =
  /^(interleaved-thinking|fine-grained-tool-streaming|token-efficient-tools|prompt-caching|extended-cache-ttl|structured-outputs|computer-use|output-128k|effort|claude-code)-[\d-]+$/;
/** The provider's headers that the client receives: nothing of the account that pays. */
const passed = [
  ...["content-type", "retry-after", "retry-after-ms", "x-should-retry", "request-id", "x-request-id"],
];
/** Answers that are about the gateway's own account, not about the request. */
const own = new Set([401, 402, 403, 407]);

/**
 * The provider's answer: its bytes and its status, with the headers that may be passed on. Throws a `Refusal` if
 * there is none.
 */
export async function forward(forwarded: Forwarded, send: typeof fetch): Promise<Response> {
  const { request, endpoint, upstream, body } = forwarded;
  // What a query does to the price of a call is not known.
  const query = endpoint.method === "GET" ? forwarded.query : "";
  const headers = { ...only(sent, request.headers), ...triedOut(request.headers), ...upstream.headers };
  const response = await send(`${upstream.baseUrl}${endpoint.path}${query}`, {
    method: endpoint.method,
    headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
    signal: request.signal,
    // A redirection would take the key along.
    redirect: "manual",
    ...(body !== undefined && { body }),
  });
  const { status } = response;
  if (own.has(status) || status < 200 || (status >= 300 && status < 400)) {
    response.body?.cancel().catch(() => {});
    throw refused(upstream, status);
  }
  const told = { status, headers: only(passed, response.headers) };
  if (status !== 400 && status !== 429) return new Response(response.body, told);
  const bytes = await response.arrayBuffer();
  // Of the money of the gateway's own account, which its clients would take for their credits.
  if (brokeWords.test(new TextDecoder().decode(bytes))) throw refused(upstream, `${status}, no money left`);
  return new Response(bytes, told);
}

/** OpenAI says it with 429, Anthropic with 400. */
const brokeWords = /"insufficient_quota"|"billing_hard_limit_reached"|credit balance is too low/;

function refused({ provider }: Upstream, why: number | string): Refusal {
  console.error(`llm-gateway: ${provider} refuses the gateway: ${why}`);
  return unavailable();
}

function triedOut(headers: GatewayRequest["headers"]): Record<string, string> {
  const asked = (headers.get("anthropic-beta") ?? "").split(",").map((name) => name.trim());
  const known = asked.filter((name) => betas.test(name));
  return known.length === 0 ? {} : { "anthropic-beta": known.join(",") };
}

/** Why the model cannot be asked is the operator's business. */
export function unavailable(): Refusal {
  const message = "The model cannot be asked at the moment";
  return new Refusal({ status: 502, code: "model_unavailable", message });
}

function only(names: readonly string[], headers: Pick<Headers, "get">): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const value = headers.get(name);
    if (value !== null) found[name] = value;
  }
  return found;
}
