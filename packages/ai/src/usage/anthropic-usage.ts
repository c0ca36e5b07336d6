import { type Fields, fieldsOf, listOf, textOf } from "./fields.ts";
import type { ModelUsage } from "./model-usage.ts";
import { CountReader, hasCounts, sumOf, type UsageReading } from "./usage-reading.ts";

/** What a message of Anthropic used: the message or its `usage`. `undefined` if it reports none. Never throws. */
export function usageFromAnthropic(message: unknown): ModelUsage | undefined {
  const { usage = {} } = anthropicReading(message) ?? {};
  const model = textOf(fieldsOf(message)?.model);
  return hasCounts(usage)
    ? { provider: "anthropic", ...(model !== undefined && { model }), ...usage }
    : undefined;
}

/** Cached tokens stand beside `input_tokens`; thinking is in `output_tokens`. */
export function anthropicReading(message: unknown): UsageReading | undefined {
  const given = fieldsOf(message);
  if (given === undefined) return undefined;
  const usage = "usage" in given ? (fieldsOf(given.usage) ?? {}) : given;
  const reader = new CountReader();
  const uncached = ownTokens(reader, usage, "input_tokens");
  const cachedInputTokens = ownTokens(reader, usage, "cache_read_input_tokens");
  const cacheWriteTokens = ownTokens(reader, usage, "cache_creation_input_tokens");
  // A part that is missing is 0 tokens; one that is malformed makes the total unknown.
  const isWhole = reader.malformed.length === 0;
  const input = sumOf(uncached, cachedInputTokens ?? 0, cacheWriteTokens ?? 0);
  return reader.reading({
    inputTokens: isWhole ? input : undefined,
    leastInput: (uncached ?? 0) + (cachedInputTokens ?? 0) + (cacheWriteTokens ?? 0),
    cachedInputTokens,
    cacheWriteTokens,
    outputTokens: ownTokens(reader, usage, "output_tokens"),
    reasoningTokens: reader.count(usage.output_tokens_details, "thinking_tokens"),
  });
}

/**
 * The tokens of the requested model. If the context was compacted, the totals exclude that and the iterations include
 * it. An advisor's iterations are of another model.
 */
function ownTokens(reader: CountReader, usage: Fields, name: string): number | undefined {
  const iterations = listOf(usage.iterations).map((one) => fieldsOf(one) ?? {});
  const own = iterations.filter(({ type }) => type === "message" || type === "compaction");
  const isFallback = iterations.some(({ type }) => type === "fallback_message");
  if (own.length === 0 || isFallback) return reader.count(usage, name);
  const counts = own.map((iteration) => reader.count(iteration, name));
  if (reader.malformed.includes(name)) return undefined;
  const reported = counts.filter((count) => count !== undefined);
  return reported.length === 0 ? reader.count(usage, name) : sumOf(...reported);
}
