import { meteredFetch, usageFromOpenAI } from "@creditgate/ai";
import { createClient } from "@creditgate/client";
import { type Charge, createGate } from "@creditgate/core";
import { requireCredits } from "@creditgate/express";
import express from "express";

const client = createClient({ baseUrl: process.env.BASE_URL ?? "", apiKey: "cg_test_packed" });
const gate = createGate({ client, currency: "ai_credits", wallet: "prepaid" });

const app = express();
app.use("/chat", requireCredits(gate, { customer: "alice", agentId: "chat", indicator: "message", hold: 5 }));
app.post("/chat", (req, res) => {
  req.credits.report({ provider: "local", model: "words", inputTokens: 1, outputTokens: 2 });
  res.json({ answer: "hello" });
});

const server = app.listen(0, "127.0.0.1", async () => {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const response = await fetch(`http://127.0.0.1:${address.port}/chat`, { method: "POST" });
  const left = await gate.flush();
  console.log(JSON.stringify({ status: response.status, body: await response.json(), left }));
  server.close();
});

export const metered = { meteredFetch, usageFromOpenAI };

// Never called. If the types were lost on the way, these would not be errors, and that is one.
export function misuse(charge: Charge): void {
  // @ts-expect-error a wallet is prepaid or postpaid
  createGate({ client, currency: "ai_credits", wallet: "free" });
  // @ts-expect-error tokens are numbers
  charge.report({ inputTokens: "12" });
}
