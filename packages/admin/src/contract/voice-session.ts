import { type Data, identifier } from "@creditgate/client";
import { maxMinutes, record } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";
import { onlyOf, partFields, partOf, reasonField, spanFields } from "./part.ts";

const defineEndpoint = tagged("Usage");

const voiceSessionListQuery = z.strictObject({
  ...partFields,
  ...spanFields,
  customerId: onlyOf.customerId,
  agentId: onlyOf.agentId,
  state: z.enum(["open", "abandoned"]).optional().describe("Only in this state"),
});

const voiceSessionCloseRequest = z.strictObject({
  indicator: identifier.optional().describe("One of its agent; without it the only one in CREDITS"),
  totalDuration: z
    .number()
    .nonnegative()
    .max(maxMinutes)
    .optional()
    .describe("Its minutes; without them only what was tracked is billed"),
  reason: reasonField,
});

const voiceSessionExpireRequest = z.strictObject({
  silentSeconds: z.int().min(0).max(1e9).optional().describe("How long they had no request (86400)"),
  reason: reasonField,
});

const closedVoiceSession = record({ sessionId: z.string(), usageId: z.string(), indicator: z.string() });

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
      customerId: z.string(),
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
    path: `${organization}/voice-sessions`,
    kind: "list",
    scope: "read",
    query: voiceSessionListQuery,
    answer: voiceSessionListAnswer,
    summary: "Lists voice calls that have not ended",
  }),
  /**
   * Ends a call and bills it, once; 409 `session_closed` where it has ended, 422 `indicator_needed` where its agent has none in
   * CREDITS or several. Never retried once sent.
   */
  close: defineEndpoint({
    name: "voiceSessionClose",
    method: "POST",
    path: `${organization}/voice-sessions/{sessionId}/close`,
    scope: "money",
    body: voiceSessionCloseRequest,
    answer: closedVoiceSession,
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
    summary: "Ends calls without a request for long",
  }),
};
