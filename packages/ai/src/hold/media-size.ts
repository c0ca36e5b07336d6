import type { MeteringOptions } from "../call/metering-options.ts";
import { promptIn } from "../call/prompt.ts";
import type { Fields } from "../usage/fields.ts";
import type { ModelUsage } from "../usage/model-usage.ts";
import { charactersOf } from "../usage/usage-reading.ts";
import { estimatedInput } from "./call-size.ts";

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
/**
 * For audio input of OpenAI's models, from their prices of a minute and of a token (0.06 dollars, and 100 dollars a
 * million). Speech is assumed to have fewer.
 */
const tokensPerSecond = 10;

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
  const inputTokens = seconds * tokensPerSecond;
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
} /** Voice notes have about as few bytes per second. An unknown format counts as one, so it is never taken for too short. */
const leastBytesPerSecond = 2_000;

/**
 * The most seconds that a recording can have. Uncompressed WAV and MP3 contain their length. Others are estimated
 * from their bytes: a file of 128 kbit/s counts as eight times as long. `undefined` for what is no recording.
 */
export function audioLength(audio: unknown): number | undefined {
  const bytes = bytesOf(audio);
  return bytes && (wavLength(bytes) ?? mp3Length(bytes) ?? bytes.length / leastBytesPerSecond);
}

/** As the AI SDK hands it to a model: bytes, or bytes in base64. */
function bytesOf(audio: unknown): Uint8Array | undefined {
  if (audio instanceof Uint8Array) return audio;
  if (typeof audio !== "string") return undefined;
  try {
    return Uint8Array.from(atob(audio), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** PCM, floating point, A-law, µ-law, and the extensible format. Each has the same number of bytes each second. */
const evenFormats: ReadonlySet<number> = new Set([1, 3, 6, 7, 0xfffe]);

/** From the bytes per sample and the total bytes. Decoders do not trust the rest of the header either. */
function wavLength(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const is = (name: string, at: number) =>
    at + 4 <= bytes.length && [...name].every((letter, index) => bytes[at + index] === letter.charCodeAt(0));
  if (!is("RIFF", 0) || !is("WAVE", 8)) return undefined;
  let at = 12;
  while (at + 24 <= bytes.length && !is("fmt ", at)) at += 8 + view.getUint32(at + 4, true);
  if (at + 24 > bytes.length) return undefined;
  const format = view.getUint16(at + 8, true);
  const bytesPerSecond = view.getUint32(at + 12, true) * view.getUint16(at + 20, true);
  return evenFormats.has(format) && bytesPerSecond > 0 ? bytes.length / bytesPerSecond : undefined;
}

/** Frame by frame, since each may have a bit rate of its own. */
function mp3Length(bytes: Uint8Array): number | undefined {
  const start = tagLength(bytes);
  let at = start;
  let seconds = 0;
  for (let frame = frameAt(bytes, at); frame !== undefined; frame = frameAt(bytes, at)) {
    at += frame.length;
    seconds += frame.seconds;
  }
  // What comes after the last frame may be tags, or more frames after a gap.
  return at === start ? undefined : seconds + Math.max(0, bytes.length - at) / leastBytesPerSecond;
}

/** Of the tag before the first frame. It begins with "ID3", and its length has seven bits in each byte. */
function tagLength(bytes: Uint8Array): number {
  if (bytes[0] !== 0x49 || bytes[1] !== 0x44 || bytes[2] !== 0x33) return 0;
  return bytes.subarray(6, 10).reduce((length, byte) => length * 128 + byte, 0) + 10;
}

/** kbit/s, by the number in a frame: of MPEG 1, and of MPEG 2 and 2.5. */
const bitRates = [
  [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
const sampleRates = [44_100, 48_000, 32_000] as const;
/** By which the rates of a version are lower; 1 is reserved. */
const divisors = [4, undefined, 2, 1] as const;

/** A frame of layer III that begins there. */
function frameAt(
  bytes: Uint8Array,
  at: number,
): { readonly length: number; readonly seconds: number } | undefined {
  const [sync = 0, kind = 0, rates = 0] = bytes.subarray(at, at + 3);
  const isLayer3 = sync === 0xff && kind >> 5 === 0b111 && ((kind >> 1) & 0b11) === 0b01;
  const divisor = divisors[(kind >> 3) & 0b11];
  const highest = sampleRates[(rates >> 2) & 0b11];
  if (!isLayer3 || divisor === undefined || highest === undefined) return undefined;
  const bitRate = bitRates[divisor === 1 ? 0 : 1][(rates >> 4) - 1];
  if (bitRate === undefined) return undefined;
  const samples = divisor === 1 ? 1_152 : 576;
  const sampleRate = highest / divisor;
  const padding = (rates >> 1) & 1;
  return {
    length: Math.floor((bitRate * 125 * samples) / sampleRate) + padding,
    seconds: samples / sampleRate,
  };
}
