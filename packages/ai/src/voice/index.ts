export { createVoiceCall } from "./create-voice-call.ts";
export type {
  UnopenedCall,
  VoiceBill,
  VoiceCall,
  VoiceCallState,
  VoiceDecision,
  VoiceEnd,
  VoiceEnding,
} from "./voice-call.ts";
export type { VoiceHold } from "./voice-funds.ts";
export type { VoiceCallOptions, VoiceExhaustion } from "./voice-options.ts";
export type { VoiceClient, VoiceCustomer, VoicePost, VoicePostOptions, VoiceReceipt } from "./voice-post.ts";
export type { UnpostedVoicePost } from "./voice-posts.ts";
export { listedVoicePrices, serviceVoicePrices, type VoicePrices } from "./voice-prices.ts";
export type { Completion, Speech, Transcription, VoiceOrigin, VoicePart, VoiceUsage } from "./voice-usage.ts";
