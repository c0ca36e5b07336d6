import type { ReportOverrides, Usage } from "@creditgate/core";
import { reportMetered } from "@creditgate/core/adapter";
import { describe, expect, it } from "vitest";
import { createPrepaidScene, type Scene } from "./service.ts";

const model = { provider: "openai", model: "gpt-5" };
const call: Usage = { ...model, inputTokens: 30, outputTokens: 990 };
const byHand: Usage = { inputTokens: 30, outputTokens: 990 };

type Step = (charge: Awaited<ReturnType<Scene["admit"]>>) => unknown;

let started = 0;
const metered =
  (usage: Usage, overrides: ReportOverrides = {}): Step =>
  (charge) =>
    reportMetered(charge, usage, overrides, { meter: "model", began: ++started });
const hand =
  (usage: Usage, overrides: ReportOverrides = {}): Step =>
  (charge) =>
    charge.report(usage, overrides);

async function billed(...steps: readonly Step[]) {
  const scene = createPrepaidScene(100);
  const charge = await scene.admit(5);
  for (const step of steps) await step(charge);
  await charge.settle();
  await scene.clock.advance(0);
  return {
    usages: scene.service.reports.map(({ rawUsage }) => rawUsage),
    found: scene.emitted("duplicate"),
    scene,
  };
}

const settle: Step = (charge) => charge.settle();
const work = { customerId: "alice", currency: "ai_credits", agentId: "chat", indicator: "message" };

describe("a call that is metered, and reported by hand", () => {
  const second = { ...model, inputTokens: 50, outputTokens: 7 };
  const ofAll = { inputTokens: 80, outputTokens: 997 };
  const cached = { ...model, inputTokens: 530, cachedInputTokens: 500, outputTokens: 990 };
  const thinking = { ...model, inputTokens: 30, outputTokens: 1_000, reasoningTokens: 10 };
  const image = { provider: "openai", model: "gpt-image-1", images: 1 };

  it.each<[string, readonly Step[], readonly Usage[]]>([
    ["after it", [metered(call), hand(byHand)], [call]],
    ["before it, though the meter knows the model", [hand(byHand), metered(call)], [call]],
    ["with its model", [metered(call), hand(call)], [call]],
    ["with the snapshot of its model", [metered(call), hand({ ...call, model: "gpt-5-2025-08-07" })], [call]],
    ["with the path of its model", [metered(call), hand({ ...call, model: "openai/gpt-5" })], [call]],
    ["twice", [metered(call), hand(byHand), hand(call)], [call]],
    ["as the total of its steps", [metered(call), metered(second), hand(ofAll)], [call, second]],
    [
      "as the total of some steps",
      [metered(second), metered(call), metered(second), hand(ofAll)],
      [second, call, second],
    ],
    [
      "as steps of the same counts, and their total",
      [
        ...[1, 2, 3, 4].map(() => metered(call)),
        ...[1, 2, 3, 4].map(() => hand(byHand)),
        hand({ inputTokens: 120, outputTokens: 3_960 }),
      ],
      [call, call, call, call],
    ],
    ["as the last of its steps", [metered(second), metered(call), hand(byHand)], [second, call]],
    [
      "without what was cached",
      [metered(cached), hand({ inputTokens: 30, outputTokens: 990 })],
      [{ ...model, inputTokens: 530, outputTokens: 990 }],
    ],
    [
      "without its thoughts",
      [metered(thinking), hand({ inputTokens: 30, outputTokens: 990 })],
      [{ ...model, inputTokens: 30, outputTokens: 1_000 }],
    ],
    ["when its work has ended", [metered(call), settle, hand(byHand)], [call]],
    ["before its work has ended, and it after that", [hand(byHand), settle, metered(call)], [byHand]],
    [
      "as an image of its model",
      [metered(image), hand(image)],
      [{ provider: "openai", model: "gpt-image-1" }],
    ],
    [
      "as an embedding",
      [metered({ ...model, inputTokens: 8 }), hand({ inputTokens: 8 })],
      [{ ...model, inputTokens: 8 }],
    ],
  ])("is billed once, and told: %s", async (_when, steps, expected) => {
    const { usages, found, scene } = await billed(...steps);
    expect(usages).toEqual(expected);
    expect(found.length).toBeGreaterThan(0);
    expect(found[0]).toMatchObject({ ...work, what: "report", billed: "once" });
    expect(scene.emitted("late")).toEqual([]);
  });

  it("tells what was not billed again, and for which work", async () => {
    const other = { agentId: "writer", indicator: "page" };
    const { found } = await billed(metered(call, other), hand(byHand, other));
    expect(found).toEqual([{ ...work, ...other, what: "report", billed: "once", usage: byHand }]);
  });

  it("is billed once where its report is refused, and where it is corrected", async () => {
    const misspelt = { input_tokens: 30, outputTokens: 990 } as Usage;
    const refused: Step = (charge) => expect(() => charge.report(misspelt)).toThrow("input_tokens");
    for (const steps of [[refused], [refused, hand(byHand)]]) {
      const { usages, scene } = await billed(metered(call), ...steps);
      expect(usages).toEqual([call]);
      expect(scene.emitted("degraded")).toHaveLength(1);
    }
  });

  it.each<[string, readonly Step[]]>([
    ["of another indicator", [metered(call), hand(byHand, { indicator: "page" })]],
    ["of another agent", [metered(call), hand(byHand, { agentId: "writer" })]],
    ["of another model", [metered(call), hand({ ...call, model: "gpt-5-mini" })]],
    [
      "of another snapshot",
      [metered({ ...call, model: "gpt-4-0613" }), hand({ ...call, model: "gpt-4-1106" })],
    ],
    ["of another provider", [metered(call), hand({ ...call, provider: "azure" })]],
    ["of a plan", [metered(call), hand({ ...call, plan: "pro" })]],
    ["of other counts", [metered(call), hand({ inputTokens: 30, outputTokens: 991 })]],
    ["of a flat fee without tokens", [metered(call), hand({ requests: 1 })]],
    ["of nothing but names", [metered(call), hand(model)]],
    ["of units besides", [metered(call), hand({ ...byHand, units: { pages: 3 } })]],
    ["of an image besides", [metered(call), hand({ ...byHand, images: 1 })]],
    ["of an image without a model", [metered(image), hand({ images: 1 })]],
    ["of a second call that is metered too", [metered(call), metered(call)]],
    ["of a second call that is reported too", [hand(byHand), hand(byHand)]],
    ["the fourth of its counts", [metered(call), ...Array.from({ length: 4 }, () => hand(byHand))]],
  ])("is not what a report is %s: both are billed, and nothing is told of them", async (_what, steps) => {
    const { usages, found } = await billed(...steps);
    expect(usages).toHaveLength(2);
    expect(found).toHaveLength(Math.max(0, steps.length - 2));
  });

  it("is looked for among the last calls alone, however many there are", async () => {
    const many = Array.from({ length: 200 }, (_, index) =>
      metered({ inputTokens: index + 1_000, outputTokens: 1 }),
    );
    const { found } = await billed(...many, hand({ inputTokens: 1_000, outputTokens: 1 }));
    expect(found).toEqual([]);
  });

  it("bills what is metered for a charge that is not a gate's", () => {
    const reports: unknown[] = [];
    const charge = { report: (...report: unknown[]) => void reports.push(report) };
    expect(reportMetered(charge, call, { credits: 2 }, { meter: "model", began: 1 })).toBe(true);
    expect(reports).toEqual([[call, { credits: 2 }]]);
  });
});

describe("a call that is metered by two wrappers", () => {
  const by =
    (meter: "model" | "fetch", began: number, usage: Usage = call, overrides: ReportOverrides = {}): Step =>
    (charge) =>
      reportMetered(charge, usage, overrides, { meter, began });

  it("is billed once, as the inner one has it, and told", async () => {
    const inner = { ...call, model: "gpt-5-2025-08-07" };
    const { usages, found } = await billed(by("fetch", 2, inner), by("model", 1));
    expect(usages).toEqual([inner]);
    expect(found).toEqual([{ ...work, what: "meter", billed: "once", usage: call }]);
  });

  it.each<[string, readonly Step[]]>([
    ["one after the other", [by("model", 1), by("fetch", 2)]],
    ["by wrappers of one kind, as calls at once are", [by("model", 2), by("model", 1)]],
    ["with other counts", [by("fetch", 2), by("model", 1, { ...call, outputTokens: 1 })]],
    ["for other indicators", [by("fetch", 2, call, { indicator: "page" }), by("model", 1)]],
  ])("is not what two calls are %s: both are billed", async (_how, steps) => {
    const { usages, found } = await billed(...steps);
    expect(usages).toHaveLength(2);
    expect(found).toEqual([]);
  });
});
