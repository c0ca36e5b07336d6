import { invalidOption } from "@creditgate/core/adapter";
import type { MeteringOptions } from "../call/metering-options.ts";
import { type Prompt, tokensBeside, type Unseen } from "../call/prompt.ts";
import { estimatedTokens, sampledTokens, windowsOf } from "../call/token-estimate.ts";
import { type Fields, fieldsOf } from "../usage/fields.ts";
import { leastTokens } from "./least-tokens.ts";

/** What is added to an estimate of the tokens that a call reads. */
const defaultMargin = 0.1;

export function checkMargin(margin: number = defaultMargin): number {
  if (typeof margin === "number" && margin >= 0 && Number.isFinite(margin)) return margin;
  return invalidOption("margin", "a number, 0 or more", margin);
}

/** Of a long prompt, which is measured before its call is made: the first token waits for it. */
const windowsPerPrompt = 32;

/** The tokens of what a call reads, estimated with a margin. */
export function estimatedInput(
  read: Prompt,
  { provider = "", model, margin, countTokens }: EstimateOptions,
): number {
  const tokens =
    countTokens === undefined
      ? sampledTokens(read.texts, dearest, windowsPerPrompt)
      : estimatedTokens(read.texts.join("\n"), { countTokens }, model);
  const pages = read.pages + read.unseen.pages;
  const beside = tokensBeside({ ...read, pages }, provider) + tokensUnseen(read.unseen, provider, model);
  return Math.ceil((tokens + beside) * (1 + margin));
}

export function hasSound({ unseen }: Prompt): boolean {
  return unseen.audioSeconds > 0 || unseen.videoSeconds > 0;
}

/** Of recordings, and of what Anthropic adds for tools. */
function tokensUnseen(
  { audioSeconds, videoSeconds, toolTypes }: Unseen,
  provider: string,
  model = "",
): number {
  const audio = /openai|azure/.test(provider) ? tokensPerSecondOfOpenAI : tokensPerSecondOfAudio;
  const recorded = audioSeconds * audio + videoSeconds * tokensPerSecondOfVideo;
  if (toolTypes.length === 0 || !/anthropic|bedrock|claude/.test(`${provider} ${model}`)) return recorded;
  const perTool = (type: string) => anthropicTools.find(([name]) => name.test(type))?.[1] ?? 0;
  return toolTypes.reduce((sum, type) => sum + perTool(type), recorded + anthropicToolPrompt);
}

/**
 * For audio input of OpenAI's models, from their prices of a minute and of a token (0.06 dollars, and 100 dollars a
 * million). Speech is assumed to have fewer.
 */
export const tokensPerSecondOfOpenAI = 10;
/** Of Gemini. Others have fewer. */
const tokensPerSecondOfAudio = 32;
/** Of Gemini: an image of 258 tokens each second, its sound, and the time. */
const tokensPerSecondOfVideo = 300;

/** The prompt by which Claude learns to use tools: the most that Anthropic's table has, of Opus 4.7 with a tool that is forced. */
const anthropicToolPrompt = 810;
/** For the definitions of Anthropic's own tools: the most that its price list states. Of the others it has 245 to 735. */
const anthropicTools: readonly (readonly [type: RegExp, tokens: number])[] = [
  [/browser_toolset_\d/, 7_600],
  [/computer_toolset_\d/, 4_600],
  [/_\d{8}\b/, 750],
];

/** Piece by piece, since a text may be of words here and of anything else there. */
function dearest(text: string): number {
  let tokens = 0;
  for (const piece of windowsOf(text)) tokens += Math.max(estimatedTokens(piece), leastTokens(piece));
  return tokens;
}

interface EstimateOptions extends Pick<MeteringOptions, "countTokens"> {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly margin: number;
}

/** The places in which a request may limit its output. Gemini accepts either name. */
function configsOf(request: Fields): readonly (Fields | undefined)[] {
  const { config, generationConfig, generation_config } = request;
  return [request, fieldsOf(config), fieldsOf(generationConfig), fieldsOf(generation_config)];
}

/** The most tokens that each answer of the request may have, by the names that the AI SDK and the providers give it. */
export function maximumIn(request: Fields): unknown {
  const names = ["maxOutputTokens", "max_output_tokens", "max_completion_tokens", "max_tokens"];
  for (const config of configsOf(request)) {
    for (const name of names) {
      const value = config?.[name];
      if (value !== undefined && value !== null) return value;
    }
  }
  return undefined;
}

/** How many answers are asked for. Some servers take text for a number. */
export function answersIn(request: Fields): number {
  const asked = configsOf(request)
    .flatMap((config) => [config?.n, config?.best_of, config?.candidateCount, config?.candidate_count])
    .map(Number)
    .filter((count) => count > 1);
  return Math.max(1, ...asked);
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
