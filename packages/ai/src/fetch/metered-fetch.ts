import { invalidOption } from "@creditgate/core/adapter";
import {
  chargeOf,
  checkMetering,
  type MeteredCredits,
  type MeteringOptions,
  meteringOptionNames,
  noteOnce,
} from "../call/metering-options.ts";
import { isMetered, ModelCall } from "../call/model-call.ts";
import { promptIn } from "../call/prompt.ts";
import { type Fields, fieldsOf } from "../usage/fields.ts";
import { anthropicWire } from "./anthropic-wire.ts";
import { geminiWires } from "./gemini-wires.ts";
import { meteredResponse } from "./metered-response.ts";
import { bodyOf, inWhole, type ModelRequest, modelRequest, sentInstead } from "./model-request.ts";
import { openAIWires } from "./openai-wires.ts";
import type { Wire } from "./wire.ts";

export interface MeteredFetchOptions extends MeteringOptions {
  /** Sends the requests. @default the global `fetch` */
  readonly fetch?: typeof fetch;
  /** The provider that is billed, such as `groq` behind an API like OpenAI's. @default from the path */
  readonly provider?: string;
  /**
   * Requests the usage of streamed chat completions (`stream_options.include_usage`) if the caller does not, and
   * hides the chunk that contains it. `false` for a server that refuses the option: such streams are estimated.
   * @default true
   */
  readonly includeUsage?: boolean;
  /** What is asked, for a caller that has parsed it: a large prompt is not parsed again. @default the body of each request, parsed */
  readonly request?: object;
}

const names = {
  ...meteringOptionNames,
  fetch: true,
  provider: true,
  includeUsage: true,
  request: true,
} as const;
const wires: readonly Wire[] = [...openAIWires, anthropicWire, ...geminiWires];

/**
 * A `fetch` whose calls of OpenAI, Anthropic and Gemini, and of what speaks like them, are billed to `credits`: each
 * attempt that the provider takes, once, however it ends. Answers pass as they come. Other requests are sent as they are.
 * Throws an `invalid_option` error for an option that cannot be right.
 */
export function meteredFetch(given: MeteredCredits, options: MeteredFetchOptions = {}): typeof fetch {
  checkMetering(given, options, names);
  const { fetch: send = fetch, provider } = options;
  if (typeof send !== "function") invalidOption("fetch", "a function", send);
  if (options.request !== undefined && fieldsOf(options.request) === undefined)
    invalidOption("request", "an object", options.request);
  return async (input, init) => {
    const request = modelRequest(input, init);
    const wire = wireOf(request, options);
    if (wire === undefined) return send(input, init);
    const credits = chargeOf(given);
    if (isMetered(request.signal, credits, options)) return send(input, init);
    const { path } = request;
    const whole = await inWhole(init);
    // Billing never breaks a model call: what cannot be understood is sent as it is.
    const body = fieldsOf(options.request) ?? (await bodyOf(input, whole).catch(() => ({}) as Fields));
    const named = typeof body.model === "string" ? body.model : wire.model?.(path);
    const prompt = () => promptIn(body);
    const { totals } = wire;
    const subject = {
      provider: provider ?? wire.provider,
      model: named,
      prompt,
      totals,
      meter: "fetch",
    } as const;
    const call = new ModelCall(credits, options, subject, request.signal);
    const asking = options.includeUsage === false ? undefined : wire.asking?.(body);
    if (call.signal.aborted) {
      // Before it goes out: nothing is billed, so a fetch that does not look at the signal must not send it either.
      call.drop();
      throw call.signal.reason;
    }
    try {
      const response = await send(
        input,
        sentInstead(input, whole, call.signal, asking && { request: body, asking }),
      );
      call.receives(response);
      const metered = meteredResponse(response, {
        call,
        wire,
        request: body,
        hidesUsage: asking !== undefined,
      });
      call.passes(metered);
      return metered;
    } catch (error) {
      if (call.signal.aborted) call.took(wire.taken?.(body));
      call.end(call.signal.aborted ? "aborted" : "failed");
      call.detach();
      throw error;
    }
  };
}

function wireOf({ method, path }: ModelRequest, options: MeteringOptions): Wire | undefined {
  if (method !== "POST") return undefined;
  if (unmetered.test(path)) {
    noteUnmetered(path, options);
    return undefined;
  }
  const wire = wires.find((one) => one.path.test(path));
  if (wire === undefined && ofModel.test(path)) noteUnmetered(path, options);
  return wire;
}

function noteUnmetered(path: string, options: MeteringOptions): void {
  noteOnce(options, `${path.slice(0, 200)} is not metered, so call credits.report()`);
}

/** What is asked of one model in a way that is not known, such as Claude's behind Bedrock and Vertex. */
const ofModel = /\/models?\/[^/]+[:/](?!countTokens$)[\w-]+$/;

/** Work of a model that is billed by other ways. */
const unmetered =
  /\/(videos|batches|rerank|interactions|realtime\/.*|threads\/.*runs)$|:(batchGenerateContent|asyncBatchEmbedContent|predictLongRunning)$/;
