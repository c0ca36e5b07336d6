import type { IndicatorTerms } from "@creditgate/admin";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadFixture } from "../src/fixture/load.ts";
import { formatCredits } from "../src/money/decimal.ts";
import { changePrice, termsOf } from "../src/pricing/prices.ts";
import { amountOf, whole } from "../src/pricing/pricing.ts";
import { priceFor, readTerms, termsAt, writeTerms } from "../src/pricing/terms.ts";
import { acme } from "./fixture.ts";
import { openScene, type Scene } from "./scene.ts";

describe("priceFor", () => {
  const terms = readTerms({
    billing: "CREDITS",
    currency: "ai_credits",
    price: { perEvent: 1, perThousandInputTokens: 2, perThousandOutputTokens: 4 },
    modelPrices: [
      { provider: "openai", model: "gpt-5", price: { perThousandInputTokens: 10 } },
      { provider: "openai", model: "gpt-5", plan: "pro", price: { perThousandInputTokens: 20, perEvent: 0 } },
      { provider: "openai", model: "mini", plan: "pro", price: { perEvent: 0, perThousandCachedTokens: 1 } },
    ],
  });
  const cost = (provider?: string, model?: string, plan?: string) =>
    formatCredits(
      amountOf([
        {
          price: priceFor(terms, { provider, model, plan }),
          quantity: {
            perEvent: whole(1),
            perThousandInputTokens: whole(1000),
            perThousandOutputTokens: whole(1000),
            perThousandCachedTokens: whole(1000),
          },
        },
      ]),
    );

  it.each<[string | undefined, string | undefined, string | undefined, string, string]>([
    [undefined, undefined, undefined, "9", "the default price where nothing is told"],
    ["openai", "gpt-4", "pro", "9", "the default price for other models"],
    ["azure", "gpt-5", "pro", "9", "the default price for other providers"],
    ["openai", "gpt-5", undefined, "25", "the model's rates over those of the default price"],
    ["openai", "gpt-5", "free", "25", "the model's for a plan without a price of its own"],
    ["openai", "gpt-5", "pro", "44", "the plan's rates, of which 0 is one"],
    ["openai", "mini", undefined, "9", "the default price where only another plan has one"],
    ["openai", "mini", "pro", "7", "a rate for cached tokens, which else cost what input does"],
  ])("takes for %s, %s, %s: %s credits, %s %s", (provider, model, plan, expected) => {
    expect(cost(provider, model, plan)).toBe(expected);
  });
});

describe("rates of units", () => {
  const terms = readTerms({
    billing: "CREDITS",
    currency: "ai_credits",
    price: { perUnit: { pages: "0.20", searches: 3 } },
    modelPrices: [{ provider: "openai", model: "gpt-5", price: { perUnit: { searches: "1" } } }],
  });

  it("are laid over the default ones name by name", () => {
    const quantity = {
      units: [
        ["pages", whole(5)],
        ["searches", whole(1)],
      ] as const,
    };
    const cost = (model: string) =>
      formatCredits(amountOf([{ price: priceFor(terms, { provider: "openai", model }), quantity }]));
    expect([cost("gpt-4"), cost("gpt-5")]).toEqual(["4", "2"]);
  });

  it("are written alike where they are the same, in whatever order", () => {
    const same = { ...writeTerms(terms), price: { perUnit: { searches: "3.0", pages: 0.2 } } };
    expect(JSON.stringify(writeTerms(readTerms(same)))).toBe(JSON.stringify(writeTerms(terms)));
  });
});

describe("changePrice", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene(acme);
  });
  afterAll(() => scene.close());

  const key = () => ({ orgId: scene.orgId, agentId: "chat", indicator: "message" });
  const event = (perEvent: number | string): IndicatorTerms => ({
    billing: "CREDITS",
    currency: "ai_credits",
    price: { perEvent },
  });
  const change = (terms: IndicatorTerms, validFrom: number, indicator = "message") =>
    scene.database.transaction().execute((transaction) =>
      changePrice(transaction, { ...key(), indicator }, terms, {
        validFrom: new Date(validFrom),
        now: new Date(scene.clock.now()),
        setBy: "fixture",
      }),
    );
  const amount = async () => {
    const usageId = await scene.accept("alice");
    const event = await scene.database
      .selectFrom("usage_reports")
      .select("amount")
      .where("usage_id", "=", usageId)
      .executeTakeFirstOrThrow();
    return formatCredits(event.amount);
  };

  it("makes a version, and usage is priced by the one in force when it was received", async () => {
    expect(await amount()).toBe("1");
    const start = scene.clock.now();
    expect(await change(event(3), start + 5_000)).toEqual({ changed: true, version: 2 });
    expect(await change(event(2), start + 2_000)).toEqual({ changed: true, version: 3 });
    scene.clock.time = start + 1_999;
    expect(await amount()).toBe("1");
    scene.clock.time = start + 2_000;
    expect(await amount()).toBe("2");
    scene.clock.time = start + 4_999;
    expect(await amount()).toBe("2");
    scene.clock.time = start + 5_000;
    expect(await amount()).toBe("3");
  });

  it("takes effect on a replica that has the old price in mind within a second", async () => {
    expect(await amount()).toBe("3");
    await change(event(7), scene.clock.now());
    scene.clock.time += 1_001;
    expect(await amount()).toBe("7");
  });

  it("takes effect within a second also where the clock is set back meanwhile", async () => {
    const { clock, elapsed } = scene;
    elapsed.time = clock.time;
    expect(await amount()).toBe("7");
    clock.time -= 500;
    await change(event(6), clock.now());
    elapsed.time += 1_001;
    expect(await amount()).toBe("6");
    await change(event(7), clock.now() + 1);
    clock.time += 5_000;
    elapsed.time = undefined;
  });

  it("changes no receipt: a repeated key is told what its usage cost when it was accepted", async () => {
    const post = (idempotencyKey: string) =>
      scene.intake.accept({
        orgId: scene.orgId,
        report: { agentId: "chat", customerId: "alice", indicator: "message", rawUsage: {} },
        idempotencyKey,
        hash: "0".repeat(64),
      });
    const before = { amount: 7_000_000n, currency: "ai_credits" };
    const first = await post("before");
    expect(first).toMatchObject(before);
    await change({ billing: "CREDITS", currency: "yen_credits", price: { perEvent: 9 } }, scene.clock.now());
    scene.clock.time += 1_001;
    expect(await post("after")).toMatchObject({ amount: 9_000_000n, currency: "yen_credits" });
    expect(await post("before")).toEqual({ ...first, isReplay: true });
    await change(event(7), scene.clock.now());
    scene.clock.time += 1_001;
  });

  it("changes nothing where the same terms hold, however they are written", async () => {
    const unchanged = { changed: false, reason: "unchanged", version: 8 };
    expect(await change(event("7.00"), scene.clock.now())).toEqual(unchanged);
    expect(await change(event(7), scene.clock.now())).toEqual(unchanged);
  });

  it("refuses the past, and indicators that are not there", async () => {
    const past = scene.clock.now() - 1;
    expect(await change(event(1), past)).toEqual({ changed: false, reason: "in_the_past" });
    const unknown = await change(event(1), scene.clock.now(), "none");
    expect(unknown).toEqual({ changed: false, reason: "indicator_unknown" });
  });

  it("keeps every version as it was", async () => {
    await expect(scene.pool.query("update prices set currency = 'yen'")).rejects.toThrow("append-only");
    await expect(scene.pool.query("delete from prices")).rejects.toThrow("append-only");
  });

  it("makes one version of many changes to the same at once", async () => {
    const changes = await Promise.all(Array.from({ length: 8 }, () => change(event(8), scene.clock.now())));
    expect(changes.filter(({ changed }) => changed)).toHaveLength(1);
  });

  it("follows the fixture, once", async () => {
    const before = (await termsOf(scene.database, key())).length;
    scene.clock.time += 1;
    const now = new Date(scene.clock.now());
    await loadFixture(scene.database, acme, now);
    await loadFixture(scene.database, acme, now);
    const versions = await termsOf(scene.database, key());
    expect(versions).toHaveLength(before + 1);
    expect(termsAt(versions, now)?.validFrom).toEqual(now);
  });

  it("changes the billing mode too: what is not in CREDITS is recorded only", async () => {
    await change({ billing: "FLAT" }, scene.clock.now() + 10);
    scene.clock.time += 2_000;
    expect(await amount()).toBe("0");
  });
});
