import { type Data, identifier } from "@creditgate/client";
import { line, maxMinutes, record } from "@creditgate/client/parts";
import { z } from "zod";
import { defineEndpoint, organization } from "./define-endpoint.ts";
import { partFields, partOf, spanFields } from "./part.ts";

const voiceSessionListQuery = z.strictObject({
  ...partFields,
  ...spanFields,
  customer_id: identifier.optional(),
  agent_id: identifier.optional(),
  state: z.enum(["open", "abandoned"]).optional(),
});

const voiceSessionCloseRequest = z.strictObject({
  /** One of the call's agent. @default its only one in CREDITS */
  indicator: identifier.optional(),
  /** In minutes. Without it what was tracked is billed, and not the call itself. */
  totalDuration: z.number().nonnegative().max(maxMinutes).optional(),
  /** For the audit log. */
  reason: line(1, 256),
});

const voiceSessionExpireRequest = z.strictObject({
  /** @default 86400 */
  silentSeconds: z.int().min(0).max(1e9).optional(),
  /** For the audit log. */
  reason: line(1, 256),
});

const closedVoiceSession = record({
  sessionId: z.string(),
  usageId: z.string(),
  indicator: z.string(),
});

const voiceSessionExpireAnswer = record({
  billed: z.number(),
  /** Those that could not be billed, and why: close each with an indicator. */
  unbilled: z.array(record({ sessionId: z.string(), reason: z.string() })),
  /** Whether there may be more: ask again. */
  more: z.boolean(),
});

const voiceSessionListAnswer = partOf({
  sessions: z.array(
    record({
      sessionId: z.string(),
      agentId: z.string(),
      customer_id: z.string(),
      openedAt: z.string(),
      /** When it was given up: it had no request for a day, and could not be billed. */
      abandonedAt: z.string().nullable(),
      /** How often something was tracked in it. */
      parts: z.number(),
    }),
  ),
});

/** A part of the voice calls, the oldest first. */
type VoiceSessionListAnswer = Data<typeof voiceSessionListAnswer>;

/** A voice call that has no indicator yet, and is not billed. */
export type AdminVoiceSession = VoiceSessionListAnswer["sessions"][number];

/** The voice calls of an organisation that have no indicator yet, the oldest first. */
export const voiceSessions = {
  list: defineEndpoint({
    name: "voiceSessionList",
    method: "GET",
    path: `${organization}/voice-sessions`,
    kind: "list",
    scope: "read",
    query: voiceSessionListQuery,
    answer: voiceSessionListAnswer,
    tag: "Usage",
    summary: "Lists voice calls that have not ended",
  }),
  /**
   * Ends a call and bills it, once; 409 `session_closed` where it has ended, 422 `indicator_needed` where its agent has none in
   * CREDITS or several. Never retried once sent.
   */
  close: defineEndpoint({
    name: "voiceSessionClose",
    method: "POST",
    path: `${organization}/voice-sessions/{session_id}/close`,
    scope: "money",
    body: voiceSessionCloseRequest,
    answer: closedVoiceSession,
    tag: "Usage",
    summary: "Ends a call and bills it",
  }),
  /** Ends calls without a request for long, also those that were given up before. Retried. */
  expire: defineEndpoint({
    name: "voiceSessionExpire",
    method: "POST",
    path: `${organization}/voice-sessions/expire`,
    idempotent: true,
    scope: "money",
    body: voiceSessionExpireRequest,
    answer: voiceSessionExpireAnswer,
    tag: "Usage",
    summary: "Ends calls without a request for long",
  }),
};
