// A bare Express app, as a newcomer writes it: no listener on the gate. It serves three requests, and ends.
import { createClient } from "@creditgate/client";
import { createGate } from "@creditgate/core";
import { requireCredits } from "@creditgate/express";
import express from "express";

const { INDICATOR: indicator, OPTION: option } = process.env;

const client = createClient();
const gate = createGate({ client, currency: "ai_credits", wallet: "prepaid", [option]: () => 1 });

const app = express();
app.use("/chat", requireCredits(gate, { customer: "alice", agentId: "chat", indicator, hold: 5 }));
app.post("/chat", (req, res) => {
  req.credits.report({ provider: "local", model: "words", inputTokens: 1, outputTokens: 2 });
  res.json({ answer: "hello" });
});

app.listen(0, "127.0.0.1", async function () {
  const statuses = [];
  for (let request = 0; request < 3; request++) {
    const response = await fetch(`http://127.0.0.1:${this.address().port}/chat`, { method: "POST" });
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  console.log(JSON.stringify(statuses));
  await gate.flush({ timeoutMs: Number(process.env.FLUSH_MS ?? 10_000) });
  process.exit(0);
});
