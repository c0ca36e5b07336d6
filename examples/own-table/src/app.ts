import { createGate, type Gate } from "@creditgate/core";
import { requireCredits } from "@creditgate/express";
import express, { type Express } from "express";
import type { Pool } from "pg";
import { price, tableService } from "./table-service.ts";

/** A chat, gated by the table. Each message costs a credit. */
export function createApp(pool: Pool): { readonly app: Express; readonly gate: Gate } {
  const gate = createGate({ service: tableService(pool), currency: "credits", price });
  const app = express();
  app.post(
    "/chat",
    requireCredits(
      gate,
      {
        // In your application: the customer of the session.
        customer: (request) => request.get("x-customer"),
        agentId: "chat",
        indicator: "message",
        hold: 1,
      },
      async (request, response) => {
        const { text, usage } = await model();
        request.credits.report(usage);
        response.json({ text });
      },
    ),
  );
  return { app, gate };
}

/** In the place of a real one. */
async function model() {
  await new Promise((resolve) => setTimeout(resolve, 10));
  const usage = { provider: "none", model: "echo", inputTokens: 600, outputTokens: 300 };
  return { text: "Hello from the model.", usage };
}
