import type { Endpoints, VoiceOrigin } from "@creditgate/client";
import { answer, type Call, type Handlers } from "../endpoint/call.ts";
import { type Answer, hashOf } from "../endpoint/idempotency.ts";
import { Problem, unknown } from "../http/problem.ts";
import type { UsageIntakeOptions } from "../usage/intake.ts";
import { closeCall, mostParts, openCall, type Tracked, track } from "../voice/call.ts";

/** Voice calls (API, section 4.6): a session, what is tracked in it, and the indicator that closes and bills it. */
export function voiceHandlers({
  settlementDelayMs,
  onAccepted,
}: Pick<UsageIntakeOptions, "settlementDelayMs" | "onAccepted">) {
  return {
    voiceSession: ({ orgId, at, body: { sessionId, agentId, customerId }, once }) =>
      once(async (transaction) => {
        const opened = await openCall(transaction, { orgId, sessionId }, { agentId, customerId }, at);
        if (opened.accepted) return answer(201, { sessionId, agentId, customerId, status: "open" });
        switch (opened.reason) {
          case "customer_unknown":
            throw unknown("customer", customerId);
          case "agent_unknown":
            throw unknown("agent", agentId);
          case "session_exists":
            throw conflict("session_exists", "one that has not been used", sessionId);
        }
      }),
    voiceStt: (call) => trackIn(call, { ...call.body, kind: "stt" }),
    voiceLlm: (call) => trackIn(call, { ...call.body, kind: "llm" }),
    voiceTts: (call) => trackIn(call, { ...call.body, kind: "tts" }),

    async voiceIndicator({ orgId, at, body, once }) {
      const { sessionId, indicator, totalDuration } = body;
      const dueAt = new Date(at.getTime() + settlementDelayMs);
      let isNew = false;
      const answered = await once(async (transaction) => {
        isNew = true;
        const closing = { indicator, totalDuration, hash: hashOf(body), at, dueAt };
        const receipt = await closeCall(transaction, { orgId, sessionId }, closing);
        if (receipt.accepted) {
          return answer(202, { id: receipt.id, status: "accepted", sessionId, indicator });
        }
        switch (receipt.reason) {
          case "indicator_unknown":
            throw unknown("indicator", indicator);
          case "out_of_range":
            throw new Problem(
              422,
              "amount_out_of_range",
              "session: expected a call that costs at most one billion credits, received more",
            );
          default:
            throw refusal(receipt.reason, sessionId);
        }
      });
      if (isNew) onAccepted(dueAt);
      return answered;
    },
  } satisfies Partial<Handlers<Endpoints>>;
}

function trackIn(
  {
    orgId,
    at,
    body: { sessionId },
    once,
  }: Pick<Call<Endpoints["voiceStt"]>, "orgId" | "at" | "once"> & { readonly body: VoiceOrigin },
  tracked: Tracked,
): Promise<Answer> {
  return once(async (transaction) => {
    const receipt = await track(transaction, { orgId, sessionId }, tracked, at);
    if (!receipt.accepted) throw refusal(receipt.reason, sessionId);
    return answer(202, { id: receipt.id, status: "accepted", sessionId });
  });
}

function refusal(reason: "session_unknown" | "session_closed" | "session_full", sessionId: string): Problem {
  switch (reason) {
    case "session_unknown":
      return unknown("session", sessionId);
    case "session_closed":
      return conflict("session_closed", "one that is open", sessionId);
    case "session_full": {
      const expected = `one of at most ${mostParts} parts`;
      return new Problem(
        422,
        reason,
        `session: expected ${expected}, received another part of ${JSON.stringify(sessionId)}`,
      );
    }
  }
}

function conflict(code: string, expected: string, sessionId: string): Problem {
  return new Problem(409, code, `session: expected ${expected}, received ${JSON.stringify(sessionId)}`);
}
