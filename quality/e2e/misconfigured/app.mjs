// A bare Express app, as a newcomer writes it: no listener on the gate. It serves a request for each customer, and ends.
import { createClient } from "@creditgate/client";
import { createGate } from "@creditgate/core";
import { requireCredits } from "@creditgate/express";
import express from "express";

const { INDICATOR: indicator, OPTION: option, CUSTOMERS, HOLD } = process.env;

const client = createClient();
const gate = createGate({ client, currency: "ai_credits", wallet: "prepaid", [option]: () => 1 });

const app = express();
const customer = (req) => req.get("x-customer");
app.use("/chat", requireCredits(gate, { customer, agentId: "chat", indicator, hold: Number(HOLD) }));
app.post("/chat", (req, res) => {
  req.credits.report({ provider: "local", model: "words", inputTokens: 1, outputTokens: 2 });
  res.json({ answer: "hello" });
});

app.listen(0, "127.0.0.1", async function () {
  const statuses = [];
  for (const name of CUSTOMERS.split(" ")) {
    const headers = name === "nobody" ? {} : { "x-customer": name };
    const response = await fetch(`http://127.0.0.1:${this.address().port}/chat`, { method: "POST", headers });
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  console.log(JSON.stringify(statuses));
  await gate.flush({ timeoutMs: Number(process.env.FLUSH_MS ?? 10_000) });
  process.exit(0);
});
