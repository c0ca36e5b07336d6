import { z } from "zod";
import { identifier } from "./text.ts";
import { origin } from "./usage.ts";

/** The start of a voice call (API, sections 2.7 and 4.6). */
export interface VoiceSessionRequest {
  /** Chosen by the caller, unique per call. */
  readonly sessionId: string;
  readonly agentId: string;
  /** External ID of the customer. */
  readonly customerId: string;
}

/** Who did a part of the work of a voice call (API, section 4.6). */
export interface VoiceOrigin {
  /** The session of the call. */
  readonly sessionId: string;
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly plan?: string | undefined;
}

/** Speech to text in a voice call (API, section 4.6). */
export interface VoiceSttRequest extends VoiceOrigin {
  /** Minutes of audio, from 0 to 1,000,000; fractions allowed. */
  readonly audioMinutes: number;
}

/** Language model in a voice call (API, section 4.6); counts are integers from 0 to 1,000,000,000. */
export interface VoiceLlmRequest extends VoiceOrigin {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens?: number | undefined;
}

/** Text to speech in a voice call (API, section 4.6). */
export interface VoiceTtsRequest extends VoiceOrigin {
  /** Characters processed, an integer from 0 to 1,000,000,000. */
  readonly characters: number;
}

/** The end of a voice call (API, section 4.6). */
export interface VoiceIndicatorRequest {
  readonly sessionId: string;
  /** Name of a voice indicator, such as call completion. */
  readonly indicator: string;
  /** Minutes the call took, from 0 to 1,000,000; fractions allowed. */
  readonly totalDuration: number;
}

/** What one request may tell at most. More is a mistake, and would keep its call from ever being billed. */
export const maxMinutes = 1e6;
const maxCount = 1e9;

const minutes = z.number().nonnegative().max(maxMinutes);
const part = z.int().nonnegative().max(maxCount);

const voiceOrigin = {
  sessionId: identifier,
  provider: origin.optional(),
  model: origin.optional(),
  plan: origin.optional(),
};

/** Parses the start of a voice call (API, section 4.6). */
export const voiceSessionRequest: z.ZodType<VoiceSessionRequest> = z.object({
  sessionId: identifier,
  agentId: identifier,
  customerId: identifier,
});

/** Parses speech to text in a voice call (API, section 4.6). */
export const voiceSttRequest: z.ZodType<VoiceSttRequest> = z.object({
  ...voiceOrigin,
  audioMinutes: minutes,
});

/** Parses language model usage in a voice call (API, section 4.6). */
export const voiceLlmRequest: z.ZodType<VoiceLlmRequest> = z.object({
  ...voiceOrigin,
  promptTokens: part,
  completionTokens: part,
  cachedTokens: part.optional(),
});

/** Parses text to speech in a voice call (API, section 4.6). */
export const voiceTtsRequest: z.ZodType<VoiceTtsRequest> = z.object({
  ...voiceOrigin,
  characters: part,
});

/** Parses the end of a voice call (API, section 4.6). */
export const voiceIndicatorRequest: z.ZodType<VoiceIndicatorRequest> = z.object({
  sessionId: identifier,
  indicator: identifier,
  totalDuration: minutes,
});
