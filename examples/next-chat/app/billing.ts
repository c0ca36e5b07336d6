import { createClient } from "@creditgate/client";

export const client = createClient({
  baseUrl: process.env.CREDITGATE_BASE_URL ?? "http://127.0.0.1:4000",
  apiKey: process.env.CREDITGATE_API_KEY ?? "cg_test_local",
});
export const currency = "ai_credits";
export const agentId = "chat";
