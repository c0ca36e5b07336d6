import { z } from "zod";
import { type Data, identifier } from "./fields.ts";
import { origin } from "./usage.ts";

/** The most that one request may report. More is a mistake, and would keep its call from ever being billed. */
export const maxMinutes = 1e6;
const maxCount = 1e9;

const minutes = z.number().nonnegative().max(maxMinutes);
const part = z.int().nonnegative().max(maxCount);

const voiceOrigin = z.object({
  /** The session of the call. */
  sessionId: identifier,
  provider: origin.optional(),
  model: origin.optional(),
  plan: origin.optional(),
});

/** Who did a part of the work of a voice call (API, section 4.6). */
export type VoiceOrigin = Data<typeof voiceOrigin>;

/** Parses the start of a voice call (API, section 4.6). */
export const voiceSessionRequest = z.object({
  /** Chosen by the caller, unique per call. */
  sessionId: identifier,
  agentId: identifier,
  /** External ID of the customer. */
  customerId: identifier,
});

/** The start of a voice call (API, sections 2.7 and 4.6). */
export type VoiceSessionRequest = Data<typeof voiceSessionRequest>;

/** Parses speech to text in a voice call (API, section 4.6). */
export const voiceSttRequest = voiceOrigin.extend({
  /** Minutes of audio, from 0 to 1,000,000; fractions allowed. */
  audioMinutes: minutes,
});

/** Speech to text in a voice call (API, section 4.6). */
export type VoiceSttRequest = Data<typeof voiceSttRequest>;

/** Parses language model usage in a voice call (API, section 4.6). */
export const voiceLlmRequest = voiceOrigin.extend({
  promptTokens: part,
  completionTokens: part,
  cachedTokens: part.optional(),
});

/** Language model in a voice call (API, section 4.6); counts are integers from 0 to 1,000,000,000. */
export type VoiceLlmRequest = Data<typeof voiceLlmRequest>;

/** Parses text to speech in a voice call (API, section 4.6). */
export const voiceTtsRequest = voiceOrigin.extend({
  /** Characters processed, an integer from 0 to 1,000,000,000. */
  characters: part,
});

/** Text to speech in a voice call (API, section 4.6). */
export type VoiceTtsRequest = Data<typeof voiceTtsRequest>;

/** Parses the end of a voice call (API, section 4.6). */
export const voiceIndicatorRequest = z.object({
  sessionId: identifier,
  /** Name of a voice indicator, such as call completion. */
  indicator: identifier,
  /** Minutes the call took, from 0 to 1,000,000; fractions allowed. */
  totalDuration: minutes,
});

/** The end of a voice call (API, section 4.6). */
export type VoiceIndicatorRequest = Data<typeof voiceIndicatorRequest>;
