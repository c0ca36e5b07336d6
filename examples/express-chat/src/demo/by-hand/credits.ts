import { setTimeout as delay } from "node:timers/promises";
import type { Client, UsageReportRequest } from "@creditgate/client";
import type { RequestHandler } from "express";
import { type Customer, customerOf } from "../../customers.ts";
import { longestAnswer } from "../../longest-answer.ts";
import { price } from "../../price.ts";

/*
 * What a good engineer writes in an afternoon: read the balance, do the work, report the usage. It fails closed, caches
 * so that a request does not cost a round trip, retries, and passes every test that sends one request at a time.
 */

/** The demo gives this side customers of its own, with the same wallets. */
export const byHand = ".by-hand";

const currency = "ai_credits";
const cacheMs = 3_000;
const mostAnAnswerCosts = price({ outputTokens: longestAnswer });

/** Answers 402 to customers whose wallet cannot pay for the longest answer. */
export function requireCreditsByHand(client: Client): RequestHandler {
  const cache = new Map<string, { readonly left: number; readonly readAt: number }>();

  async function leftOf({ id, wallet }: Customer): Promise<number> {
    const cached = cache.get(id);
    if (cached !== undefined && Date.now() - cached.readAt < cacheMs) return cached.left;
    const { balances } = await client.wallets.balance(`${id}${byHand}`);
    const balance = balances[currency];
    if (balance === undefined) return 0;
    const { available, overage_limit, overage_used, postpaid_limit, postpaid_used } = balance;
    const left =
      wallet === "postpaid" ? postpaid_limit - postpaid_used : available + overage_limit - overage_used;
    cache.set(id, { left, readAt: Date.now() });
    return left;
  }

  return async (req, res, next) => {
    const customer = customerOf(req);
    if (customer === undefined) return void res.sendStatus(401);
    let left: number;
    try {
      left = await leftOf(customer);
    } catch {
      return void res.status(503).set("retry-after", "1").json({ code: "billing_unavailable" });
    }
    if (left < mostAnAnswerCosts)
      return void res.status(402).json({ required: mostAnAnswerCosts, available: left });
    next();
  };
}

const attempts = 3;

/** Reports usage; tries again for a while if that fails. */
export async function reportByHand(client: Client, report: UsageReportRequest): Promise<void> {
  const idempotencyKey = crypto.randomUUID();
  for (let attempt = 1; ; attempt++) {
    try {
      await client.usage.report(report, { idempotencyKey });
      return;
    } catch (error) {
      if (attempt === attempts) return console.error("usage could not be reported:", error);
      await delay(1_000 * attempt);
    }
  }
}
