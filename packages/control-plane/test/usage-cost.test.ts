import { createAdminClient, type OrganizationAdmin, type UsageCostRequest } from "@creditgate/admin";
import { createClient, type RawUsage, type UsageReportAnswer } from "@creditgate/client";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { billOf } from "../src/pricing/bill.ts";
import { amountOf, components, whole } from "../src/pricing/pricing.ts";
import { type AdminScene, adminToken, hour, openAdminScene } from "./admin-scene.ts";

let scene: AdminScene;
let acme: OrganizationAdmin;
beforeAll(async () => {
  scene = await openAdminScene();
  acme = await createAdminClient({ baseUrl: scene.plane.baseUrl, adminToken }).organizationNamed("Acme");
  await acme.agents.create({ agentId: "writer", agentExternalId: "writer", agentName: "Writer" });
  await acme.indicators.create("writer", {
    name: "draft",
    billing: "CREDITS",
    currency: "ai_credits",
    price: {
      perEvent: 1,
      perThousandInputTokens: "0.5",
      perThousandOutputTokens: "1.5",
      perThousandCachedTokens: "0.05",
      perImage: 3,
      perAudioMinute: "0.01",
      perCallMinute: "0.3",
      perThousandCharacters: "0.2",
      perUnit: { pages: "0.25" },
    },
    modelPrices: [{ provider: "openai", model: "gpt-5", price: { perThousandOutputTokens: "4" } }],
  });
  await acme.indicators.create("writer", { name: "seats", billing: "RECORDED" });
});
afterAll(() => scene.plane.stop());

const cost = (request: UsageCostRequest = {}, indicator = "draft") =>
  acme.indicators.cost("writer", indicator, request);

/** What the same usage is billed. */
async function billed(rawUsage: RawUsage): Promise<number | undefined> {
  const client = createClient({ baseUrl: scene.plane.baseUrl, apiKey: scene.plane.apiKey });
  const { body } = await client.usage.report({
    agentId: "writer",
    customerId: "alice",
    indicator: "draft",
    rawUsage,
  });
  return (body as UsageReportAnswer).credits;
}

describe("GET …/indicators/{indicator}/cost", () => {
  it("says line by line what a use would cost, as it is billed", async () => {
    const rawUsage = {
      ...{ provider: "openai", model: "gpt-5", inputTokens: 12_400, cachedInputTokens: 8_000 },
      ...{ outputTokens: 860, reasoningTokens: 200, images: 2, seconds: 20, characters: 500 },
      units: { pages: 1.5 },
    };
    const found = await cost({ rawUsage });
    expect(found).toMatchObject({
      version: 1,
      billing: "CREDITS",
      creditCurrencyKey: "ai_credits",
      modelPrice: { provider: "openai", model: "gpt-5", plan: null },
      at: new Date(scene.clock.time).toISOString(),
    });
    const rows = found.parts.map(({ component, quantity, rate, isRateOfTotal, credits }) => [
      ...[component, quantity, rate, isRateOfTotal, credits],
    ]);
    expect(rows).toEqual([
      ["perEvent", "1", "1", false, 1],
      ["perThousandInputTokens", "4400", "0.5", false, 2.2],
      ["perThousandOutputTokens", "660", "4", false, 2.64],
      ["perThousandCachedTokens", "8000", "0.05", false, 0.4],
      ["perThousandReasoningTokens", "200", "4", true, 0.8],
      ["perImage", "2", "3", false, 6],
      ["perAudioMinute", "20", "0.01", false, 0.003334],
      ["perThousandCharacters", "500", "0.2", false, 0.1],
      ["perUnit", "1.5", "0.25", false, 0.375],
    ]);
    expect(found.credits).toBe(13.518334);
    expect(await billed(rawUsage)).toBe(found.credits);
  });

  it("agrees with the bill for any usage", async () => {
    const count = fc.option(fc.nat(1_000_000), { nil: undefined });
    const usage = fc.record({
      model: fc.constantFrom("gpt-5", "other"),
      provider: fc.constant("openai"),
      ...{ inputTokens: count, outputTokens: count, cachedInputTokens: count, reasoningTokens: count },
      ...{ images: count, seconds: count, characters: count, requests: count },
    });
    await fc.assert(
      fc.asyncProperty(usage, async (rawUsage) => {
        expect((await cost({ rawUsage })).credits).toBe(await billed(rawUsage));
      }),
      { numRuns: 20 },
    );
  });

  it("prices a voice call: the call and its minutes at the default price, its parts at their model's", async () => {
    const { credits, parts } = await cost({
      callMinutes: "2.5",
      rawUsage: { provider: "openai", model: "gpt-5", outputTokens: 1_000, seconds: 60 },
    });
    expect(parts.map(({ component, credits }) => [component, credits])).toEqual([
      ["perEvent", 1],
      ["perCallMinute", 0.75],
      ["perThousandOutputTokens", 4],
      ["perAudioMinute", 0.01],
    ]);
    expect(credits).toBe(5.76);
  });

  it("takes the price of an instant, before it is in force and after", async () => {
    const from = new Date(scene.clock.time + hour).toISOString();
    await acme.indicators.setPrice("writer", "draft", {
      billing: "CREDITS",
      currency: "ai_credits",
      price: { perEvent: 7 },
      validFrom: from,
    });
    const before = new Date(scene.clock.time + hour - 1).toISOString();
    expect(await cost()).toMatchObject({ version: 1, credits: 1 });
    expect(await cost({ at: before })).toMatchObject({ version: 1, credits: 1 });
    expect(await cost({ at: from })).toMatchObject({ version: 2, credits: 7, at: from });
  });

  it("costs nothing, and has no lines, where the indicator is only recorded", async () => {
    expect(await cost({ rawUsage: { inputTokens: 5, units: { any: 1 } } }, "seats")).toMatchObject({
      billing: "RECORDED",
      creditCurrencyKey: null,
      credits: 0,
      parts: [],
    });
  });

  it.each([
    ["no JSON", "rawUsage=%7B", 400, "invalid_request"],
    ["a count below 0", "rawUsage=%7B%22images%22%3A-1%7D", 400, "invalid_request"],
    ["minutes that are none", "callMinutes=-1", 400, "invalid_request"],
    ["an instant that is none", "at=tomorrow", 400, "invalid_request"],
    ["a unit without a rate", "rawUsage=%7B%22units%22%3A%7B%22page%22%3A1%7D%7D", 422, "unit_unknown"],
    [
      "more than an event may cost",
      "rawUsage=%7B%22images%22%3A9007199254740991%7D",
      422,
      "amount_out_of_range",
    ],
  ])("refuses %s", async (_, query, status, code) => {
    const path = `${scene.path}/agents/writer/indicators/draft/cost?${query}`;
    const refused = await scene.admin.get(path);
    expect([refused.status, refused.json.code]).toEqual([status, code]);
  });

  it("names the count that is wrong by the parameter that it is in", async () => {
    const path = `${scene.path}/agents/writer/indicators/draft/cost?rawUsage=%7B%22images%22%3A-1%7D`;
    const { errors } = (await scene.admin.get(path)).json;
    expect(errors).toMatchObject([{ pointer: "rawUsage.images" }]);
  });

  it.each([
    ["none/indicators/draft", "agent_unknown"],
    ["writer/indicators/none", "indicator_unknown"],
  ])("answers 404 for %s", async (path, code) => {
    const { status, json } = await scene.admin.get(`${scene.path}/agents/${path}/cost`);
    expect([status, json.code]).toEqual([404, code]);
  });
});

describe("billOf", () => {
  it("has lines that add up to the amount, however it is rounded", () => {
    const decimal = fc.record({ digits: fc.bigInt(0n, 10n ** 9n), scale: fc.nat(12) });
    const each = Object.fromEntries(components.map((component) => [component, decimal]));
    const charge = fc.record({
      price: fc.record(each, { requiredKeys: [] }),
      quantity: fc.record(each, { requiredKeys: [] }),
    });
    fc.assert(
      fc.property(fc.array(charge, { maxLength: 3 }), (charges) => {
        const lines = billOf(charges);
        expect(lines.reduce((sum, { amount }) => sum + amount, 0n)).toBe(amountOf(charges));
        expect(lines.every(({ amount }) => amount >= 0n)).toBe(true);
      }),
    );
    expect(billOf([{ price: {}, quantity: { perImage: whole(0) } }])).toEqual([]);
  });
});
