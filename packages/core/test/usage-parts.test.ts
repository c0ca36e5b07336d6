import { describe, expect, it } from "vitest";
import { createPrepaidScene, pending, type Scene, status } from "./service.ts";

const totals = { model: "gpt-5", inputTokens: 1_000, outputTokens: 200 };
const usage = { ...totals, cachedInputTokens: 600, reasoningTokens: 120, images: 2 };

/** A gate on a service that names these parts in its answers. */
function scene(
  usageParts: readonly string[] | undefined,
  options: Parameters<typeof createPrepaidScene>[1] = {},
) {
  const scene = createPrepaidScene(100, options);
  scene.service.usageParts = usageParts;
  return scene;
}

async function billed(scene: Scene, given: object = usage): Promise<unknown> {
  const charge = await scene.admit(5);
  charge.report(given);
  await charge.settle();
  await scene.clock.advance(0);
  return scene.service.reports.at(-1)?.rawUsage;
}

describe("the parts of a usage", () => {
  it("are told to a service that names them, beside the totals", async () => {
    expect(await billed(scene(["cachedInputTokens", "reasoningTokens", "images"]))).toEqual(usage);
  });

  it("are left out where the service does not name them, each by itself", async () => {
    expect(await billed(scene(undefined))).toEqual(totals);
    expect(await billed(scene(["reasoningTokens"]))).toEqual({ ...totals, reasoningTokens: 120 });
  });

  it("are priced as the service is told them", async () => {
    const price = ({ inputTokens = 0, cachedInputTokens = 0 }) => (inputTokens - cachedInputTokens) / 1_000;
    for (const [parts, unconfirmed] of [
      [undefined, 1],
      [["cachedInputTokens"], 0.4],
    ] as const) {
      const it = scene(parts, { price });
      await billed(it);
      expect(await it.gate.balance("alice")).toMatchObject({ unconfirmed });
    }
  });

  it("stay as they were written when the service ceases to take them: a key means one report", async () => {
    const it = scene(["cachedInputTokens"]);
    const first = pending<never>();
    it.service.onUsage = () => first.promise;
    await billed(it);
    it.service.usageParts = undefined;
    it.service.onUsage = undefined;
    first.reject(status(503));
    await it.clock.advance(60_000);
    const bodies = it.service.reports.map(({ key, rawUsage }) => ({ key, rawUsage }));
    expect(bodies.length).toBeGreaterThan(1);
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(await billed(it)).toEqual(totals);
  });

  it.each([
    [
      "a part is cut to its total",
      { inputTokens: 10, cachedInputTokens: 15 },
      { inputTokens: 10, cachedInputTokens: 10 },
    ],
    [
      "parts are cut to their total together, the last one first",
      { inputTokens: 10, cachedInputTokens: 6, cacheWriteTokens: 3, audioInputTokens: 4 },
      { inputTokens: 10, cachedInputTokens: 6, cacheWriteTokens: 3, audioInputTokens: 1 },
    ],
    [
      "a total that is missing is what its parts are",
      { outputTokens: 1, cachedInputTokens: 6, cacheWriteTokens: 3 },
      { inputTokens: 9, outputTokens: 1, cachedInputTokens: 6, cacheWriteTokens: 3 },
    ],
  ])("%s", async (_, given, emitted) => {
    const parts = ["cachedInputTokens", "cacheWriteTokens", "audioInputTokens"];
    expect(await billed(scene(parts), given)).toEqual(emitted);
  });

  it("count as counts: no default takes their place", async () => {
    const it = scene(["images"]);
    const decision = await it.gate.authorize({
      customerId: "alice",
      agentId: "chat",
      indicator: "message",
      hold: 5,
      defaultUsage: { inputTokens: 7 },
    });
    if (!decision.allowed) throw new Error("denied");
    decision.charge.report({ inputTokens: undefined, outputTokens: undefined, images: 2 });
    await decision.charge.settle();
    await it.clock.advance(0);
    expect(it.service.reports).toMatchObject([{ rawUsage: { images: 2 } }]);
    expect(it.emitted("degraded")).toEqual([]);
  });

  it("may be units with names of the indicator's own, told to a service that takes units", async () => {
    const given = { ...totals, units: { pages: 1.5, "web searches": 2 } };
    expect(await billed(scene(["units"]), given)).toEqual(given);
    expect(await billed(scene(["images"]), given)).toEqual(totals);
    const charge = await scene(["units"]).admit(5);
    for (const units of [3, null, { pages: -1 }, { pages: "1" }, { pages: Number.NaN }]) {
      expect(() => charge.report({ units } as object)).toThrow(
        "usage.units: expected an object of numbers, 0 or more",
      );
    }
  });

  it.each([
    ["cachedInputTokens", -1],
    ["reasoningTokens", 1.5],
    ["images", "2"],
  ])("are refused where they are no counts: %s %j", async (part, value) => {
    const charge = await scene([part]).admit(5);
    expect(() => charge.report({ ...totals, [part]: value } as object)).toThrow(
      `usage.${part}: expected a whole number, 0 or more`,
    );
  });
});
