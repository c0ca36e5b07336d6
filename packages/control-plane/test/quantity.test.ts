import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amountOf, whole } from "../src/pricing/pricing.ts";
import { quantityOf } from "../src/usage/price.ts";

const counts = (usage: Parameters<typeof quantityOf>[0]) => {
  const { units: _, ...quantity } = quantityOf(usage);
  return Object.fromEntries(Object.entries(quantity).map(([name, count]) => [name, Number(count.digits)]));
};

describe("quantityOf", () => {
  it("counts each token once, in its part or among the rest of its total", () => {
    const usage = {
      inputTokens: 1_000,
      cachedInputTokens: 600,
      cacheWriteTokens: 100,
      audioInputTokens: 50,
      outputTokens: 200,
      reasoningTokens: 120,
      audioOutputTokens: 30,
    };
    expect(counts(usage)).toEqual({
      perEvent: 1,
      perThousandInputTokens: 250,
      perThousandCachedTokens: 600,
      perThousandCacheWriteTokens: 100,
      perThousandAudioInputTokens: 50,
      perThousandOutputTokens: 50,
      perThousandReasoningTokens: 120,
      perThousandAudioOutputTokens: 30,
    });
  });

  it("counts images, minutes and characters by themselves", () => {
    const { perImage, perAudioMinute, perThousandCharacters } = quantityOf({
      images: 2,
      seconds: 90,
      characters: 40,
    });
    expect([perImage, perAudioMinute, perThousandCharacters]).toEqual([
      whole(2),
      { ...whole(90), divisor: 60n },
      whole(40),
    ]);
  });

  it("counts parts whose total is missing", () => {
    expect(counts({ cachedInputTokens: 5, reasoningTokens: 3 })).toMatchObject({
      perThousandInputTokens: 0,
      perThousandCachedTokens: 5,
      perThousandOutputTokens: 0,
      perThousandReasoningTokens: 3,
    });
  });

  it("costs as much as the totals do where no part has a rate, whatever the parts say", () => {
    const count = fc.nat(10_000);
    const price = { perThousandInputTokens: whole(3), perThousandOutputTokens: whole(7) };
    const usage = fc.record(
      {
        inputTokens: count,
        outputTokens: count,
        cachedInputTokens: count,
        cacheWriteTokens: count,
        audioInputTokens: count,
        reasoningTokens: count,
        audioOutputTokens: count,
      },
      { requiredKeys: ["inputTokens", "outputTokens"] },
    );
    fc.assert(
      fc.property(usage, (given) => {
        const { inputTokens, outputTokens } = given;
        expect(amountOf([{ price, quantity: quantityOf(given) }])).toBe(
          amountOf([{ price, quantity: quantityOf({ inputTokens, outputTokens }) }]),
        );
      }),
    );
  });
});
