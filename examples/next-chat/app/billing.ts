import { createClient } from "@creditgate/client";
import { createGate } from "@creditgate/core";

const baseUrl = process.env.CREDITGATE_BASE_URL ?? "http://127.0.0.1:4000";
const apiKey = process.env.CREDITGATE_API_KEY ?? "cg_test_local";

export const currency = "ai_credits";
/** The longest answer that the model is asked for: it bounds what a message costs, and so what is held for it. */
export const longestAnswer = 60;
export const price = (outputTokens: number): number => outputTokens / 100;

export const client = createClient({ baseUrl, apiKey });
export const gate = createGate({
  client,
  currency,
  wallet: "prepaid",
  price: ({ outputTokens = 0 }) => price(outputTokens),
  // A chat can wait a moment for a balance that is not known yet.
  checkTimeoutMs: 2_000,
  settlementLagMs: Number(process.env.SETTLEMENT_LAG_MS ?? 10_000),
});

/** Stands in for your authentication: a real app takes the customer from a session that it has verified. */
export const customer = "alice";
