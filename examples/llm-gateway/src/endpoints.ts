import type { GatewayRequest } from "./gateway-request.ts";

/** Whose API a client speaks. */
export type Dialect = "openai" | "anthropic";

/** One of the requests that are served. */
export interface Endpoint {
  readonly method: "GET" | "POST";
  /** Under `/v1`. */
  readonly path: string;
  readonly dialect: Dialect;
  /** What is billed; `undefined` for what is free. */
  readonly work?: ModelWork;
}

/** What a request to a model may say: only what is priced by the tokens that it reads and writes. */
export interface ModelWork {
  readonly fields: ReadonlySet<string>;
  /** Fields that bound the answer; the first is written into a request that has none. Empty where nothing is written. */
  readonly maximum: readonly string[];
  /** Types of tools that run at the client. Those of the provider cost more than tokens, or read what is not in the request. */
  readonly tools: RegExp;
  /** Types of the pieces of which messages consist. What others hold may not be in the request, or is read though it is sealed. */
  readonly parts: RegExp;
}

const chat: ModelWork = {
  fields: names(
    "model messages max_completion_tokens max_tokens n stream stream_options temperature top_p stop seed tools tool_choice",
    "parallel_tool_calls response_format reasoning_effort verbosity logprobs top_logprobs logit_bias presence_penalty",
    "frequency_penalty user safety_identifier prompt_cache_key prompt_cache_retention metadata store",
  ),
  maximum: ["max_completion_tokens", "max_tokens"],
  tools: /^(function|custom)$/,
  parts: /^(text|image_url|refusal)$/,
};

const responses: ModelWork = {
  fields: names(
    "model input instructions max_output_tokens stream stream_options temperature top_p tools tool_choice parallel_tool_calls",
    "reasoning text truncation include top_logprobs user safety_identifier prompt_cache_key prompt_cache_retention metadata store",
  ),
  maximum: ["max_output_tokens"],
  tools: /^(function|custom|local_shell|apply_patch)$/,
  parts:
    /^((input_|output_|summary_|reasoning_)?text|refusal|input_image|reasoning|(function|custom_tool|local_shell|apply_patch)_call(_output)?)$/,
};

const embeddings: ModelWork = {
  fields: names("model input dimensions encoding_format user"),
  maximum: [],
  tools: /^$/,
  parts: /^$/,
};

const messages: ModelWork = {
  fields: names(
    "model messages system max_tokens stream temperature top_p top_k stop_sequences tools tool_choice thinking output_config",
    "cache_control metadata",
  ),
  maximum: ["max_tokens"],
  tools: /^(custom|(bash|text_editor|computer|memory)_\d+)$/,
  // The last two are where an image comes from.
  parts: /^(text|image|(redacted_)?thinking|tool_use|tool_result|search_result|base64|url)$/,
};

const endpoints: readonly Endpoint[] = [
  { method: "POST", path: "/chat/completions", dialect: "openai", work: chat },
  { method: "POST", path: "/responses", dialect: "openai", work: responses },
  { method: "POST", path: "/embeddings", dialect: "openai", work: embeddings },
  { method: "GET", path: "/models", dialect: "openai" },
  { method: "POST", path: "/messages", dialect: "anthropic", work: messages },
  { method: "POST", path: "/messages/count_tokens", dialect: "anthropic" },
  { method: "GET", path: "/models", dialect: "anthropic" },
];

/** What a request asks for. */
export interface Asked {
  readonly path: string;
  readonly query: string;
  /** How to speak to this client, also where what it asks for is not served. */
  readonly dialect: Dialect;
  /** Exactly by its path; `undefined` for all that is not served. */
  readonly endpoint: Endpoint | undefined;
}

export function askedFor({
  method,
  url,
  headers,
}: Pick<GatewayRequest, "method" | "url" | "headers">): Asked {
  const { pathname: path, search: query } = new URL(url);
  const isAnthropic = headers.has("anthropic-version") || path.startsWith("/v1/messages");
  const spoken = isAnthropic ? "anthropic" : "openai";
  const found = endpoints.filter((one) => one.method === method && `/v1${one.path}` === path);
  const endpoint = found.find(({ dialect }) => dialect === spoken) ?? found[0];
  return { path, query, dialect: endpoint?.dialect ?? spoken, endpoint };
}

function names(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}
