import type { z } from "zod";
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
} from "../contract/voice.ts";
import type { CallOptions } from "../transport/call.ts";
import { checkInput } from "../transport/checked-call.ts";
import type { Endpoint } from "../transport/endpoint.ts";
import { endpoints } from "../transport/endpoints.ts";
import type { Transport } from "../transport/transport.ts";
import { postForReceipt, type Receipt } from "./usage.ts";

/**
 * Voice calls, in this order: session, then stt, llm and tts, then indicator (API, section 4.6). The answers are not
 * shown by the API. None is retried after it may have arrived: repeat it with the same `idempotencyKey`.
 */
export interface Voice {
  /** Opens the session of a call. */
  session(request: VoiceSessionRequest, options?: CallOptions): Promise<Receipt>;
  /** Reports speech to text, in minutes of audio. */
  stt(request: VoiceSttRequest, options?: CallOptions): Promise<Receipt>;
  /** Reports language model usage, in tokens. */
  llm(request: VoiceLlmRequest, options?: CallOptions): Promise<Receipt>;
  /** Reports text to speech, in characters. */
  tts(request: VoiceTtsRequest, options?: CallOptions): Promise<Receipt>;
  /** Closes the call with its outcome and its duration in minutes. */
  indicator(request: VoiceIndicatorRequest, options?: CallOptions): Promise<Receipt>;
}

export function createVoice(transport: Transport): Voice {
  const post =
    <Body>(endpoint: Endpoint<Body>, schema: z.ZodType<Body>) =>
    async (request: Body, options?: CallOptions): Promise<Receipt> =>
      postForReceipt(transport, endpoint, checkInput(endpoint, schema, request), options);
  return {
    session: post(endpoints.voiceSession, voiceSessionRequest),
    stt: post(endpoints.voiceStt, voiceSttRequest),
    llm: post(endpoints.voiceLlm, voiceLlmRequest),
    tts: post(endpoints.voiceTts, voiceTtsRequest),
    indicator: post(endpoints.voiceIndicator, voiceIndicatorRequest),
  };
}
