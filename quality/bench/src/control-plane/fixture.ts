import type { Fixture } from "@creditgate/control-plane";

export type { Fixture };

export const apiKey = "cg_bench_local";
export const customers: readonly string[] = Array.from({ length: 1_000 }, (_, index) => `customer-${index}`);

/** An agent that charges for tokens, and a thousand customers who can pay for long. */
export const fixture: Fixture = {
  organization: { name: "Bench", apiKey },
  agents: [
    {
      agentId: "chat",
      agent_external_id: "chat-1",
      agent_name: "Chat",
      indicators: [
        {
          name: "message",
          billing: "CREDITS",
          currency: "ai_credits",
          price: { perEvent: 1, perThousandInputTokens: 0.5, perThousandOutputTokens: 1.5 },
        },
      ],
    },
  ],
  customers: customers.map((externalId) => ({
    externalId,
    name: externalId,
    wallets: [{ currency: "ai_credits", kind: "prepaid", available: 1_000_000_000 }],
  })),
};

/** A report as the client sends it. */
export function reportOf(customerId: string): string {
  return JSON.stringify({
    agentId: "chat",
    customerId,
    indicator: "message",
    rawUsage: { provider: "openai", model: "gpt-5", plan: "pro", inputTokens: 1_200, outputTokens: 400 },
  });
}
