import { holdFor, meteredFetch, type Prices } from "@creditgate/ai";
import type { Awaitable, Gate, WaitUntil } from "@creditgate/core";
import { createAdmission, gatedResponse } from "@creditgate/core/adapter";
import { type Asked, askedFor, type Dialect } from "./endpoints.ts";
import type { GatewayRequest } from "./gateway-request.ts";
import { type Limits, type ModelRequest, readModelRequest, readText } from "./model-request.ts";
import { Refusal, reasonOf, refusalResponse } from "./refusal.ts";
import { forward, type Upstream, unavailable } from "./upstream.ts";

/** Who pays for the requests of a token. */
export interface Payer {
  readonly customer: string;
  /** Keys of budgets in which each request counts, such as `member:42`. @default none */
  readonly budgets?: readonly string[];
}

export interface GatewayOptions extends Limits {
  readonly gate: Gate;
  readonly agentId: string;
  readonly indicator: string;
  /** Who pays for a token; `undefined` for one that is not known. */
  readonly payerOf: (token: string) => Awaitable<Payer | undefined>;
  /** What models cost: those without a price are not served. */
  readonly prices: () => Awaitable<Prices>;
  /** A dialect without a provider is not served. */
  readonly upstreams: Readonly<Partial<Record<Dialect, Upstream>>>;
  /** Sends requests to the providers. @default the global `fetch` */
  readonly send?: typeof fetch | undefined;
}

/** Answers what a client of OpenAI or Anthropic asks. `waitUntil` takes what goes on behind the answer. */
export type Gateway = (request: GatewayRequest, waitUntil?: WaitUntil) => Promise<Response>;

/**
 * A proxy in front of the providers that serves customers who can pay, and bills what the model says it used. Streams pass byte for byte.
 * What it refuses, it refuses in the words of the provider.
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { gate, agentId, indicator, payerOf, prices, upstreams, send = fetch } = options;
  const admit = createAdmission<Work>(gate, {
    customer: ({ customer }) => customer,
    agentId,
    indicator,
    hold: ({ hold }) => hold,
    budgets: ({ budgets = [] }) => budgets,
  });

  async function serve(request: GatewayRequest, asked: Asked, waitUntil?: WaitUntil): Promise<Response> {
    const { endpoint, query } = asked;
    const upstream = endpoint && upstreams[endpoint.dialect];
    if (endpoint === undefined || upstream === undefined) throw notServed(request, asked);
    const payer = await payerOf(tokenOf(request));
    if (payer === undefined) throw unknownToken();
    const { work, dialect, method } = endpoint;
    const forwarded = { request, query, endpoint, upstream };
    if (work === undefined) {
      if (method === "GET") {
        const listed = await prices();
        return priced(await forward(forwarded, send), upstream, listed);
      }
      return forward({ ...forwarded, body: await readText(request, options.maxBodyBytes) }, send);
    }
    const listed = await prices();
    const read = await readModelRequest(request, work, options);
    const admission = admit({ ...payer, hold: holdOf(read, upstream, listed) }, waitUntil).then((given) =>
      given.admitted
        ? given
        : { ...given, toResponse: () => refusalResponse(reasonOf(given.denial), dialect) },
    );
    return gatedResponse({ request, admission, waitUntil }, (credits) => {
      const { provider } = upstream;
      const metered = meteredFetch(credits, {
        ...{ provider, prices: listed, fetch: send, drain },
        request: read.fields,
      });
      return forward({ ...forwarded, body: read.body }, metered);
    });
  }

  return async (request, waitUntil) => {
    const asked = askedFor(request);
    try {
      return await serve(request, asked, waitUntil);
    } catch (error) {
      if (!(error instanceof Refusal) && !request.signal.aborted) console.error("llm-gateway:", error);
      const { reason } = error instanceof Refusal ? error : unavailable();
      return refusalResponse(reason, asked.dialect);
    }
  };
}

interface Work extends Payer {
  readonly hold: number;
}

const leastHold = 1e-6;
/**
 * A client that disconnects just before the end would not pay for hidden reasoning, whose tokens are reported at the
 * end. The gate waits for a second.
 */
const drain = { ms: 900, tokens: 1_000_000 };

/** The most that the request may cost. Throws a `Refusal` where there is no price. */
function holdOf(
  { model, fields, maxOutputTokens }: ModelRequest,
  { provider }: Upstream,
  prices: Prices,
): number {
  if (!isPriced(model, provider, prices)) {
    const message = `The model ${JSON.stringify(model.slice(0, 64))} is not served here: it has no price`;
    throw new Refusal({ status: 404, code: "model_not_found", message, param: "model" });
  }
  return Math.max(leastHold, holdFor(fields, { prices, provider, maxOutputTokens }));
}

function isPriced(model: string, provider: string, prices: Prices): boolean {
  return prices({ provider, model, inputTokens: 0, outputTokens: 0 }) !== undefined;
}

/** The list of models without those that have no price. */
async function priced(response: Response, { provider }: Upstream, prices: Prices): Promise<Response> {
  if (!response.ok) return response;
  const list: { readonly data?: readonly { readonly id: string }[] } = await response.json();
  return Response.json({ ...list, data: list.data?.filter(({ id }) => isPriced(id, provider, prices)) });
}

function tokenOf({ headers }: GatewayRequest): string {
  return /^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? headers.get("x-api-key") ?? "";
}

function unknownToken(): Refusal {
  return new Refusal({ status: 401, code: "invalid_api_key", message: "This API key is not known" });
}

function notServed({ method }: GatewayRequest, { path }: Asked): Refusal {
  const message = `${method} ${path.slice(0, 64)} is not served here`;
  return new Refusal({ status: 404, code: "unknown_url", message });
}
