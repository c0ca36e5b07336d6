import { meteredModel } from "@creditgate/ai";
import { createClient } from "@creditgate/client";
import { createGate } from "@creditgate/core";
import { requireCredits } from "@creditgate/express";
import type { Request } from "express";
import { type Contestant, streamTokens } from "./contestant.ts";
import { respondExtended, respondPlain } from "./wire.ts";

const mount: Contestant["mount"] = (app, work) => {
  const client = createClient({ baseUrl: work.serviceUrl, apiKey: "cg_test_contest" });
  const gate = createGate({ client, currency: "ai_credits", wallet: "prepaid" });
  gate.on("degraded", () => undefined);
  const paid = { customer: work.customerOf, agentId: "chat", indicator: "message" };
  app.post(
    "/chat",
    requireCredits(gate, { ...paid, hold: 1 }, async (request: Request, response) => {
      const answer = await work.answer(request);
      request.credits.report({ provider: "openai", model: "gpt-5", outputTokens: 1 }, { credits: 1 });
      response.json(answer);
    }),
  );
  app.post(
    "/stream",
    requireCredits(gate, { ...paid, hold: streamTokens }, async (request: Request, response) => {
      const model = meteredModel(work.model(request), request.credits, {
        prices: ({ outputTokens = 0 }) => outputTokens,
      });
      await work.stream(request, response, { model });
    }),
  );
};

export const creditgate: Contestant = {
  title: "Creditgate",
  packages: ["@creditgate/core"],
  respond: respondExtended,
  mount,
};

/** In front of a service without batches, which does not report what is not settled. */
export const creditgatePlain: Contestant = {
  ...creditgate,
  title: "Creditgate, plain service",
  respond: respondPlain,
};
