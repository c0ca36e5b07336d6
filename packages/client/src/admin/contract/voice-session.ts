import { z } from "zod";
import { identifier, line } from "../../contract/text.ts";
import { maxMinutes } from "../../contract/voice.ts";
import { type Part, type PartQuery, partEnd, partFields, type SpanQuery, spanFields } from "./part.ts";

/** A voice call that has no indicator yet, and is not billed. */
export interface AdminVoiceSession {
  readonly sessionId: string;
  readonly agentId: string;
  readonly customer_id: string;
  readonly openedAt: string;
  /** Since when it is given up: for a day nothing was heard of it, and it could not be billed. */
  readonly abandonedAt: string | null;
  /** How often something was tracked in it. */
  readonly parts: number;
}

/** Which voice calls, by when they were opened. */
export interface VoiceSessionListQuery extends PartQuery, SpanQuery {
  readonly customer_id?: string | undefined;
  readonly agent_id?: string | undefined;
  readonly state?: "open" | "abandoned" | undefined;
}

/** How a call ends that was left open. */
export interface VoiceSessionCloseRequest {
  /** One of the call's agent. @default its only one in CREDITS */
  readonly indicator?: string | undefined;
  /** In minutes. Without it what was tracked is billed, and not the call itself. */
  readonly totalDuration?: number | undefined;
  /** For the audit log. */
  readonly reason: string;
}

/** A call that has been ended, and its usage. */
export interface ClosedVoiceSession {
  readonly sessionId: string;
  readonly usageId: string;
  readonly indicator: string;
}

/** Which calls are to end: those of which nothing was heard for so long. */
export interface VoiceSessionExpireRequest {
  /** @default 86400 */
  readonly silentSeconds?: number | undefined;
  /** For the audit log. */
  readonly reason: string;
}

/** What has become of calls, at most a hundred. */
export interface VoiceSessionExpireAnswer {
  readonly billed: number;
  /** Those that could not be billed, and why: close each with an indicator. */
  readonly unbilled: readonly { readonly sessionId: string; readonly reason: string }[];
  /** Whether there may be more: ask again. */
  readonly more: boolean;
}

/** Parses the query for voice calls. */
export const voiceSessionListQuery: z.ZodType<VoiceSessionListQuery> = z.strictObject({
  ...partFields,
  ...spanFields,
  customer_id: identifier.optional(),
  agent_id: identifier.optional(),
  state: z.enum(["open", "abandoned"]).optional(),
});

/** Parses how a call ends. */
export const voiceSessionCloseRequest: z.ZodType<VoiceSessionCloseRequest> = z.strictObject({
  indicator: identifier.optional(),
  totalDuration: z.number().nonnegative().max(maxMinutes).optional(),
  reason: line(1, 256),
});

/** Parses which calls are to end. */
export const voiceSessionExpireRequest: z.ZodType<VoiceSessionExpireRequest> = z.strictObject({
  silentSeconds: z.int().min(0).max(1e9).optional(),
  reason: line(1, 256),
});

/** Parses a call that has been ended. */
export const closedVoiceSession: z.ZodType<ClosedVoiceSession> = z.looseObject({
  sessionId: z.string(),
  usageId: z.string(),
  indicator: z.string(),
});

/** Parses what has become of calls. */
export const voiceSessionExpireAnswer: z.ZodType<VoiceSessionExpireAnswer> = z.looseObject({
  billed: z.number(),
  unbilled: z.array(z.looseObject({ sessionId: z.string(), reason: z.string() })),
  more: z.boolean(),
});

/** A part of the voice calls, the oldest first. */
export interface VoiceSessionListAnswer extends Part {
  readonly sessions: readonly AdminVoiceSession[];
}

/** Parses a part of the voice calls. */
export const voiceSessionListAnswer: z.ZodType<VoiceSessionListAnswer> = z.looseObject({
  sessions: z.array(
    z.looseObject({
      sessionId: z.string(),
      agentId: z.string(),
      customer_id: z.string(),
      openedAt: z.string(),
      abandonedAt: z.string().nullable(),
      parts: z.number(),
    }),
  ),
  ...partEnd,
});
