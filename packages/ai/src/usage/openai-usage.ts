import { type Fields, fieldsOf, listOf, textOf } from "./fields.ts";
import type { ModelUsage } from "./model-usage.ts";
import { CountReader, hasCounts, type UsageReading } from "./usage-reading.ts";

/**
 * What an answer of OpenAI used: of Chat Completions, Responses, Embeddings, Images or Transcriptions, the answer or
 * its `usage`. `undefined` if it reports none, as in a stream without `include_usage`. Never throws.
 */
export function usageFromOpenAI(response: unknown): ModelUsage | undefined {
  const { usage = {} } = openAIReading(response) ?? {};
  const model = textOf(fieldsOf(response)?.model);
  return hasCounts(usage)
    ? { provider: "openai", ...(model !== undefined && { model }), ...usage }
    : undefined;
}

/** Totals include cached tokens, reasoning and audio. */
export function openAIReading(response: unknown): UsageReading | undefined {
  const given = fieldsOf(response);
  if (given === undefined) return undefined;
  const isUsage = !("usage" in given);
  const usage = isUsage ? given : (fieldsOf(given.usage) ?? {});
  const reader = new CountReader();
  const input = usage.prompt_tokens_details ?? usage.input_tokens_details ?? usage.input_token_details;
  const output = usage.completion_tokens_details ?? usage.output_tokens_details;
  return reader.reading({
    inputTokens: reader.first(usage, ["prompt_tokens", "input_tokens"]),
    cachedInputTokens: reader.count(input, "cached_tokens"),
    cacheWriteTokens: reader.count(input, "cache_write_tokens"),
    audioInputTokens: reader.count(input, "audio_tokens"),
    outputTokens: reader.first(usage, ["completion_tokens", "output_tokens"]),
    reasoningTokens: reader.count(output, "reasoning_tokens"),
    audioOutputTokens: reader.count(output, "audio_tokens"),
    images: imagesOf(given),
    // Of a transcription; whisper-1 returns its length besides the text.
    seconds: usage.type === "duration" ? reader.seconds(usage, "seconds") : reader.seconds(given, "duration"),
  });
}

/** Images made, of an answer that has any. */
function imagesOf({ data }: Fields): number | undefined {
  const images = listOf(data).filter((one) => {
    const { b64_json, url } = fieldsOf(one) ?? {};
    return typeof b64_json === "string" || typeof url === "string";
  });
  return images.length > 0 ? images.length : undefined;
}
