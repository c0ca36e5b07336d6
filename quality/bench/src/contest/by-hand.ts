import { randomUUID } from "node:crypto";
import type { RequestHandler } from "express";
import type { Contestant, Work } from "./contestant.ts";
import { respondPlain } from "./wire.ts";

/** What people write first: read the balance, work, report. */
export const byHand: Contestant = {
  title: "check written by hand",
  packages: [],
  respond: respondPlain,
  mount(app, work) {
    const check = checked(work);
    app.post("/chat", check(1), async (request, response) => {
      const answer = await work.answer(request);
      await report(work, work.customerOf(request), 1);
      response.json(answer);
    });
    app.post("/stream", check(100), async (request, response) => {
      const customer = work.customerOf(request);
      await work.stream(request, response, {
        onFinish: (tokens) => report(work, customer, tokens).catch(() => undefined),
      });
    });
  },
};

function checked(work: Work): (credits: number) => RequestHandler {
  return (credits) => async (request, response, next) => {
    const url = `${work.serviceUrl}/api/v1/wallet/balance?customer_id=${work.customerOf(request)}`;
    const { balances } = (await send(url, {})) as { balances: { ai_credits: { available: number } } };
    if (balances.ai_credits.available < credits) return void response.sendStatus(402);
    next();
  };
}

async function report(work: Work, customerId: string, outputTokens: number): Promise<void> {
  await send(`${work.serviceUrl}/api/v2/usage`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": randomUUID() },
    body: JSON.stringify({ agentId: "chat", customerId, indicator: "message", rawUsage: { outputTokens } }),
  });
}

async function send(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`billing answered ${response.status}`);
  return await response.json();
}
