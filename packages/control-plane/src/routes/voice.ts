import {
  type VoiceOrigin,
  voiceIndicatorRequest,
  voiceLlmRequest,
  voiceSessionRequest,
  voiceSttRequest,
  voiceTtsRequest,
} from "@creditgate/client";
import { type Request, type Response, Router } from "express";
import type { z } from "zod";
import type { DatabaseTransaction } from "../database/connection.ts";
import { organization } from "../http/authentication.ts";
import { allow } from "../http/errors.ts";
import { type Answer, echoKey, hashOf, idempotencyKey, once } from "../http/idempotency.ts";
import { sendText, stringify } from "../http/json.ts";
import { Problem } from "../http/problem.ts";
import { unknown } from "../http/references.ts";
import { parse } from "../http/validation.ts";
import type { UsageIntakeOptions } from "../usage/intake.ts";
import { closeCall, openCall, type Tracked, track } from "../voice/call.ts";

/** Voice calls (API, section 4.6): a session, what is tracked in it, and the indicator that closes and bills it. */
export function voiceRoutes(options: UsageIntakeOptions): Router {
  const { database, clock, settlementDelayMs, onAccepted } = options;
  const router = Router();

  /** Each of the five does its effect once per key, in one transaction with its answer. */
  async function perform<Body>(
    operation: "session" | "stt" | "llm" | "tts" | "indicator",
    { request, response }: { readonly request: Request; readonly response: Response },
    schema: z.ZodType<Body>,
    effect: (transaction: DatabaseTransaction, call: Call<Body>) => Promise<Answer>,
  ): Promise<void> {
    const body = parse(schema, request.body, "body");
    const at = new Date(clock.now());
    const identity = { orgId: organization(response), key: idempotencyKey(request), hash: hashOf(body) };
    const answer = await once(database, `voice/${operation}`, identity, at, (transaction) =>
      effect(transaction, { ...identity, body, at }),
    );
    echoKey(response, identity.key);
    sendText(response, answer.status, answer.body);
  }

  router.post("/api/v1/voice/session", (request, response) =>
    perform(
      "session",
      { request, response },
      voiceSessionRequest,
      async (transaction, { orgId, body, at }) => {
        const { sessionId, agentId, customerId } = body;
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
      },
    ),
  );

  function tracking<Body extends VoiceOrigin>(
    kind: Tracked["kind"],
    schema: z.ZodType<Body>,
    trackedIn: (body: Body) => Tracked,
  ): void {
    router.post(`/api/v1/voice/${kind}`, (request, response) =>
      perform(kind, { request, response }, schema, async (transaction, { orgId, body, at }) => {
        const { sessionId } = body;
        const receipt = await track(transaction, { orgId, sessionId }, trackedIn(body), at);
        if (receipt.accepted) return answer(202, { id: receipt.id, status: "accepted", sessionId });
        throw refusal(receipt.reason, sessionId);
      }),
    );
  }
  tracking("stt", voiceSttRequest, (body) => ({ ...body, kind: "stt" }));
  tracking("llm", voiceLlmRequest, (body) => ({ ...body, kind: "llm" }));
  tracking("tts", voiceTtsRequest, (body) => ({ ...body, kind: "tts" }));

  router.post("/api/v1/voice/indicator", async (request, response) => {
    let dueAt: Date | undefined;
    await perform(
      "indicator",
      { request, response },
      voiceIndicatorRequest,
      async (transaction, { orgId, hash, body, at }) => {
        const { sessionId, indicator, totalDuration } = body;
        dueAt = new Date(at.getTime() + settlementDelayMs);
        const closing = { indicator, totalDuration, hash, at, dueAt };
        const receipt = await closeCall(transaction, { orgId, sessionId }, closing);
        if (receipt.accepted)
          return answer(202, { id: receipt.id, status: "accepted", sessionId, indicator });
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
      },
    );
    if (dueAt !== undefined) onAccepted(dueAt);
  });

  for (const part of ["session", "stt", "llm", "tts", "indicator"]) {
    router.all(`/api/v1/voice/${part}`, allow("POST"));
  }

  return router;
}

interface Call<Body> {
  readonly orgId: bigint;
  readonly hash: string;
  readonly body: Body;
  readonly at: Date;
}

function answer(status: number, body: Readonly<Record<string, string>>): Answer {
  return { status, body: stringify(body) };
}

function refusal(reason: "session_unknown" | "session_closed", sessionId: string): Problem {
  return reason === "session_unknown"
    ? unknown("session", sessionId)
    : conflict("session_closed", "one that is open", sessionId);
}

function conflict(code: string, expected: string, sessionId: string): Problem {
  return new Problem(409, code, `session: expected ${expected}, received ${JSON.stringify(sessionId)}`);
}
