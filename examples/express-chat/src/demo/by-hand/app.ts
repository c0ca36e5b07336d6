import { pipeline } from "node:stream/promises";
import type { Client } from "@creditgate/client";
import { streamText } from "ai";
import express, { type Express } from "express";
import { customerOf } from "../../customers.ts";
import { longestAnswer } from "../../longest-answer.ts";
import { messageOf } from "../../message.ts";
import type { ChatModel } from "../../model.ts";
import { answerError } from "../../problem.ts";
import { byHand, reportByHand, requireCreditsByHand } from "./credits.ts";

/** The chat of `src/app.ts`, without Creditgate. */
export function createAppByHand({ client, llm }: { client: Client; llm: ChatModel }): Express {
  const app = express();
  app.use(express.json({ limit: "16kb" }));
  app.use("/chat", requireCreditsByHand(client));

  app.post("/chat", async (req, res) => {
    const left = new AbortController();
    // The client has left: the model stops.
    res.once("close", () => left.abort());
    const answer = streamText({
      model: llm,
      prompt: messageOf(req.body),
      maxOutputTokens: longestAnswer,
      abortSignal: left.signal,
    });
    res.type("text/plain");
    await pipeline(answer.textStream, res);

    const customerId = `${customerOf(req)?.id}${byHand}`;
    const { inputTokens = 0, outputTokens = 0 } = await answer.totalUsage;
    const rawUsage = { provider: llm.provider, model: llm.modelId, inputTokens, outputTokens };
    await reportByHand(client, { agentId: "chat", customerId, indicator: "message", rawUsage });
  });

  app.use(answerError);
  return app;
}
