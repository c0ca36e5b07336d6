import { type AiSdkModel, meteredFetch, meteredModel, meteredOpenAI } from "@creditgate/ai";
import type { Charge } from "@creditgate/core";
import { createAdmission } from "@creditgate/core/adapter";
import { createTestGate, type TestGate } from "@creditgate/core/testing";
import OpenAI from "openai6";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ai5 } from "./ai5.ts";
import { ai6 } from "./ai6.ts";
import { ai7 } from "./ai7.ts";
import { Provider } from "./provider.ts";
import { emitted, type Wire } from "./wire-format.ts";

const provider = new Provider();
beforeAll(() => provider.start());
afterAll(() => provider.stop());
beforeEach(() => provider.reset());

const quiet = { logger: false } as const;
const work = { customerId: "alice", agentId: "chat", indicator: "message", hold: 5 };
const wires: readonly Wire[] = ["chat", "responses", "anthropic", "gemini"];

async function admitted({ gate }: TestGate): Promise<Charge> {
  const decision = await gate.authorize(work);
  if (!decision.allowed) throw new Error(`denied: ${decision.denial.code}`);
  return decision.charge;
}

/** The tokens of each report, and how often work was found twice, by what. */
async function bill(scene: TestGate, charge: Charge) {
  await charge.settle();
  const { billed } = await scene.outcome("alice");
  return {
    billed: billed.map(({ inputTokens, outputTokens }) => [inputTokens, outputTokens]),
    found: scene.emitted("duplicate").map(({ what, billed: how }) => `${what} ${how}`),
  };
}

const once = [emitted.inputTokens, emitted.outputTokens];
const read = async (stream: AsyncIterable<string>) => {
  for await (const _ of stream);
};

describe.each([ai5, ai6, ai7])("a metered call that is reported by hand too, in $name", (sdk) => {
  it.each(wires)("is billed once, and told: %s", async (wire) => {
    const scene = createTestGate({ alice: 100 });
    const charge = await admitted(scene);
    // AI SDK 5 and 6 leave out what tools of Gemini have read, and there it has other counts than the meter.
    const usage = {
      promptTokenCount: 100,
      candidatesTokenCount: 16,
      thoughtsTokenCount: 4,
      totalTokenCount: 120,
    };
    provider.plans.push(wire === "gemini" ? { usage } : {});
    const { textStream, totalUsage } = sdk.stream(
      meteredModel(sdk.models({ url: provider.url })[wire], charge, quiet),
    );
    await read(textStream);
    charge.report(await totalUsage);
    expect(await bill(scene, charge)).toEqual({ billed: [once], found: ["report once"] });
  });

  it("is billed once where the total of several steps is reported", async () => {
    const scene = createTestGate({ alice: 100 });
    const charge = await admitted(scene);
    provider.plans.push({ tool: true }, {});
    const model = meteredModel(sdk.models({ url: provider.url }).chat, charge, quiet);
    const { textStream, totalUsage } = sdk.stream(model, { tool: async () => "rain" });
    await read(textStream);
    charge.report(await totalUsage);
    expect(await bill(scene, charge)).toEqual({ billed: [once, once], found: ["report once"] });
  });
});

describe("a call of a metered client that is reported by hand too", () => {
  it("is billed once where the report comes before the stream has ended", async () => {
    const scene = createTestGate({ alice: 100 });
    const charge = await admitted(scene);
    const client = meteredOpenAI(new OpenAI({ apiKey: "k", baseURL: `${provider.url}/v1` }), charge, quiet);
    const chunks = await client.chat.completions.create({
      model: "gpt-5",
      messages: [{ role: "user", content: "hi" }],
      stream: true,
      stream_options: { include_usage: true },
    });
    for await (const { usage } of chunks) {
      if (!usage) continue;
      charge.report({
        model: "gpt-5-2025-08-07",
        inputTokens: usage.prompt_tokens,
        outputTokens: usage.completion_tokens,
      });
    }
    const { billed } = await bill(scene, charge);
    expect(billed).toEqual([once]);
    expect((await scene.outcome("alice")).billed).toMatchObject([{ provider: "openai", model: "gpt-5" }]);
  });
});

describe.each([ai5, ai6, ai7])("a call that two wrappers meter, in $name", (sdk) => {
  const generate = (model: AiSdkModel) => sdk.generate(model);
  const stream = (model: AiSdkModel) => read(sdk.stream(model).textStream);

  it.each([
    ["generate", generate],
    ["stream", stream],
  ])("is billed once, and told, where the model and its fetch are metered: %s", async (_how, call) => {
    const scene = createTestGate({ alice: 100 });
    const charge = await admitted(scene);
    const fetch = meteredFetch(charge, quiet);
    await call(meteredModel(sdk.models({ url: provider.url, fetch }).chat, charge, quiet));
    expect(await bill(scene, charge)).toEqual({ billed: [once], found: ["meter once"] });
  });

  it.each([
    ["generate", generate],
    ["stream", stream],
  ])("is billed once where a client between them has a signal of its own: %s", async (_how, call) => {
    const scene = createTestGate({ alice: 100 });
    const charge = await admitted(scene);
    const inner = meteredFetch(charge, quiet);
    // As the OpenAI client does.
    const fetch: typeof globalThis.fetch = (input, init) =>
      inner(input, { ...init, signal: new AbortController().signal });
    await call(meteredModel(sdk.models({ url: provider.url, fetch }).chat, charge, quiet));
    expect(await bill(scene, charge)).toEqual({ billed: [once], found: ["meter once"] });
  });

  it.each([
    ["generate", generate],
    ["stream", stream],
  ])("is billed once where a model that wraps a metered one hands on no signal: %s", async (_how, call) => {
    const scene = createTestGate({ alice: 100 });
    const charge = await admitted(scene);
    const inner = meteredModel(sdk.models({ url: provider.url }).chat, charge, quiet);
    const outer = new Proxy(inner, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (name !== "doGenerate" && name !== "doStream") return value;
        return async (given: object) => {
          const answer: object = await Reflect.apply(value as never, target, [
            { ...given, abortSignal: undefined },
          ]);
          return { ...answer };
        };
      },
    });
    await call(meteredModel(outer, charge, quiet));
    expect(await bill(scene, charge)).toEqual({ billed: [once], found: ["meter once"] });
  });

  it("is not what two calls at once are, of the same counts", async () => {
    const scene = createTestGate({ alice: 100 });
    const charge = await admitted(scene);
    const model = meteredModel(sdk.models({ url: provider.url }).chat, charge, quiet);
    await Promise.all([generate(model), generate(model), stream(model)]);
    expect(await bill(scene, charge)).toEqual({ billed: [once, once, once], found: [] });
  });
});

it("bills once a response that two fetches meter, where the signal is lost between them", async () => {
  const scene = createTestGate({ alice: 100 });
  const charge = await admitted(scene);
  const inner = meteredFetch(charge, quiet);
  const outer = meteredFetch(charge, {
    ...quiet,
    fetch: (input, init) => inner(input, { ...init, signal: null }),
  });
  const body = JSON.stringify({ model: "gpt-5", messages: [{ role: "user", content: "hi" }] });
  const response = await outer(`${provider.url}/v1/chat/completions`, { method: "POST", body });
  await response.text();
  expect(await bill(scene, charge)).toEqual({ billed: [once], found: ["meter once"] });
});

it("bills once a metered call behind two gates, each with a default", async () => {
  const scene = createTestGate({ alice: 6 });
  const request = { method: "POST", headers: {} };
  const options = { ...work, customer: "alice", defaultUsage: { inputTokens: 1, outputTokens: 7_777 } };
  const { customerId: _, ...paid } = options;
  const gates = [];
  for (let gate = 0; gate < 2; gate++) {
    const admission = await createAdmission<object>(scene.gate, paid)(request);
    if (!admission.admitted) throw new Error("denied");
    gates.push(admission);
  }
  const [outer, inner] = gates;
  if (outer === undefined || inner === undefined) throw new Error("two gates");
  await ai6.generate(meteredModel(ai6.models({ url: provider.url }).chat, outer.credits, quiet));
  await Promise.all([inner.end("completed"), outer.end("completed")]);
  expect(await bill(scene, inner.credits)).toEqual({ billed: [once], found: ["gate once"] });
});
