import { pipeline } from "node:stream/promises";
import type { Gate } from "@creditgate/core";
import { requireCredits } from "@creditgate/express";
import express, { type Express, type RequestHandler } from "express";
import { customerOf } from "./customers.ts";
import { messageOf } from "./message.ts";
import { type ChatModel, longestAnswer } from "./model.ts";
import { price } from "./price.ts";
import { answerError } from "./problem.ts";

export interface ChatApp {
  readonly gate: Gate;
  readonly model: ChatModel;
  /** Takes the payment provider's events; without it there are none. */
  readonly paymentWebhook?: RequestHandler | undefined;
}

/** A chat API that answers customers who can pay for the answer. */
export function createApp({ gate, model, paymentWebhook }: ChatApp): Express {
  const app = express();
  app.disable("x-powered-by");
  // It reads the bytes itself, so it comes before what parses them.
  if (paymentWebhook !== undefined) app.use("/webhooks/payment", paymentWebhook);
  app.use(express.json({ limit: "16kb" }));

  app.post(
    "/chat",
    // The handler does not run for a customer whose wallet cannot pay for the longest answer there is.
    requireCredits(
      gate,
      {
        customer: (req) => customerOf(req)?.id,
        agentId: "chat",
        indicator: "message",
        hold: price({ outputTokens: longestAnswer }),
        // Billed where nothing is reported: an answer that cannot be counted must not be free.
        defaultUsage: { outputTokens: longestAnswer },
      },
      async ({ body, credits }, res) => {
        // A client that leaves stops the model and pays for what it has produced: `onAbort: "reported"`, the default.
        const answer = model.answer(messageOf(body), credits.signal);
        res.type("text/plain");
        try {
          await pipeline(answer, res, { end: false });
        } finally {
          // Reported before the response ends, so that what is billed is what was used. A model that cannot be reached is free.
          if (res.headersSent || credits.signal.aborted) credits.report(answer.usage);
        }
        res.end();
      },
    ),
  );

  // The wallet as the gate sees it: what it can pay, what is held for work in flight, what may not be debited yet.
  app.get("/balance", async (req, res) => {
    const customer = customerOf(req);
    if (customer === undefined) return void res.sendStatus(401);
    res.json((await gate.balance(customer.id)) ?? { held: 0, unconfirmed: 0 });
  });

  app.use(answerError);
  return app;
}
