import type { PauseOptions } from "@creditgate/core";
import { invalidOption } from "@creditgate/core/adapter";
import { type MeteredCredits, type MeteringOptions, meteringOptionNames } from "../call/metering-options.ts";
import { checkMargin, checkMaximum } from "../hold/call-size.ts";
import type { AudioSeconds } from "../hold/media-size.ts";

/** How the calls of a model are billed, and paid for beforehand where there are `prices`. */
export interface ModelMeteringOptions extends MeteringOptions {
  /**
   * Whether a call that may cost more than what is left of the hold is made all the same, with its `maxOutputTokens` lowered to what
   * that pays for; `false` refuses it. Needs `prices`.
   * @default false
   */
  readonly clamp?: boolean;
  /** A call is not made with room for fewer tokens of answer than this; what the provider takes at least. @default 16 */
  readonly minOutputTokens?: number;
  /**
   * The most tokens that a call without a limit of its own may write. For an image model: of each image. For a
   * transcription model: of the text.
   * @default none: such a call is refused if there are `prices`; 6,240 of each image (23,719 of gpt-image-2), and 10
   * a second of audio, of GPT and Gemini
   */
  readonly maxOutputTokens?: number;
  /** Added to the estimate of what a call reads: 0.1 is a tenth. @default 0.1 */
  readonly margin?: number;
  /**
   * The seconds of a recording that will be transcribed, for its hold. If it throws or returns no length, the length
   * is estimated.
   * @default from the file for WAV and MP3; for others at most: 2,000 bytes are a second
   */
  readonly audioSeconds?: AudioSeconds;
  /** Whether more is held (`credits.extend()`) where what is left of the hold is not enough. @default true */
  readonly extend?: boolean;
  /**
   * Where the wallet, or a budget, cannot pay the next call, and none is under way: what the work has used is billed, and the
   * call waits for a payment, as `pause()` of `@creditgate/core` does. `{}` waits up to a minute. Needs `prices`.
   * @default none: such a call fails with `InsufficientCredits`
   */
  readonly pause?: Omit<PauseOptions, "signal">;
}

export const modelOptionNames: Readonly<Record<keyof ModelMeteringOptions, true>> = {
  ...meteringOptionNames,
  clamp: true,
  minOutputTokens: true,
  maxOutputTokens: true,
  margin: true,
  audioSeconds: true,
  extend: true,
  pause: true,
};

/** Throws an `invalid_option` error for an option about holds that cannot be right. */
export function checkFunding(credits: MeteredCredits, options: ModelMeteringOptions): void {
  const { prices, clamp, minOutputTokens, maxOutputTokens, margin, audioSeconds, extend, pause } = options;
  for (const [name, value] of Object.entries({ clamp, extend })) {
    if (value !== undefined && typeof value !== "boolean") invalidOption(name, "true or false", value);
  }
  if (minOutputTokens !== undefined) checkMaximum("minOutputTokens", minOutputTokens);
  if (maxOutputTokens !== undefined) checkMaximum("maxOutputTokens", maxOutputTokens);
  checkMargin(margin);
  if (audioSeconds !== undefined && typeof audioSeconds !== "function") {
    invalidOption("audioSeconds", "a function", audioSeconds);
  }
  if (pause !== undefined && (typeof pause !== "object" || pause === null || extend === false))
    invalidOption("pause", "the options of pause(), and extend that is not false", pause);
  if (prices === undefined) {
    if (pause !== undefined) invalidOption("prices", "what tokens cost, since there is pause", prices);
    if (clamp === true) invalidOption("prices", "what tokens cost, since clamp is true", prices);
    return;
  }
  if (typeof credits !== "function" && typeof credits.extend !== "function") {
    invalidOption("credits", "a charge with held and extend(), since there are prices", credits);
  }
}

/** A model of the AI SDK, as far as all of them are alike. */
export interface AiSdkModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
}

export type ModelKind = "language" | "embedding" | "image" | "audio";

/** Which kind of model it is. Throws an `invalid_option` error for what is none, or is not metered. */
export function kindOf(model: unknown): ModelKind {
  if (typeof model === "string") {
    const written = JSON.stringify(model.slice(0, 64));
    return invalidOption("model", `a model object; write gateway(${written}), of the AI SDK`, model);
  }
  if (typeof model !== "object" || model === null) return invalidOption("model", metered, model);
  const has = (name: string) => name in model;
  if (has("doRerank")) return invalidOption("model", `${metered}; reranking is not metered`, model);
  if (has("maxVideosPerCall")) return invalidOption("model", `${metered}; video is not metered`, model);
  if (has("supportedUrls")) return "language";
  if (has("doEmbed")) return "embedding";
  if (has("doGenerate")) return has("maxImagesPerCall") ? "image" : "audio";
  return invalidOption("model", metered, model);
}

const metered = "a language, embedding, image, speech or transcription model of the AI SDK";
