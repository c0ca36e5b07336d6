import { audioLength } from "../call/audio-length.ts";
import type { MeteringOptions } from "../call/metering-options.ts";
import { promptIn } from "../call/prompt.ts";
import type { Fields } from "../usage/fields.ts";
import type { ModelUsage } from "../usage/model-usage.ts";
import { charactersOf } from "../usage/usage-reading.ts";
import { estimatedInput, tokensPerSecondOfOpenAI } from "./call-size.ts";

/** How the size of an image, speech or transcription call is determined. */
export interface MediaSizing extends Pick<MeteringOptions, "countTokens"> {
  readonly provider: string;
  readonly model: string;
  readonly margin: number;
  /** Of each image, or of a transcription. */
  readonly maxOutputTokens?: number | undefined;
  readonly audioSeconds?: AudioSeconds | undefined;
}

/** Returns the seconds of a recording; `undefined` if unknown. */
export type AudioSeconds = (audio: Uint8Array | string, mediaType: string) => number | undefined;

/** Models that report tokens besides images and seconds, so that both may be billed. */
const takesTokens = /^(chat)?gpt-|gemini/;
/** The most of an image of OpenAI's gpt-image-1: a quarter of a dollar at 40 dollars a million. */
const tokensPerImage = 6_240;
/**
 * The maximum of gpt-image-2: 2880 × 2880 in high quality. The formula was found by users, and gives the 7,024 that
 * OpenAI states for 1024 × 1024.
 */
const tokensPerLargeImage = 23_719;
const drawsLarge = /gpt-image-(?!1)/;
/** What the call uses at most. `undefined` for a transcription of what cannot be measured. */
export function largestMedia(request: Fields, sizing: MediaSizing): ModelUsage | undefined {
  const { provider, model } = sizing;
  const { audio, text } = request;
  if (audio !== undefined) return transcriptionSize(request, sizing);
  if (typeof text === "string") return { provider, model, characters: charactersOf(text) };
  return imagesSize(request, sizing);
}

function imagesSize(request: Fields, sizing: MediaSizing): ModelUsage {
  const { provider, model } = sizing;
  const { n } = request;
  const { maxOutputTokens = drawsLarge.test(model) ? tokensPerLargeImage : tokensPerImage } = sizing;
  const images = typeof n === "number" && n > 1 ? Math.ceil(n) : 1;
  if (!takesTokens.test(model)) return { provider, model, images };
  const inputTokens = estimatedInput(promptIn(request), sizing);
  return { provider, model, images, inputTokens, outputTokens: images * maxOutputTokens };
}

function transcriptionSize(request: Fields, sizing: MediaSizing): ModelUsage | undefined {
  const { provider, model } = sizing;
  const length = lengthOf(request, sizing);
  if (length === undefined) return undefined;
  const seconds = Math.ceil(length);
  if (!takesTokens.test(model)) return { provider, model, seconds };
  const inputTokens = seconds * tokensPerSecondOfOpenAI;
  const { maxOutputTokens: outputTokens = inputTokens } = sizing;
  return { provider, model, seconds, inputTokens, audioInputTokens: inputTokens, outputTokens };
}

function lengthOf({ audio, mediaType }: Fields, { audioSeconds }: MediaSizing): number | undefined {
  if (audioSeconds !== undefined && (audio instanceof Uint8Array || typeof audio === "string")) {
    try {
      const seconds = audioSeconds(audio, String(mediaType));
      if (seconds !== undefined && seconds >= 0 && Number.isFinite(seconds)) return seconds;
    } catch {
      // An unknown length is estimated.
    }
  }
  return audioLength(audio);
}
