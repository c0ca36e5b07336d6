import type { Awaitable, Denial } from "@creditgate/core";
import type { MeteredCharge } from "../call/metering-options.ts";
import type { UnpostedVoicePost } from "./voice-posts.ts";
import type { Completion, Speech, Transcription, VoicePart } from "./voice-usage.ts";

/**
 * - `opened`: admitted, and its session is at the service; it costs nothing yet
 * - `running`: its minutes count
 * - `ending`: the agent speaks its last sentence, then the remainder is posted
 * - `ended`: its bill is known
 */
export type VoiceCallState = "opened" | "running" | "ending" | "ended";

/**
 * Why a call ended: by `end()` or with its handler; its handler threw; its signal fired; no more could be held; its gate closed.
 */
export type VoiceEnding = "completed" | "failed" | "aborted" | "exhausted" | "closed";

/** How a call is ended, where it differs from what was measured. */
export interface VoiceEnd {
  /** The indicator of the outcome, by whose prices the service bills. @default that of the options */
  readonly indicator?: string;
  /** Seconds that the call lasted, as a telephone company has them. @default those since its start */
  readonly seconds?: number;
  /** Milliseconds from now on after which what the service does not have is given up. @default no limit */
  readonly deliveryMs?: number;
}

/** What has become of a call. */
export interface VoiceBill {
  readonly sessionId: string;
  readonly indicator: string;
  readonly ending: VoiceEnding;
  /** Seconds that it lasted; 0 for one that was never started. */
  readonly seconds: number;
  /** What was done in it, as the service received it. */
  readonly parts: readonly VoicePart[];
  /** What it costs by `prices`, in credits. */
  readonly credits: number;
  /** What the service does not have, in the order of the posts. */
  readonly unposted: readonly UnpostedVoicePost[];
}

/**
 * A voice call that was let in (API 4.6). What is measured is posted at once, and billed however the call ends. It is also what
 * `meteredModel()` and the like take as `credits`: models of transcription, language and speech then measure by themselves.
 */
export interface VoiceCall extends Pick<MeteredCharge, "report" | "beforeBill"> {
  readonly sessionId: string;
  readonly state: VoiceCallState;
  /** Fires when the call is to stop: hung up, exhausted, or ended. */
  readonly signal: AbortSignal;
  /** What it has cost so far by `prices`, and what is held for it. Credits. */
  readonly cost: number;
  readonly held: number;
  /** Its minutes count from now on. Before, it costs nothing; what is measured starts it too. Throws where it has ended. */
  start(): void;
  /** Speech to text. This and what follows throws an `invalid_option` error for what is no count, and after the end of the call. */
  stt(transcription: Transcription): void;
  /** A call of a language model: what `usageFromOpenAI()` and the like return will do. */
  llm(completion: Completion): void;
  /** Text to speech. */
  tts(speech: Speech): void;
  /**
   * Starts the call, runs the handler, and ends the call with it. Resolves how the call ended; rejects with what the handler throws, unless
   * the signal had fired. After the signal the handler has a second to stop and to report.
   */
  run(handler: (call: VoiceCall) => Awaitable<unknown>): Promise<VoiceEnding>;
  /** Ends the call: posts what is left, then the indicator. The first word counts, but for `deliveryMs`. Resolves as `ended` does. */
  end(how?: VoiceEnd): Promise<VoiceBill>;
  /** The bill, when the service has all of it or it was given up. Never rejects. */
  readonly ended: Promise<VoiceBill>;
}

/** A call whose customer or session the service has not taken in time. */
export interface UnopenedCall {
  readonly code: "session_unopened";
  readonly status: 503;
  readonly title: string;
  readonly retryable: true;
  /** Seconds. */
  readonly retryAfter: number;
}

/** Let in, with the call; or not, with the reason: the gate's denial, or a session that could not be opened. */
export type VoiceDecision =
  | { readonly allowed: true; readonly call: VoiceCall }
  | { readonly allowed: false; readonly denial: Denial | UnopenedCall };
