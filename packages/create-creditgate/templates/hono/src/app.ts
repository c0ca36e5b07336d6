import type { Charge } from "@creditgate/core";
import { creditsMiddleware } from "@creditgate/edge";
import { type Context, Hono } from "hono";
import { answer, noQuestion, paid, questionIn } from "./chat.ts";
import { gate } from "./gate.ts";

type App = { Variables: { credits: Charge } };

// In your application: the customer of the verified session. Without one the answer is 401.
const customer = (c: Context<App>) => c.req.header("x-customer");

export const app = new Hono<App>();

app.use("/chat", creditsMiddleware(gate, { ...paid, customer }));
app.post("/chat", async (c) => {
  const question = questionIn(await c.req.json().catch(() => undefined));
  if (question === undefined) return c.json(noQuestion, 400);
  return answer(question, c.var.credits).toTextStreamResponse();
});
