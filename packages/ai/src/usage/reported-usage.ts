import type { Usage } from "@creditgate/core";
import type { ModelUsage } from "./model-usage.ts";

/**
 * The usage as `credits.report()` takes it: totals, of which cached tokens, reasoning and the like are part. The API has
 * no fields for the parts (API 2.4).
 */
export function reportedUsage({ provider, model, inputTokens, outputTokens }: ModelUsage): Usage {
  return {
    ...(provider !== undefined && { provider }),
    ...(model !== undefined && { model }),
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
  };
}
