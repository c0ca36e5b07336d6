export type {
  CallEnding,
  MeteredCall,
  MeteredCharge,
  MeteredCredits,
  MeteringOptions,
} from "./call/metering-options.ts";
export {
  type ConfigurableClient,
  type MeteredClientOptions,
  meteredAnthropic,
  meteredOpenAI,
} from "./clients/metered-client.ts";
export { meteredGemini } from "./clients/metered-gemini.ts";
export { type MeteredFetchOptions, meteredFetch } from "./fetch/metered-fetch.ts";
export { type HoldOptions, holdFor } from "./hold/hold-for.ts";
export type { AudioSeconds } from "./hold/media-size.ts";
export { InsufficientCredits } from "./model/funded-request.ts";
export { meteredModel } from "./model/metered-model.ts";
export type { AiSdkModel, ModelMeteringOptions } from "./model/model-options.ts";
export { type DollarOptions, genaiPrices, type PriceCalculator } from "./price/genai-prices.ts";
export type { Prices } from "./price/prices.ts";
export { listedPrices, type ModelRates, type PriceList, type Rates } from "./price/rates.ts";
export { type AgentLister, type PricedWork, servicePrices } from "./price/service-prices.ts";
export { type AiSdkSource, usageFromAiSdk } from "./usage/ai-sdk-usage.ts";
export { usageFromAnthropic } from "./usage/anthropic-usage.ts";
export { usageFromGemini } from "./usage/gemini-usage.ts";
export { type ModelUsage, reportedUsage, type TokenPools, tokenPools } from "./usage/model-usage.ts";
export { usageFromOpenAI } from "./usage/openai-usage.ts";
