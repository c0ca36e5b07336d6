import { meteredModel } from "@creditgate/ai";
import type { Gate } from "@creditgate/core";
import { requireCredits } from "@creditgate/express";
import express, { type Express, type Request, type RequestHandler } from "express";
import { chat } from "./chat.ts";
import { customerOf } from "./customers.ts";
import { longestAnswer } from "./longest-answer.ts";
import type { ChatModel } from "./model.ts";
import { price } from "./price.ts";
import { answerError } from "./problem.ts";

export interface ChatApp {
  readonly gate: Gate;
  readonly llm: ChatModel;
  /** Takes the payment provider's events; without it there are none. */
  readonly paymentWebhook?: RequestHandler | undefined;
}

/** The route does not run for a customer whose wallet cannot pay for the longest answer there is. */
const paid = {
  customer: (req: Request) => customerOf(req)?.id,
  agentId: "chat",
  indicator: "message",
  hold: price({ outputTokens: longestAnswer }),
};

/** A chat API that answers customers who can pay for the answer. */
export function createApp({ gate, llm, paymentWebhook }: ChatApp): Express {
  const app = express();
  app.disable("x-powered-by");
  // It reads the bytes itself, so it comes before what parses them.
  if (paymentWebhook !== undefined) app.use("/webhooks/payment", paymentWebhook);
  app.use(express.json({ limit: "16kb" }));

  const route = requireCredits(gate, paid, (req, res) => chat(req, res, meteredModel(llm, req.credits)));
  app.post("/chat", route);

  // The wallet as the gate sees it: what it can pay, what is held for work in flight, what may not be debited yet.
  app.get("/balance", async (req, res) => {
    const customer = customerOf(req);
    if (customer === undefined) return void res.sendStatus(401);
    res.json((await gate.balance(customer.id)) ?? { held: 0, unconfirmed: 0 });
  });

  app.use(answerError);
  return app;
}
