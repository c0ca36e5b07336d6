import { z } from "zod";
import { identifier } from "./text.ts";
import { count, origin } from "./usage.ts";

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
  /** Minutes of audio, from 0; fractions allowed. */
  readonly audioMinutes: number;
}

/** Language model in a voice call (API, section 4.6); counts are non-negative safe integers. */
export interface VoiceLlmRequest extends VoiceOrigin {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens?: number | undefined;
}

/** Text to speech in a voice call (API, section 4.6). */
export interface VoiceTtsRequest extends VoiceOrigin {
  /** Characters processed, a non-negative safe integer. */
  readonly characters: number;
}

/** The end of a voice call (API, section 4.6). */
export interface VoiceIndicatorRequest {
  readonly sessionId: string;
  /** Name of a voice indicator, such as call completion. */
  readonly indicator: string;
  /** Minutes the call took, from 0; fractions allowed. */
  readonly totalDuration: number;
}

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
  audioMinutes: z.number().nonnegative(),
});

/** Parses language model usage in a voice call (API, section 4.6). */
export const voiceLlmRequest: z.ZodType<VoiceLlmRequest> = z.object({
  ...voiceOrigin,
  promptTokens: count,
  completionTokens: count,
  cachedTokens: count.optional(),
});

/** Parses text to speech in a voice call (API, section 4.6). */
export const voiceTtsRequest: z.ZodType<VoiceTtsRequest> = z.object({
  ...voiceOrigin,
  characters: count,
});

/** Parses the end of a voice call (API, section 4.6). */
export const voiceIndicatorRequest: z.ZodType<VoiceIndicatorRequest> = z.object({
  sessionId: identifier,
  indicator: identifier,
  totalDuration: z.number().nonnegative(),
});
