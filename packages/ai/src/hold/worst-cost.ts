import { costOf, type Prices } from "../price/prices.ts";
import type { ModelUsage } from "../usage/model-usage.ts";

/** A call as large as it may become. */
export interface LargestCall {
  readonly provider: string | undefined;
  readonly model: string | undefined;
  readonly inputTokens: number;
  /** Whether some of them may be of sound. */
  readonly hasSound: boolean;
}

/** What the call costs at most if it writes this number of tokens: whichever way they are read and written. `undefined` without a price. */
export function worstCost(
  prices: Prices,
  { provider, model, inputTokens, hasSound }: LargestCall,
  outputTokens: number,
): number | undefined {
  const usage: ModelUsage = {
    ...(provider !== undefined && { provider }),
    ...(model !== undefined && { model }),
    inputTokens,
    outputTokens,
  };
  let worst = 0;
  const sound = hasSound ? [{ audioInputTokens: inputTokens }] : [];
  for (const read of [{}, { cacheWriteTokens: inputTokens }, ...sound]) {
    for (const written of [{}, { reasoningTokens: outputTokens }]) {
      const cost = costOf(prices, { ...usage, ...read, ...written });
      if (cost === undefined) return undefined;
      worst = Math.max(worst, cost);
    }
  }
  return worst;
}

/** The most tokens, up to `most`, that the call may write for this number of credits; -1 if what it reads costs more. */
export function affordableTokens(prices: Prices, call: LargestCall, credits: number, most: number): number {
  const fits = (tokens: number) => (worstCost(prices, call, tokens) ?? Number.POSITIVE_INFINITY) <= credits;
  if (fits(most)) return most;
  // Prices have tiers, and are rounded: the bound is looked for rather than computed.
  let [low, high] = [-1, most];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
