import type { ModelUsage } from "../usage/model-usage.ts";

/**
 * What a usage costs, in credits, by its provider and model; `undefined` where it has no price. It must never be less than what the
 * service debits, nor fall when a count rises.
 */
export type Prices = (usage: ModelUsage) => number | undefined;

/** What the usage costs by these prices; `undefined` where they do not say, fail or say something that is no amount. */
export function costOf(prices: Prices, usage: ModelUsage): number | undefined {
  try {
    const credits = prices(usage);
    return credits !== undefined && Number.isFinite(credits) && credits >= 0 ? credits : undefined;
  } catch {
    return undefined;
  }
}
