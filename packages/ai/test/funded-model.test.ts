import {
  InsufficientCredits,
  listedPrices,
  type MeteredCharge,
  type ModelMeteringOptions,
  meteredModel,
} from "@creditgate/ai";
import type { Charge, Denial } from "@creditgate/core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ai5 } from "./ai5.ts";
import { ai6 } from "./ai6.ts";
import { ai7 } from "./ai7.ts";
import { fundedScene } from "./funded-scene.ts";
import { Provider } from "./provider.ts";
import { pieces, wires } from "./wire-format.ts";

const provider = new Provider();
beforeAll(() => provider.start());
afterAll(() => provider.stop());
beforeEach(() => provider.reset());

/** A token read costs 0.001 credits, one written 0.01. */
const prices = listedPrices({ price: { perThousandInputTokens: 1, perThousandOutputTokens: 10 } });
/** What the provider tells of each call: 100 tokens read, 20 written. */
const cost = 0.3;

const textOf = async (stream: AsyncIterable<string>) => {
  let text = "";
  for await (const piece of stream) text += piece;
  return text;
};

/** The most that the last request allows the model to write, by the name that its provider gives it. */
function askedMost(): unknown {
  const { max_completion_tokens, max_output_tokens, max_tokens, generationConfig } =
    provider.requests.at(-1)?.body ?? {};
  const { maxOutputTokens } = (generationConfig ?? {}) as { readonly maxOutputTokens?: number };
  return max_completion_tokens ?? max_output_tokens ?? max_tokens ?? maxOutputTokens;
}

describe.each([ai5, ai6, ai7])("a metered model with prices, in $name", (sdk) => {
  const modelFor = (
    charge: Charge,
    options: ModelMeteringOptions = {},
    wire: (typeof wires)[number] = "chat",
  ) =>
    meteredModel(sdk.models({ url: provider.url })[wire], charge, {
      logger: false,
      prices,
      maxOutputTokens: 500,
      ...options,
    });

  it.each(wires)("makes a call as long as what is held pays for, over %s", async (wire) => {
    const { charge } = await fundedScene(1, { min: 0.2, max: 5 });
    expect(await sdk.generate(modelFor(charge, { clamp: true }, wire))).toBe(pieces.join(""));
    expect(askedMost()).toBe(99);
  });

  it("holds more for a call that may cost more, and makes it whole", async () => {
    const { scene: it, charge } = await fundedScene(100, 0.1);
    expect(await textOf(sdk.stream(modelFor(charge)).textStream)).toBe(pieces.join(""));
    expect(askedMost()).toBe(500);
    expect(charge.held).toBeCloseTo(5.01, 6);
    await charge.settle();
    const { held } = await it.outcome("alice");
    expect(held).toBe(0);
    expect(it.emitted("settled")).toMatchObject([{ credits: cost }]);
  });

  it("does not make a call that cannot be paid, and generateText says so", async () => {
    const { charge } = await fundedScene(1, 0.5);
    const error = await sdk.generate(modelFor(charge)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InsufficientCredits);
    expect(error).toMatchObject({
      code: "insufficient_credits",
      required: 5.01,
      available: 0.5,
      denial: { code: "insufficient_credits", status: 402 },
    });
    expect(provider.requests).toEqual([]);
    expect(charge.reported).toEqual([]);
  });

  it("does not make a call that cannot be paid, and streamText has an error part", async () => {
    const { charge } = await fundedScene(1, 0.5);
    const { fullStream } = sdk.stream(modelFor(charge)) as unknown as {
      readonly fullStream: AsyncIterable<{ readonly type: string; readonly error?: unknown }>;
    };
    const errors: unknown[] = [];
    for await (const part of fullStream) if (part.type === "error") errors.push(part.error);
    expect(errors).toEqual([expect.any(InsufficientCredits)]);
    expect(provider.requests).toEqual([]);
  });

  it("decides on each step of an agent by itself, and stops the one that the wallet cannot pay", async () => {
    const { scene: it, charge } = await fundedScene(0.5, 0.25);
    provider.plans.push({ tool: true }, { tool: true });
    const model = modelFor(charge, { maxOutputTokens: 20 });
    await textOf(sdk.stream(model, { tool: async () => "sunny" }).textStream).catch(() => {});
    expect(provider.requests).toHaveLength(1);
    await charge.settle();
    const { billed } = await it.outcome("alice");
    expect(billed).toHaveLength(1);
  });

  it("pauses between the steps of an agent where credits run out, and goes on once they are paid", async () => {
    const { scene: it, charge, wallets } = await fundedScene(0.5, 0.25);
    provider.plans.push({ tool: true }, { tool: true });
    const denials: Denial[] = [];
    const onPause = (denial: Denial) => {
      denials.push(denial);
      wallets.alice += 100;
      it.gate.refresh("alice");
    };
    const model = modelFor(charge, { maxOutputTokens: 20, pause: { onPause } });
    expect(await textOf(sdk.stream(model, { tool: async () => "sunny" }).textStream)).toBe(pieces.join(""));
    expect(provider.requests).toHaveLength(3);
    expect(denials).toMatchObject([{ code: "insufficient_credits", currency: "ai_credits" }]);
    await charge.settle();
    const { billed, held } = await it.outcome("alice");
    expect(billed).toHaveLength(3);
    expect(held).toBe(0);
    // What came before the pause was billed then.
    expect(it.emitted("settled").map(({ reports }) => reports)).toEqual([1, 2]);
  });

  it("holds for a call after a pause that has failed no more than it needs", async () => {
    const { scene: it, charge, wallets } = await fundedScene(0.5, 0.25);
    provider.plans.push({ tool: true }, { tool: true });
    const onPause = () => {
      throw new Error("closed");
    };
    const model = modelFor(charge, { maxOutputTokens: 20, pause: { onPause } });
    await textOf(sdk.stream(model, { tool: async () => "sunny" }).textStream).catch(() => {});
    expect(charge.held).toBe(0);
    wallets.alice += 100;
    it.gate.refresh("alice");
    provider.plans.length = 0;
    await textOf(sdk.stream(modelFor(charge, { maxOutputTokens: 20 })).textStream);
    expect(charge.held).toBeCloseTo(0.21, 6);
    await charge.settle();
    expect((await it.outcome("alice")).billed).toHaveLength(2);
  });

  it("stops an agent that is not paid in time", async () => {
    const { scene: it, charge } = await fundedScene(0.5, 0.25);
    provider.plans.push({ tool: true }, { tool: true });
    const model = modelFor(charge, { maxOutputTokens: 20, pause: { waitMs: 1_000 } });
    await textOf(sdk.stream(model, { tool: async () => "sunny" }).textStream).catch(() => {});
    expect(provider.requests).toHaveLength(1);
    await charge.settle();
    expect((await it.outcome("alice")).billed).toHaveLength(1);
  });

  it("pays each step of an agent out of what the steps before have left", async () => {
    const { scene: it, charge } = await fundedScene(100, 1);
    provider.plans.push({ tool: true }, { tool: true });
    const model = modelFor(charge, { maxOutputTokens: 20, extend: false });
    expect(await textOf(sdk.stream(model, { tool: async () => "sunny" }).textStream)).toBe(pieces.join(""));
    expect(charge.held).toBe(1);
    await charge.settle();
    expect(it.emitted("settled")).toMatchObject([{ reports: 3, credits: 0.9 }]);
  });

  it("holds for embeddings what they read", async () => {
    const { charge } = await fundedScene(1, 0.001);
    const model = meteredModel(sdk.media({ url: provider.url }).embedding, charge, { logger: false, prices });
    await sdk.embedMany(model, ["one", "two"]);
    expect(charge.held).toBeGreaterThan(0.001);
    expect(charge.reported).toHaveLength(1);
  });
});

interface Asked {
  readonly maxOutputTokens?: number;
}

/** A model that notes what it is asked, and tells what it used. */
class NotedModel {
  readonly specificationVersion = "v3";
  readonly provider: string;
  readonly modelId = "m";
  readonly supportedUrls = {};
  readonly asked: Asked[] = [];
  /** The next calls wait for this. */
  wait: Promise<void> = Promise.resolve();
  usage: object = { inputTokens: { total: 0 }, outputTokens: { total: 100 } };

  constructor(provider = "test") {
    this.provider = provider;
  }

  async doGenerate(request: Asked): Promise<object> {
    this.asked.push(request);
    await this.wait;
    return { content: [], usage: this.usage };
  }
}

describe("a metered model with prices", () => {
  const metered = (charge: MeteredCharge, options: ModelMeteringOptions = {}, noted = new NotedModel()) => ({
    noted,
    model: meteredModel(noted, charge, { logger: false, prices, ...options }),
  });
  const call = (maxOutputTokens?: number, more: object = {}) =>
    ({ prompt: [], ...(maxOutputTokens !== undefined && { maxOutputTokens }), ...more }) as Asked;

  it("leaves the maximum as it is where it can be paid", async () => {
    const { charge } = await fundedScene(10, 1);
    const { noted, model } = metered(charge, { clamp: true });
    await model.doGenerate(call(100));
    expect(noted.asked[0]?.maxOutputTokens).toBe(100);
    expect(charge.held).toBe(1);
  });

  it("asks for a maximum where there is none", async () => {
    const { charge } = await fundedScene(10, 1);
    const { noted, model } = metered(charge, { clamp: true });
    await expect(model.doGenerate(call())).rejects.toThrow("maxOutputTokens: expected the most tokens");
    expect(noted.asked).toEqual([]);
  });

  it("takes what the AI SDK adds for thinking from what may be written", async () => {
    const { charge } = await fundedScene(1, 1);
    const { noted, model } = metered(charge, { clamp: true }, new NotedModel("anthropic.messages"));
    const providerOptions = { anthropic: { thinking: { type: "enabled", budgetTokens: 60 } } };
    await model.doGenerate(call(500, { providerOptions }));
    expect(noted.asked[0]?.maxOutputTokens).toBe(40);
  });

  it("makes no call with room for fewer tokens than the least", async () => {
    const { charge } = await fundedScene(0.5, 0.5);
    const { noted, model } = metered(charge, { clamp: true, minOutputTokens: 51 });
    await expect(model.doGenerate(call(500))).rejects.toMatchObject({ required: 0.51, available: 0.5 });
    await expect(model.doGenerate(call(10))).resolves.toBeDefined();
    expect(noted.asked.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([10]);
  });

  it("never spends what another call has reserved", async () => {
    const { charge } = await fundedScene(1, 1);
    const { noted, model } = metered(charge, { extend: false });
    let answer = () => {};
    noted.wait = new Promise((resolve) => {
      answer = resolve;
    });
    const calls = [60, 60, 40].map((most) =>
      model.doGenerate(call(most)).then(
        () => "made",
        () => "refused",
      ),
    );
    while (noted.asked.length < 2) await new Promise((resolve) => setImmediate(resolve));
    answer();
    expect(await Promise.all(calls)).toEqual(["made", "refused", "made"]);
  });

  it("gives back what a call has reserved and not spent", async () => {
    const { charge } = await fundedScene(1, 1);
    const { noted, model } = metered(charge, { extend: false });
    noted.usage = { inputTokens: { total: 0 }, outputTokens: { total: 10 } };
    for (let step = 0; step < 9; step++) await model.doGenerate(call(20));
    await expect(model.doGenerate(call(20))).rejects.toMatchObject({ required: 0.2, available: 0.1 });
    expect(noted.asked).toHaveLength(9);
  });

  it("has the next call pay for what one has cost beyond its reservation", async () => {
    const { charge } = await fundedScene(10, 1);
    const { noted, model } = metered(charge);
    noted.usage = { inputTokens: { total: 3_000 }, outputTokens: { total: 0 } };
    await model.doGenerate(call(100));
    noted.usage = { inputTokens: { total: 0 }, outputTokens: { total: 100 } };
    await model.doGenerate(call(100));
    expect(charge.held).toBe(4);
  });

  it("gives all back of a call that fails before it costs", async () => {
    const { charge } = await fundedScene(1, 1);
    const { noted, model } = metered(charge, { extend: false });
    noted.wait = Promise.reject(new Error("no connection"));
    await expect(model.doGenerate(call(100))).rejects.toThrow("no connection");
    noted.wait = Promise.resolve();
    await model.doGenerate(call(100));
    expect(charge.reported).toHaveLength(1);
  });

  it("lets all calls be made by a gate that only observes", async () => {
    const { charge } = await fundedScene(0.1, 1, { mode: "observe", logger: false });
    const { noted, model } = metered(charge);
    await model.doGenerate(call(5_000));
    expect(noted.asked[0]?.maxOutputTokens).toBe(5_000);
  });

  it("makes the calls of a model without a price, and says so once", async () => {
    const { charge } = await fundedScene(1, 1);
    const lines: string[] = [];
    const logger = { warn: (line: string) => void lines.push(line) };
    const { noted, model } = metered(charge, { prices: () => undefined, logger });
    for (let step = 0; step < 2; step++) await model.doGenerate(call(5_000));
    expect(noted.asked).toHaveLength(2);
    expect(lines).toEqual([expect.stringContaining("test m has no price")]);
  });

  it("rejects a call of work that has ended where it needs more", async () => {
    const { charge } = await fundedScene(10, 0.1);
    const { noted, model } = metered(charge);
    await charge.settle();
    await expect(model.doGenerate(call(100))).rejects.toThrow("expected work that goes on");
    expect(noted.asked).toEqual([]);
  });

  it.each<[object, string]>([
    [{ prices: 5 }, "prices: expected a function"],
    [{ prices: undefined, clamp: true }, "prices: expected what tokens cost, since clamp is true"],
    [{ clamp: "yes" }, "clamp: expected true or false"],
    [{ minOutputTokens: 0 }, "minOutputTokens: expected"],
    [{ margin: -1 }, "margin: expected a number, 0 or more"],
    [{ clampp: true }, 'clampp: unknown option; did you mean "clamp"?'],
  ])("refuses %j", async (options, message) => {
    const { charge } = await fundedScene(1, 1);
    expect(() => metered(charge, options as ModelMeteringOptions)).toThrow(message);
  });
});
