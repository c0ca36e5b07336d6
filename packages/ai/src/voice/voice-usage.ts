/** Who did a part of a call (API 4.6); prices go by it. */
export interface VoiceOrigin {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly plan?: string | undefined;
}

/** Speech that was turned into text. */
export interface Transcription extends VoiceOrigin {
  /** Seconds of audio; fractions allowed. */
  readonly seconds: number;
}

/** A call of a language model. */
export interface Completion extends VoiceOrigin {
  /** All tokens read. */
  readonly inputTokens: number;
  /** All tokens written. */
  readonly outputTokens: number;
  /** Of the tokens read, those that came from a cache. */
  readonly cachedInputTokens?: number | undefined;
}

/** Text that was turned into speech. */
export interface Speech extends VoiceOrigin {
  /** Characters of the text, a whole number. */
  readonly characters: number;
}

/** What one provider, model and plan did in a call, in the words and units of API 4.6. */
export type VoicePart = VoiceOrigin &
  (
    | { readonly kind: "stt"; readonly audioMinutes: number }
    | {
        readonly kind: "llm";
        readonly promptTokens: number;
        readonly completionTokens: number;
        readonly cachedTokens: number;
      }
    | { readonly kind: "tts"; readonly characters: number }
  );

/** What a call has used. */
export interface VoiceUsage {
  /** Minutes that it has lasted. */
  readonly callMinutes: number;
  readonly parts: readonly VoicePart[];
}

/** The most seconds that one measure may have, as the API bounds minutes. */
export const mostSeconds = 60_000_000;

/** Seconds in whole microseconds, which add up exactly. */
export function microsecondsOf(seconds: number): number {
  return Math.round(seconds * 1e6);
}

/** Microseconds in millionths of a minute, rounded up. Minutes are posted in that unit, so that parts add up to their sum. */
export function microminutesOf(microseconds: number): number {
  return Math.ceil(microseconds / 60);
}

/** Millionths of a minute as minutes. */
export function minutesOf(microminutes: number): number {
  return microminutes / 1e6;
}

/** The usage of a call that has lasted this number of seconds. */
export function usageOf(seconds: number, parts: readonly VoicePart[]): VoiceUsage {
  return { callMinutes: minutesOf(microminutesOf(microsecondsOf(seconds))), parts };
}
