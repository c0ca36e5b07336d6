import { genaiPrices, listedPrices, type ModelUsage, type PriceList, servicePrices } from "@creditgate/ai";
import { calcPrice } from "@pydantic/genai-prices";
import { describe, expect, it } from "vitest";

const list: PriceList = {
  price: { perEvent: 1, perThousandInputTokens: 2, perThousandOutputTokens: "4" },
  modelPrices: [
    {
      provider: "openai",
      model: "gpt-5",
      price: {
        perEvent: 0,
        perThousandInputTokens: 10,
        perThousandCachedTokens: 1,
        perThousandReasoningTokens: 0,
      },
      tiers: [{ aboveInputTokens: 1_000, price: { perThousandInputTokens: 20 } }],
    },
  ],
};
const gpt = { provider: "openai", model: "gpt-5" };

describe("listedPrices", () => {
  it.each<[string, ModelUsage, number]>([
    ["default rates", { inputTokens: 1_000, outputTokens: 500 }, 5],
    ["a model's over the default ones", { ...gpt, inputTokens: 1_000, outputTokens: 500 }, 12],
    ["a part's", { ...gpt, inputTokens: 1_000, cachedInputTokens: 900 }, 1.9],
    ["a part's that has none: its total's", { ...gpt, inputTokens: 1_000, cacheWriteTokens: 900 }, 10],
    ["0", { ...gpt, outputTokens: 1_000, reasoningTokens: 1_000 }, 0],
    ["a tier's, above its bound", { ...gpt, inputTokens: 1_001 }, 20.02],
    ["rounded up to a micro-credit", { inputTokens: 0, outputTokens: 0 }, 1],
  ])("takes %s", (_, usage, credits) => {
    expect(listedPrices(list)(usage)).toBe(credits);
  });

  it("prices images, seconds and characters", () => {
    const price = { perImage: 2, perAudioMinute: 0.01, perThousandCharacters: 15 };
    const prices = listedPrices({ price });
    expect(prices({ images: 3 })).toBe(6);
    expect(prices({ seconds: 20 })).toBe(0.003334);
    expect(prices({ characters: 100 })).toBe(1.5);
  });

  it("has no price of what is not listed", () => {
    expect(listedPrices({ modelPrices: list.modelPrices ?? [] })({ model: "other" })).toBeUndefined();
  });

  it("has no price of a model that is not named, where only those are sold", () => {
    const prices = listedPrices({ ...list, namedOnly: true });
    expect(prices({ ...gpt, inputTokens: 1_000, outputTokens: 500 })).toBe(12);
    expect(prices({ provider: "openai", model: "gpt-9", inputTokens: 1 })).toBeUndefined();
  });

  it.each([
    [{ price: { perEvnt: 1 } }, 'price.perEvnt: unknown rate; did you mean "perEvent"?'],
    [{ price: { perEvent: -1 } }, "price.perEvent: expected a number of credits, 0 or more, received -1"],
    [{ price: { perEvent: "" } }, "price.perEvent: expected a number of credits"],
    [
      { modelPrices: [{ ...gpt, price: { perImage: Number.NaN } }] },
      "modelPrices.0.price.perImage: expected",
    ],
  ])("refuses %j", (given, message) => {
    expect(() => listedPrices(given as PriceList)).toThrow(message);
  });
});

describe("servicePrices", () => {
  const agents = [
    { agentId: "other", indicators: [] },
    {
      agentId: "chat",
      indicators: [
        {
          name: "message",
          billing: "CREDITS",
          price: { perThousandInputTokens: "0.5", perCallMinute: "9" },
          modelPrices: [],
        },
        { name: "untold", billing: "CREDITS" },
      ],
    },
  ];
  const client = { agents: { list: async () => ({ agents }) } };

  it("reads what the service lists", async () => {
    const prices = await servicePrices(client, { agentId: "chat", indicator: "message" });
    expect(prices?.({ inputTokens: 1_000 })).toBe(0.5);
    const named = await servicePrices(client, { agentId: "chat", indicator: "message", namedOnly: true });
    expect(named?.({ provider: "openai", model: "gpt-5", inputTokens: 1_000 })).toBeUndefined();
  });

  it.each([
    ["chat", "untold"],
    ["chat", "unknown"],
    ["unknown", "message"],
  ])("resolves nothing for what it does not tell: %s, %s", async (agentId, indicator) => {
    expect(await servicePrices(client, { agentId, indicator })).toBeUndefined();
  });
});

describe("genaiPrices", () => {
  const prices = genaiPrices(calcPrice, { creditsPerDollar: 100, margin: 0.2 });

  it("takes the provider's price, in credits, with the margin", () => {
    const usage = { input_tokens: 10_000, output_tokens: 1_000 };
    const dollars = calcPrice(usage, "gpt-5", { providerId: "openai" })?.total_price ?? 0;
    expect(dollars).toBeGreaterThan(0);
    expect(prices({ ...gpt, inputTokens: 10_000, outputTokens: 1_000 })).toBeCloseTo(dollars * 120, 5);
  });

  it("counts cached tokens as the provider does", () => {
    const all = prices({ ...gpt, inputTokens: 10_000 }) ?? 0;
    expect(prices({ ...gpt, inputTokens: 10_000, cachedInputTokens: 9_000 })).toBeLessThan(all);
  });

  it("has no price of a model that is not known", () => {
    expect(prices({ provider: "openai", model: "no-such-model-7" })).toBeUndefined();
    expect(prices({ inputTokens: 1 })).toBeUndefined();
  });

  it("refuses what is no rate", () => {
    expect(() => genaiPrices(calcPrice, { creditsPerDollar: 0 })).toThrow(
      "creditsPerDollar: expected a number above 0",
    );
  });
});
