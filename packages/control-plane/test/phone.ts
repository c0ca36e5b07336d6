import type { Fixture } from "../src/index.ts";

const price = {
  perEvent: 1,
  perCallMinute: 0.5,
  perAudioMinute: 0.3,
  perThousandInputTokens: 2,
  perThousandOutputTokens: 4,
  perThousandCachedTokens: 0.5,
  perThousandCharacters: 0.1,
};

/** Phone: an agent that takes calls, and a customer of each kind. */
export const phone: Fixture = {
  organization: { name: "Phone", apiKey: "cg_test_phone" },
  agents: [
    {
      agentId: "caller",
      agent_external_id: "caller-1",
      agent_name: "Caller",
      agent_type: "voice",
      indicators: [
        {
          name: "call completed",
          billing: "CREDITS",
          currency: "voice_credits",
          price,
          modelPrices: [
            { provider: "deepgram", model: "nova", price: { perAudioMinute: 0.2 } },
            { provider: "openai", model: "gpt-5", plan: "pro", price: { perThousandInputTokens: 10 } },
          ],
        },
        { name: "call transferred", billing: "SUBSCRIPTION" },
      ],
    },
  ],
  customers: [
    {
      externalId: "pre",
      name: "Pre",
      wallets: [{ currency: "voice_credits", kind: "prepaid", available: 100 }],
    },
    {
      externalId: "post",
      name: "Post",
      wallets: [{ currency: "voice_credits", kind: "postpaid", limit: 1 }],
    },
  ],
};
