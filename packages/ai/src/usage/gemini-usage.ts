import { fieldsOf, listOf, textOf } from "./fields.ts";
import type { ModelUsage } from "./model-usage.ts";
import { CountReader, hasCounts, sumOf, type UsageReading } from "./usage-reading.ts";

/**
 * What an answer of Gemini used: the answer, a chunk of its stream, or its `usageMetadata`. Chunks count from the
 * beginning, so the last one has it all. `undefined` if it reports none. Never throws.
 */
export function usageFromGemini(response: unknown): ModelUsage | undefined {
  const { usage = {} } = geminiReading(response) ?? {};
  const model = textOf(fieldsOf(response)?.modelVersion);
  return hasCounts(usage)
    ? { provider: "google", ...(model !== undefined && { model }), ...usage }
    : undefined;
}

/** Cached tokens are in the prompt; what tools have read, and thoughts, stand beside it. */
export function geminiReading(response: unknown): UsageReading | undefined {
  const given = fieldsOf(response);
  if (given === undefined) return undefined;
  const isUsage = !("usageMetadata" in given || "candidates" in given || "promptFeedback" in given);
  const usage = isUsage ? given : (fieldsOf(given.usageMetadata) ?? {});
  const reader = new CountReader();
  const prompt = reader.count(usage, "promptTokenCount");
  const cachedInputTokens = reader.count(usage, "cachedContentTokenCount");
  const thoughts = reader.count(usage, "thoughtsTokenCount");
  const total = reader.count(usage, "totalTokenCount");
  const reported = reader.first(usage, ["candidatesTokenCount", "responseTokenCount"]);
  const counted = sumOf(prompt, reported, thoughts ?? 0);
  // AI SDK 5 hands on the total, and not what tools have read.
  const unreported = total === undefined || counted === undefined ? 0 : Math.max(0, total - counted);
  const tools = reader.count(usage, "toolUsePromptTokenCount") ?? unreported;
  const isInputWhole = !reader.malformed.includes("toolUsePromptTokenCount");
  const areThoughtsWhole = !reader.malformed.includes("thoughtsTokenCount");
  const input = isInputWhole ? sumOf(prompt, tools) : undefined;
  // A count of 0 is left out, and so is one of an answer that has only thoughts: the total still has it.
  const rest = total === undefined || input === undefined ? undefined : Math.max(0, total - input);
  const written = reported !== undefined && areThoughtsWhole ? reported + (thoughts ?? 0) : undefined;
  return reader.reading({
    inputTokens: input,
    leastInput: (prompt ?? 0) + tools,
    cachedInputTokens,
    audioInputTokens: audioOf(reader, usage.promptTokensDetails),
    outputTokens: written ?? rest,
    leastOutput: (reported ?? 0) + (thoughts ?? 0),
    reasoningTokens: thoughts,
    audioOutputTokens: audioOf(reader, usage.candidatesTokensDetails ?? usage.responseTokensDetails),
  });
}

function audioOf(reader: CountReader, details: unknown): number | undefined {
  const audio = listOf(details).filter((one) => fieldsOf(one)?.modality === "AUDIO");
  return audio.length === 0 ? undefined : sumOf(...audio.map((one) => reader.count(one, "tokenCount")));
}
