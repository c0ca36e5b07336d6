import type { Fixture } from "../src/index.ts";

/** Acme: one agent, a customer of each kind. */
export const acme: Fixture = {
  organization: { name: "Acme", apiKey: "cg_test_local" },
  agents: [
    {
      agentId: "chat",
      agent_external_id: "chat-1",
      agent_name: "Chat",
      agent_type: "chat",
      indicators: [
        {
          name: "message",
          billing: "CREDITS",
          currency: "ai_credits",
          price: { perEvent: 1, perThousandInputTokens: 0.5, perThousandOutputTokens: 1.5 },
        },
        { name: "speech", billing: "CREDITS", currency: "voice_credits", price: { perEvent: 2 } },
        { name: "seat", billing: "FLAT" },
        { name: "gift", billing: "CREDITS", currency: "ai_credits", price: { perEvent: 0 } },
        {
          name: "parts",
          billing: "CREDITS",
          currency: "ai_credits",
          price: {
            perThousandInputTokens: 10,
            perThousandCachedTokens: 1,
            perThousandOutputTokens: 20,
            perThousandReasoningTokens: 5,
            perImage: 2,
            perAudioMinute: 0.6,
            perThousandCharacters: 15,
            perRequest: 0.5,
            perUnit: { pages: 0.2, "web searches": 3 },
          },
        },
        { name: "yen", billing: "CREDITS", currency: "yen_credits", price: { perEvent: 1 } },
      ],
    },
  ],
  customers: [
    {
      externalId: "alice",
      name: "Alice",
      wallets: [
        { currency: "ai_credits", kind: "prepaid", available: 100, overageLimit: 20 },
        { currency: "voice_credits", kind: "postpaid", limit: 5 },
      ],
    },
    { externalId: "bob", name: "Bob" },
  ],
};
