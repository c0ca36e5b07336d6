import { invalidOption } from "@creditgate/core/adapter";
import type { Prices } from "./prices.ts";

/** What is used of `calcPrice` of `@pydantic/genai-prices`. */
export type PriceCalculator = (
  usage: Record<string, number | undefined>,
  model: string,
  options: { providerId: string },
) => { readonly total_price: number } | null;

/** How dollars become credits. */
export interface DollarOptions {
  readonly creditsPerDollar: number;
  /** What is added to the provider's price: 0.2 is a fifth. @default 0 */
  readonly margin?: number;
}

/**
 * The list prices of providers, by `calcPrice` of `@pydantic/genai-prices`: tiers and cached tokens as they have them, and no price for
 * images, seconds and characters. What your service debits may be another price: then its own are the ones to use.
 */
export function genaiPrices(
  calcPrice: PriceCalculator,
  { creditsPerDollar, margin = 0 }: DollarOptions,
): Prices {
  if (typeof calcPrice !== "function") invalidOption("calcPrice", "a function", calcPrice);
  if (!(creditsPerDollar > 0 && Number.isFinite(creditsPerDollar))) {
    invalidOption("creditsPerDollar", "a number above 0", creditsPerDollar);
  }
  if (!(margin >= 0 && Number.isFinite(margin))) invalidOption("margin", "a number, 0 or more", margin);
  return ({ provider, model, inputTokens = 0, outputTokens = 0, ...parts }) => {
    if (provider === undefined || model === undefined) return undefined;
    const {
      cachedInputTokens = 0,
      cacheWriteTokens = 0,
      audioInputTokens = 0,
      audioOutputTokens = 0,
    } = parts;
    const usage: Record<string, number> = {
      input_tokens: inputTokens,
      cache_read_tokens: cachedInputTokens,
      cache_write_tokens: cacheWriteTokens,
      input_audio_tokens: audioInputTokens,
      output_tokens: outputTokens,
      output_audio_tokens: audioOutputTokens,
    };
    // It has no price for 0 of something that a model cannot do.
    for (const [name, count] of Object.entries(usage)) {
      if (count === 0 && name !== "input_tokens" && name !== "output_tokens") delete usage[name];
    }
    const price = calcPrice(usage, model, { providerId: provider });
    if (price === null) return undefined;
    const credits = price.total_price * creditsPerDollar * (1 + margin);
    return Math.ceil(Number((credits * 1e6).toPrecision(14))) / 1e6;
  };
}
