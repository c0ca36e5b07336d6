import { invalidOption } from "@creditgate/core";
import type { MeteringOptions } from "../call/metering-options.ts";
import { jsonOf, type Prompt, promptOf, tokensPerMedium, tokensPerMessage } from "../call/prompt.ts";
import { estimatedTokens } from "../call/token-estimate.ts";
import { type Fields, fieldsOf } from "../usage/fields.ts";
import { uncountedTokens } from "./uncounted-tokens.ts";

/** What is added to an estimate of the tokens that a call reads. */
export const defaultMargin = 0.1;

export function checkMargin(margin: number = defaultMargin): number {
  if (typeof margin === "number" && margin >= 0 && Number.isFinite(margin)) return margin;
  return invalidOption("margin", "a number, 0 or more", margin);
}

/** The tokens of what a call reads, estimated with a margin. */
export function estimatedInput(
  { text, messages, media }: Prompt,
  { provider = "", model, margin, countTokens }: EstimateOptions,
): number {
  const tokens =
    countTokens === undefined
      ? estimatedTokens(text) + uncountedTokens(text)
      : estimatedTokens(text, { countTokens }, model);
  const all = tokens + messages * tokensPerMessage + media * tokensPerMedium(provider);
  return Math.ceil(all * (1 + margin));
}

interface EstimateOptions extends Pick<MeteringOptions, "countTokens"> {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly margin: number;
}

/** All that is read of a request of the AI SDK, or of one of the providers. */
export function promptIn(request: Fields): Prompt {
  const { system, instructions, systemInstruction, messages, prompt, input, contents, values, config } =
    request;
  const { tools, response_format, responseFormat, text, output_config, generationConfig } = request;
  const configured = fieldsOf(config) ?? {};
  return promptOf(
    ...[system, instructions, systemInstruction, messages, prompt, input, contents, values],
    configured.systemInstruction,
    ...[tools, response_format, responseFormat, configured.tools].map(jsonOf),
    ...[fieldsOf(text)?.format, fieldsOf(output_config)?.format].map(jsonOf),
    ...[configured.responseSchema, fieldsOf(generationConfig)?.responseSchema].map(jsonOf),
  );
}

/** The most tokens that each answer of the request may have, by the names that the AI SDK and the providers give it. */
export function maximumIn(request: Fields): unknown {
  const configs = [request, fieldsOf(request.config), fieldsOf(request.generationConfig)];
  const names = ["maxOutputTokens", "max_output_tokens", "max_completion_tokens", "max_tokens"];
  for (const config of configs) {
    for (const name of names) {
      const value = config?.[name];
      if (value !== undefined && value !== null) return value;
    }
  }
  return undefined;
}

/** How many answers are asked for. */
export function answersIn(request: Fields): number {
  const configs = [request, fieldsOf(request.config), fieldsOf(request.generationConfig)];
  const asked = configs
    .map((config) => config?.n ?? config?.candidateCount)
    .find((count) => count !== undefined);
  return typeof asked === "number" && asked > 1 ? asked : 1;
}

/**
 * Tokens of thought beyond the maximum: what the AI SDK adds to it, for Anthropic's models and those behind Bedrock; and a budget of
 * Anthropic's own request that is as large as its maximum, which is taken where a model thinks between its tools.
 */
export function thinkingIn({ providerOptions, thinking, max_tokens }: Fields): number {
  const { budget_tokens: own } = fieldsOf(thinking) ?? {};
  if (typeof own === "number" && own >= Number(max_tokens)) return own;
  const options = fieldsOf(providerOptions);
  const { type, budgetTokens } = fieldsOf(fieldsOf(options?.anthropic)?.thinking) ?? {};
  const bedrock = fieldsOf(fieldsOf(options?.bedrock)?.reasoningConfig);
  const budget = type === "enabled" ? budgetTokens : bedrock?.type === "enabled" ? bedrock.budgetTokens : 0;
  return typeof budget === "number" && budget > 0 ? budget : 0;
}

export function checkMaximum(option: string, value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value;
  return invalidOption(option, "the most tokens that the model may write: a hold needs a maximum", value);
}
