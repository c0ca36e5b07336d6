import { meteredModel } from "@creditgate/ai";
import { creditsContext, currentCredits, runWithCredits } from "@creditgate/ai/node";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ai7 } from "./ai7.ts";
import { Provider } from "./provider.ts";
import { TestCharge } from "./test-charge.ts";
import { emitted } from "./wire-format.ts";

const provider = new Provider();
beforeAll(() => provider.start());
afterAll(() => provider.stop());
beforeEach(() => provider.reset());

describe("currentCredits", () => {
  const model = () => meteredModel(ai7.models({ url: provider.url }).chat, currentCredits, { logger: false });

  it("bills each of many requests at once to its own credits, through one model", async () => {
    const shared = model();
    const charges = Array.from({ length: 5 }, () => new TestCharge());
    await Promise.all(
      charges.map((charge) =>
        runWithCredits(charge, async () => {
          await ai7.generate(shared);
          for await (const _ of ai7.stream(shared).textStream);
        }),
      ),
    );
    for (const { reports } of charges) expect(reports).toMatchObject([emitted, emitted]);
  });

  it("bills a stream to the request that began it, wherever it is read", async () => {
    const [first, second] = [new TestCharge(), new TestCharge()];
    const { textStream } = runWithCredits(first, () => ai7.stream(model()));
    await runWithCredits(second, async () => {
      for await (const _ of textStream);
    });
    expect([first.reports.length, second.reports.length]).toEqual([1, 0]);
  });

  it("makes no call outside of a request, since it would be billed to nobody", async () => {
    await expect(ai7.generate(model())).rejects.toThrow(
      "credits: expected a request within runWithCredits()",
    );
    expect(provider.requests).toEqual([]);
  });

  it("is what Express has put on the request", async () => {
    const charge = new TestCharge();
    const heard = await new Promise((resolve) => {
      creditsContext({ credits: charge }, {}, () => queueMicrotask(() => resolve(currentCredits())));
    });
    expect(heard).toBe(charge);
    expect(() => creditsContext({}, {}, () => {})).toThrow("a request that requireCredits() has let in");
  });
});
