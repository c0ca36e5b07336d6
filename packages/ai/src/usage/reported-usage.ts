import type { Usage } from "@creditgate/core";
import type { ModelUsage } from "./model-usage.ts";

/**
 * The usage as `credits.report()` takes it: totals, and the parts of them. A part of which the total was not told is left out, since
 * the totals are what is billed.
 */
export function reportedUsage(usage: ModelUsage): Usage {
  const told = Object.entries(usage).filter(([name, value]) => {
    const total = totals.get(name);
    return value !== undefined && (total === undefined || usage[total] !== undefined);
  });
  return Object.fromEntries(told);
}

const totals: ReadonlyMap<string, "inputTokens" | "outputTokens"> = new Map([
  ...(["cachedInputTokens", "cacheWriteTokens", "audioInputTokens"] as const).map(
    (part) => [part, "inputTokens"] as const,
  ),
  ...(["reasoningTokens", "audioOutputTokens"] as const).map((part) => [part, "outputTokens"] as const),
]);
