import { anthropicReading } from "./anthropic-usage.ts";
import { type Fields, fieldsOf, listOf } from "./fields.ts";
import { geminiReading } from "./gemini-usage.ts";
import type { ModelUsage } from "./model-usage.ts";
import { openAIReading } from "./openai-usage.ts";
import { CountReader, charactersOf, hasCounts, sumOf, type UsageReading } from "./usage-reading.ts";

/** Whose usage it is, where that makes a difference. */
export interface AiSdkSource {
  /** `model.provider`, such as `anthropic.messages`: in AI SDK 5 providers disagree on what a total includes. */
  readonly provider?: string | undefined;
  /** The result's property of this name. In AI SDK 5 only it contains cache writes and the input of tools. */
  readonly providerMetadata?: unknown;
}

/**
 * What a model of the AI SDK used: the `usage` of a result or of a model (specification v2, v3, v4), of text,
 * embeddings or images. `undefined` if the provider reported none. Never throws.
 */
export function usageFromAiSdk(usage: unknown, source: AiSdkSource = {}): ModelUsage | undefined {
  const { usage: read = {} } = aiSdkReading(usage, source) ?? {};
  if (!hasCounts(read)) return undefined;
  return source.provider === undefined ? read : { provider: providerName(source.provider), ...read };
}

/** The provider of `openai.chat`. */
export function providerName(provider: string): string {
  return provider.split(".", 1).join();
}

export function aiSdkReading(usage: unknown, source: AiSdkSource): UsageReading | undefined {
  const given = fieldsOf(usage);
  if (given === undefined) return undefined;
  const read = nested(given) ?? detailed(given) ?? flat(given, source);
  const reported = providersOwn(given, source);
  if (reported === undefined) return read;
  const own = reported.read(reported.from);
  // For a stream of Anthropic it may lack what was sent only at the beginning. There, a 0 may stand for a count that
  // was not reported.
  const beside = Object.fromEntries(Object.entries(read?.usage ?? {}).filter(([, count]) => count !== 0));
  if (own === undefined && !hasCounts(beside)) return undefined;
  return { malformed: [], least: { input: 0, output: 0 }, ...own, usage: { ...beside, ...own?.usage } };
}

interface UsageSource {
  readonly from: Fields;
  readonly read: (from: Fields) => UsageReading | undefined;
}

/** What the provider itself has reported, if the SDK passes it on. Only there is audio counted, and all of Gemini's input. */
function providersOwn(
  usage: Fields,
  { provider = "", providerMetadata }: AiSdkSource,
): UsageSource | undefined {
  const metadata = fieldsOf(providerMetadata);
  const of = (name: string) => fieldsOf(metadata?.[name]);
  const sourceOf = (from: Fields | undefined, read: UsageSource["read"]) => from && { from, read };
  const raw = fieldsOf(usage.raw);
  if (isAnthropic(provider)) return sourceOf(raw ?? fieldsOf(of("anthropic")?.usage), anthropicReading);
  if (isGoogle(provider)) {
    const { usageMetadata } = of("google") ?? of("vertex") ?? {};
    return sourceOf(raw ?? fieldsOf(usageMetadata), geminiReading);
  }
  return /^(openai|azure)\b/.test(provider) ? sourceOf(raw, openAIReading) : undefined;
}

/** Of a model of specification v3 or v4. */
function nested(usage: Fields): UsageReading | undefined {
  const input = fieldsOf(usage.inputTokens);
  const output = fieldsOf(usage.outputTokens);
  if (input === undefined && output === undefined) return undefined;
  const reader = new CountReader();
  const uncached = reader.count(input, "noCache");
  const cachedInputTokens = reader.count(input, "cacheRead");
  const cacheWriteTokens = reader.count(input, "cacheWrite");
  const text = reader.count(output, "text");
  const reasoningTokens = reader.count(output, "reasoning");
  return reader.reading({
    inputTokens: reader.count(input, "total") ?? sumOf(uncached, cachedInputTokens, cacheWriteTokens ?? 0),
    leastInput: (uncached ?? 0) + (cachedInputTokens ?? 0) + (cacheWriteTokens ?? 0),
    cachedInputTokens,
    cacheWriteTokens,
    outputTokens: reader.count(output, "total") ?? sumOf(text, reasoningTokens),
    leastOutput: (text ?? 0) + (reasoningTokens ?? 0),
    reasoningTokens,
  });
}

/** Of a result of AI SDK 6 or 7. */
function detailed(usage: Fields): UsageReading | undefined {
  const input = fieldsOf(usage.inputTokenDetails);
  if (input === undefined) return undefined;
  const reader = new CountReader();
  return reader.reading({
    inputTokens: reader.count(usage, "inputTokens"),
    cachedInputTokens: reader.count(input, "cacheReadTokens"),
    cacheWriteTokens: reader.count(input, "cacheWriteTokens"),
    outputTokens: reader.count(usage, "outputTokens"),
    reasoningTokens: reader.count(usage.outputTokenDetails, "reasoningTokens"),
  });
}

/** Of AI SDK 5, of images, or of embeddings. */
function flat(usage: Fields, { provider = "", providerMetadata }: AiSdkSource): UsageReading | undefined {
  const reader = new CountReader();
  const input = reader.first(usage, ["inputTokens", "tokens"]);
  const output = reader.count(usage, "outputTokens");
  const cachedInputTokens = reader.count(usage, "cachedInputTokens");
  const reasoningTokens = reader.count(usage, "reasoningTokens");
  const { cacheCreationInputTokens, usage: bedrock } =
    fieldsOf(fieldsOf(providerMetadata)?.[isAnthropic(provider) ? "anthropic" : "bedrock"]) ?? {};
  const cacheWriteTokens = reader.count(
    { written: cacheCreationInputTokens ?? fieldsOf(bedrock)?.cacheWriteInputTokens },
    "written",
  );
  // These exclude cached tokens, or thoughts, from the total.
  const isCacheBeside = isAnthropic(provider) || /bedrock/.test(provider);
  const isReasoningBeside = isGoogle(provider);
  return reader.reading({
    inputTokens: isCacheBeside ? sumOf(input, cachedInputTokens ?? 0, cacheWriteTokens ?? 0) : input,
    cachedInputTokens,
    cacheWriteTokens,
    outputTokens: isReasoningBeside ? sumOf(output, reasoningTokens ?? 0) : output,
    reasoningTokens,
  });
}

function isAnthropic(provider: string): boolean {
  return /anthropic/.test(provider);
}

function isGoogle(provider: string): boolean {
  return /google|vertex/.test(provider) && !isAnthropic(provider);
}

/** What an image, a speech or a transcription used: of the request, of the result, and of OpenAI's own answer behind it. */
export function mediaReading(request: Fields, result: Fields): UsageReading | undefined {
  const own = openAIReading(fieldsOf(fieldsOf(result.response)?.body));
  const reported = aiSdkReading(result.usage, {});
  const reader = new CountReader();
  const { text, audio } = request;
  const images = listOf(result.images).length;
  const counted = reader.reading({
    images: images > 0 ? images : undefined,
    seconds: reader.seconds(result, "durationInSeconds"),
    characters: typeof text === "string" && audio === undefined ? charactersOf(text) : undefined,
  });
  if (own === undefined && reported === undefined && counted === undefined) return undefined;
  return {
    usage: { ...own?.usage, ...reported?.usage, ...counted?.usage },
    malformed: [own, reported, counted].flatMap((reading) => reading?.malformed ?? []),
    least: reported?.least ?? own?.least ?? { input: 0, output: 0 },
  };
}
