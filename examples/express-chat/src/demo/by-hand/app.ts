import { pipeline } from "node:stream/promises";
import type { Client } from "@creditgate/client";
import express, { type Express } from "express";
import { customerOf } from "../../customers.ts";
import { messageOf } from "../../message.ts";
import type { ChatModel } from "../../model.ts";
import { answerError } from "../../problem.ts";
import { byHand, reportByHand, requireCreditsByHand } from "./credits.ts";

/** The chat of `src/app.ts`, without Creditgate. */
export function createAppByHand({ client, model }: { client: Client; model: ChatModel }): Express {
  const app = express();
  app.use(express.json({ limit: "16kb" }));
  app.use("/chat", requireCreditsByHand(client));

  app.post("/chat", async (req, res) => {
    const left = new AbortController();
    // The client has left: the model stops.
    res.once("close", () => left.abort());
    const answer = model.answer(messageOf(req.body), left.signal);
    res.type("text/plain");
    await pipeline(answer, res);

    const customerId = `${customerOf(req)?.id}${byHand}`;
    await reportByHand(client, { agentId: "chat", customerId, indicator: "message", rawUsage: answer.usage });
  });

  app.use(answerError);
  return app;
}
