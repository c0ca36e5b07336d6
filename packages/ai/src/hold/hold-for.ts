import { checkNames, invalidOption } from "@creditgate/core/adapter";
import type { MeteringOptions } from "../call/metering-options.ts";
import { promptIn } from "../call/prompt.ts";
import type { Prices } from "../price/prices.ts";
import { providerName } from "../usage/ai-sdk-usage.ts";
import { fieldsOf, textOf } from "../usage/fields.ts";
import {
  answersIn,
  checkMargin,
  checkMaximum,
  estimatedInput,
  hasSound,
  maximumIn,
  thinkingIn,
} from "./call-size.ts";
import { worstCost } from "./worst-cost.ts";

/** Options of {@link holdFor}. */
export interface HoldOptions extends Pick<MeteringOptions, "countTokens"> {
  readonly prices: Prices;
  /** Added to the estimate of what is read: 0.1 is a tenth. @default 0.1 */
  readonly margin?: number;
  /** The provider, as the prices name it. @default that of an AI SDK model in the request */
  readonly provider?: string;
  /** The model, as the prices name it. @default that of the request */
  readonly model?: string;
  /** The most tokens that an answer may have; 0 for embeddings, which write nothing. @default that of the request */
  readonly maxOutputTokens?: number;
}

const names = {
  prices: true,
  margin: true,
  provider: true,
  model: true,
  maxOutputTokens: true,
  countTokens: true,
} as const;

/**
 * The credits that a model call may cost at most, for `hold`: what it reads, estimated, and the most that it may write, times the number of
 * answers. The request is that of the AI SDK, of OpenAI, Anthropic or Gemini. Of an agent it is one step. What the request does not hold is not
 * in it: earlier turns behind an id, files by their address, what the provider's own tools read.
 * Throws an `invalid_option` error for a request without a maximum, and for a model without a price.
 */
export function holdFor(request: object, options: HoldOptions): number {
  const fields = fieldsOf(request) ?? invalidOption("request", "an object", request);
  checkNames(options, names);
  const { prices, countTokens, maxOutputTokens = maximumIn(fields) } = options;
  if (typeof prices !== "function")
    invalidOption("prices", "a function, such as listedPrices() makes", prices);
  const asked = fieldsOf(fields.model);
  const provider = options.provider ?? (asked && providerName(String(asked.provider)));
  const model = options.model ?? textOf(fields.model) ?? textOf(asked?.modelId);
  const maximum = options.maxOutputTokens === 0 ? 0 : checkMaximum("maxOutputTokens", maxOutputTokens);
  const most = (maximum + thinkingIn(fields)) * answersIn(fields);
  const margin = checkMargin(options.margin);
  const read = promptIn(fields);
  const inputTokens = estimatedInput(read, {
    provider,
    model,
    margin,
    ...(countTokens !== undefined && { countTokens }),
  });
  const credits = worstCost(prices, { provider, model, inputTokens, hasSound: hasSound(read) }, most);
  return (
    credits ??
    invalidOption("prices", `a price of ${provider ?? "a provider"} ${model ?? ""}`.trim(), undefined)
  );
}
