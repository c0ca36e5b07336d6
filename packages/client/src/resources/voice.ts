import { z } from "zod";
import type { CallOptions } from "../call.ts";
import { posting } from "../checked-call.ts";
import {
  type VoiceIndicatorRequest,
  type VoiceLlmRequest,
  type VoiceSessionRequest,
  type VoiceSttRequest,
  type VoiceTtsRequest,
  voiceIndicatorRequest,
  voiceLlmRequest,
  voiceSessionRequest,
  voiceSttRequest,
  voiceTtsRequest,
} from "../contract/index.ts";
import { endpoints } from "../endpoints.ts";
import type { Transport } from "../transport.ts";

/**
 * Voice calls, in this order: session, then stt, llm and tts, then indicator (API, section 4.6). The answers are not
 * shown by the API. None is retried after it may have arrived: repeat it with the same `idempotencyKey`.
 */
export interface Voice {
  /** Opens the session of a call. */
  session(request: VoiceSessionRequest, options?: CallOptions): Promise<unknown>;
  /** Reports speech to text, in minutes of audio. */
  stt(request: VoiceSttRequest, options?: CallOptions): Promise<unknown>;
  /** Reports language model usage, in tokens. */
  llm(request: VoiceLlmRequest, options?: CallOptions): Promise<unknown>;
  /** Reports text to speech, in characters. */
  tts(request: VoiceTtsRequest, options?: CallOptions): Promise<unknown>;
  /** Closes the call with its outcome and its duration in minutes. */
  indicator(request: VoiceIndicatorRequest, options?: CallOptions): Promise<unknown>;
}

export function createVoice(transport: Transport): Voice {
  const post = posting(transport);
  return {
    session: post(endpoints.voiceSession, voiceSessionRequest, z.unknown()),
    stt: post(endpoints.voiceStt, voiceSttRequest, z.unknown()),
    llm: post(endpoints.voiceLlm, voiceLlmRequest, z.unknown()),
    tts: post(endpoints.voiceTts, voiceTtsRequest, z.unknown()),
    indicator: post(endpoints.voiceIndicator, voiceIndicatorRequest, z.unknown()),
  };
}
