export type {
  CallEnding,
  MeteredCall,
  MeteredCharge,
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
export { meteredModel } from "./model/metered-model.ts";
export type { AiSdkModel } from "./model/model-kinds.ts";
export { type AiSdkSource, usageFromAiSdk } from "./usage/ai-sdk-usage.ts";
export { usageFromAnthropic } from "./usage/anthropic-usage.ts";
export { usageFromGemini } from "./usage/gemini-usage.ts";
export { type ModelUsage, type TokenPools, tokenPools } from "./usage/model-usage.ts";
export { usageFromOpenAI } from "./usage/openai-usage.ts";
export { reportedUsage } from "./usage/reported-usage.ts";
