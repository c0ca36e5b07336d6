import type { Usage } from "@creditgate/core";
import type { ModelUsage } from "./model-usage.ts";

/**
 * The usage in the form that `credits.report()` accepts: totals, and the parts of them. A part without its total is
 * left out, since the totals are billed.
 */
export function reportedUsage(usage: ModelUsage): Usage {
  const reported = Object.entries(usage).filter(([name, value]) => {
    const total = totals.get(name);
    return value !== undefined && (total === undefined || usage[total] !== undefined);
  });
  return Object.fromEntries(reported);
}

const totals: ReadonlyMap<string, "inputTokens" | "outputTokens"> = new Map([
  ...(["cachedInputTokens", "cacheWriteTokens", "audioInputTokens"] as const).map(
    (part) => [part, "inputTokens"] as const,
  ),
  ...(["reasoningTokens", "audioOutputTokens"] as const).map((part) => [part, "outputTokens"] as const),
]);
