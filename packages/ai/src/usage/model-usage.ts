import type { Usage } from "@creditgate/core";

/**
 * What one call of a model used. `inputTokens` and `outputTokens` are totals: all that was read, all that was
 * written. The other token fields are parts of them ("of which"). A missing field was not reported; 0 was.
 */
export interface ModelUsage {
  /** Such as `openai`. */
  readonly provider?: string;
  /** Such as `gpt-5`. */
  readonly model?: string;
  /** All tokens read: those from a cache, those written to one and audio too. */
  readonly inputTokens?: number;
  /** Of the tokens read, those that came from a cache. */
  readonly cachedInputTokens?: number;
  /** Of the tokens read, those that were written to a cache. */
  readonly cacheWriteTokens?: number;
  /** Of the tokens read, those of audio. */
  readonly audioInputTokens?: number;
  /** All tokens written: reasoning and audio too. */
  readonly outputTokens?: number;
  /** Of the tokens written, those of reasoning. */
  readonly reasoningTokens?: number;
  /** Of the tokens written, those of audio. */
  readonly audioOutputTokens?: number;
  /** Images made. */
  readonly images?: number;
  /** Seconds of audio input, rounded up. */
  readonly seconds?: number;
  /** Characters spoken. */
  readonly characters?: number;
}

/** Pools of which each token is in one: what a price list with several prices multiplies. */
export interface TokenPools {
  /** Text that was read, and neither from a cache nor written to one. */
  readonly input: number;
  readonly cachedInput: number;
  readonly cacheWrite: number;
  readonly audioInput: number;
  /** Text that was written, without reasoning. */
  readonly output: number;
  readonly reasoning: number;
  readonly audioOutput: number;
}

/** The tokens of a usage, each counted once. What was not reported is 0; parts that overlap leave no pool below 0. */
export function tokenPools(usage: ModelUsage): TokenPools {
  const { cachedInputTokens = 0, cacheWriteTokens = 0, audioInputTokens = 0 } = usage;
  const { reasoningTokens = 0, audioOutputTokens = 0 } = usage;
  const { inputTokens = 0, outputTokens = 0 } = usage;
  return {
    input: Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens - audioInputTokens),
    cachedInput: cachedInputTokens,
    cacheWrite: cacheWriteTokens,
    audioInput: audioInputTokens,
    output: Math.max(0, outputTokens - reasoningTokens - audioOutputTokens),
    reasoning: reasoningTokens,
    audioOutput: audioOutputTokens,
  };
}

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
