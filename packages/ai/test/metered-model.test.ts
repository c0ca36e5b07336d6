import { type MeteringOptions, meteredModel } from "@creditgate/ai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ai5 } from "./ai5.ts";
import { ai6 } from "./ai6.ts";
import { ai7 } from "./ai7.ts";
import { Provider } from "./provider.ts";
import { TestCharge } from "./test-charge.ts";
import { emitted, formats, pieces, wires } from "./wire-format.ts";

const provider = new Provider();
beforeAll(() => provider.start());
afterAll(() => provider.stop());
beforeEach(() => provider.reset());

const text = pieces.join("");
/** Four tokens for each message, and those of the prompt. */
const prompt = { tokens: 9 };
const total = { inputTokens: emitted.inputTokens, outputTokens: emitted.outputTokens };

/** Reads all; `third` is called with the third piece. */
async function read(stream: AsyncIterable<string>, third = () => {}): Promise<string> {
  let read = "";
  let count = 0;
  for await (const piece of stream) {
    read += piece;
    if (++count === 3) third();
  }
  return read;
}

function gate(): { readonly open: () => void; readonly opened: Promise<void> } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe.each([ai5, ai6, ai7])("meteredModel in $name", (sdk) => {
  describe.each(wires)("over %s", (wire) => {
    const { provider: name } = formats[wire];

    function scene(options: MeteringOptions = {}) {
      const charge = new TestCharge();
      const plain = sdk.models({ url: provider.url })[wire];
      const model = meteredModel(plain, charge, { ...charge.options, ...options });
      return { charge, model, plain };
    }

    it("bills what the provider says of an answer", async () => {
      const { charge, model, plain } = scene();
      expect(await sdk.generate(model)).toBe(text);
      expect(charge.reports).toMatchObject([{ provider: name, model: plain.modelId, ...emitted }]);
      expect(charge.calls).toMatchObject([
        { usage: emitted, ending: "finished", estimated: [], malformed: [] },
      ]);
      expect(charge.openCalls).toBe(0);
    });

    it("bills what the provider says of a stream, and changes nothing of it", async () => {
      const { charge, model, plain } = scene();
      expect(await read(sdk.stream(model).textStream)).toBe(text);
      expect(charge.reports).toMatchObject([{ provider: name, model: plain.modelId, ...emitted }]);
      expect(charge.calls).toMatchObject([
        { usage: emitted, ending: "finished", estimated: [], malformed: [] },
      ]);
    });

    it("bills nothing for calls that the provider refuses, and each that it takes", async () => {
      const { charge, model } = scene();
      provider.plans.push({ status: 429 }, { status: 500 });
      await sdk.generate(model, { maxRetries: 2 });
      expect(provider.requests).toHaveLength(3);
      expect(charge.reports).toMatchObject([total]);
    });

    it("estimates what was read where the customer leaves before the first byte", async () => {
      const { charge, model } = scene();
      provider.plans.push({ silent: true });
      const answer = sdk.generate(model);
      await provider.asked();
      charge.disconnect();
      await expect(answer).rejects.toThrow();
      await provider.gone();
      expect(charge.reports).toMatchObject([{ outputTokens: 0 }]);
      expect(charge.calls).toMatchObject([{ ending: "aborted", estimated: ["inputTokens", "outputTokens"] }]);
      expect(charge.reports[0]?.inputTokens).toBe(prompt.tokens);
    });

    it.each([
      ["the customer leaves", "charge"],
      ["the application aborts", "caller"],
    ])("bills the pieces that have come where %s in mid-stream, once", async (_, who) => {
      const { charge, model } = scene();
      provider.plans.push({ pieces: 3 });
      const caller = new AbortController();
      const stream = sdk.stream(model, { abortSignal: caller.signal });
      const three = gate();
      const reading = read(stream.textStream, three.open).catch(() => {});
      await three.opened;
      if (who === "charge") charge.disconnect();
      else caller.abort();
      await charge.reported();
      await provider.gone();
      await reading;
      charge.settle();
      expect(charge.reports).toHaveLength(1);
      expect(charge.calls[0]?.ending).toBe("aborted");
    });

    it("bills a stream that is never read when its work is billed", async () => {
      const { charge, model } = scene();
      provider.plans.push({ pieces: 3 });
      sdk.stream(model);
      await provider.asked();
      while (charge.openCalls === 0) await Promise.resolve();
      charge.settle();
      expect(charge.reports).toHaveLength(1);
      expect(charge.calls).toMatchObject([{ ending: "left" }]);
      charge.disconnect();
      await provider.gone();
      expect(charge.reports).toHaveLength(1);
    });

    it.each(["cut", "error"] as const)("estimates a stream that ends with: %s", async (then) => {
      const { charge, model } = scene();
      provider.plans.push({ pieces: 3, then });
      await read(sdk.stream(model).textStream).catch(() => {});
      expect(charge.reports).toHaveLength(1);
      const [call] = charge.calls;
      expect(call?.ending).toBe("failed");
      expect(call?.estimated).toContain("outputTokens");
      expect(call?.usage.outputTokens).toBe(3);
    });
  });

  function chat() {
    const charge = new TestCharge();
    return { charge, model: meteredModel(sdk.models({ url: provider.url }).chat, charge, charge.options) };
  }

  it("bills each step of an agent", async () => {
    const { charge, model } = chat();
    provider.plans.push({ tool: true }, { tool: true });
    expect(await read(sdk.stream(model, { tool: async () => "sunny" }).textStream)).toBe(text);
    expect(charge.reports).toMatchObject([total, total, total]);
    expect(charge.calls.flatMap(({ estimated }) => estimated)).toEqual([]);
  });

  it("bills the steps of an agent that is stopped in its second: one as told, one as written", async () => {
    const { charge, model } = chat();
    provider.plans.push({ tool: true }, { pieces: 3 });
    const third = gate();
    const reading = read(sdk.stream(model, { tool: async () => "sunny" }).textStream, third.open).catch(
      () => {},
    );
    await third.opened;
    charge.disconnect();
    await charge.reported(2);
    await reading;
    charge.settle();
    expect(charge.reports).toMatchObject([total, { outputTokens: 3 }]);
    expect(charge.calls.map(({ ending }) => ending)).toEqual(["finished", "aborted"]);
  });

  it("bills an answer that cannot be made the object that was asked for", async () => {
    const { charge, model } = chat();
    await expect(sdk.generateBadObject(model)).rejects.toThrow();
    expect(charge.reports).toMatchObject([total]);
  });

  it("bills once what a reader breaks off, whether or not the SDK reads on", async () => {
    const { charge, model } = chat();
    let count = 0;
    for await (const _ of sdk.stream(model).textStream) if (++count === 3) break;
    charge.settle();
    expect(charge.reports).toHaveLength(1);
    expect(charge.reports[0]?.outputTokens).toBeGreaterThanOrEqual(3);
    expect(charge.reports[0]?.outputTokens).toBeLessThanOrEqual(20);
  });

  function media(name: "embedding" | "image" | "speech" | "transcription") {
    const charge = new TestCharge();
    return { charge, model: meteredModel(sdk.media({ url: provider.url })[name], charge, charge.options) };
  }

  it("bills each batch of embeddings", async () => {
    const { charge, model } = media("embedding");
    await sdk.embedMany(
      model,
      Array.from({ length: 3000 }, (_, index) => `value ${index}`),
    );
    expect(charge.reports).toEqual(
      provider.requests.map(() => ({ provider: "openai", model: "embed", inputTokens: 12 })),
    );
    expect(provider.requests.length).toBeGreaterThan(1);
  });

  it("counts images, characters spoken and seconds heard", async () => {
    const images = media("image");
    await sdk.makeImages(images.model);
    expect(images.charge.calls).toMatchObject([{ usage: { images: 2 }, estimated: [] }]);
    const speech = media("speech");
    await sdk.speak(speech.model, "Grüße 👋");
    expect(speech.charge.calls[0]?.usage).toEqual({ provider: "openai", model: "tts-1", characters: 7 });
    const transcription = media("transcription");
    await sdk.transcribe(transcription.model);
    expect(transcription.charge.calls[0]?.usage).toEqual({
      provider: "openai",
      model: "whisper-1",
      seconds: 9,
    });
  });
});

describe("meteredModel", () => {
  const model = (charge = new TestCharge(), options: MeteringOptions = {}) =>
    meteredModel(ai6.models({ url: provider.url }).chat, charge, { ...charge.options, ...options });

  it("is the model in all else", () => {
    const plain = ai6.models({ url: provider.url }).chat;
    const metered = meteredModel(plain, new TestCharge());
    expect(metered).toBeInstanceOf(plain.constructor);
    expect(metered.modelId).toBe("gpt-5");
    expect(metered.specificationVersion).toBe("v3");
  });

  it("calls methods of models that keep private fields", () => {
    class Private {
      readonly specificationVersion = "v3";
      readonly provider = "own";
      readonly modelId = "m";
      readonly supportedUrls = {};
      #secret = 7;
      secret(): number {
        return this.#secret;
      }
    }
    expect(meteredModel(new Private(), new TestCharge()).secret()).toBe(7);
  });

  it("refuses a string, and says what to write", () => {
    expect(() => meteredModel("openai/gpt-5" as never, new TestCharge())).toThrow('gateway("openai/gpt-5")');
  });

  const named = { specificationVersion: "v3", provider: "own", modelId: "m" };
  it.each([
    ["reranking is not metered", { ...named, doRerank: () => {} }],
    ["video is not metered", { ...named, doGenerate: () => {}, maxVideosPerCall: 1 }],
    ["expected a language, embedding", named],
  ])("says of another model: %s", (message, other) => {
    expect(() => meteredModel(other, new TestCharge())).toThrow(message);
  });

  it.each([
    ["countTokens", { countTokens: 5 }],
    ["drain.ms", { drain: { ms: 0, tokens: 5 } }],
    ["drain.tokens", { drain: { ms: 5, tokens: Number.NaN } }],
    ["onCall", { onCall: {} }],
    ["logger", { logger: {} }],
    ["drian: unknown option", { drian: {} }],
  ])("refuses a bad %s", (name, options) => {
    const charge = new TestCharge();
    expect(() => meteredModel(ai6.models({ url: "http://x" }).chat, charge, options as never)).toThrow(name);
    expect(() => meteredModel(ai6.models({ url: "http://x" }).chat, {} as never)).toThrow("credits");
  });

  it("says once of a stream of speech that it is not metered", () => {
    const lines: string[] = [];
    const speech = { ...named, doGenerate: () => {}, doStream: () => "a stream" };
    const metered = meteredModel(speech, new TestCharge(), { logger: { warn: (line) => lines.push(line) } });
    expect(lines).toEqual([]);
    expect([metered.doStream(), metered.doStream()]).toEqual(["a stream", "a stream"]);
    expect(lines).toEqual(["creditgate: streams of own m are not metered. This is logged once."]);
  });

  it("finds the tokens of a transcription in the answer behind it", async () => {
    const charge = new TestCharge();
    const usage = {
      type: "tokens",
      input_tokens: 14,
      input_token_details: { audio_tokens: 10 },
      output_tokens: 3,
    };
    const doGenerate = async (_: object) => ({ text: "hi", response: { body: { text: "hi", usage } } });
    const metered = meteredModel({ ...named, doGenerate }, charge, charge.options);
    await metered.doGenerate({ audio: new Uint8Array([1]) });
    expect(charge.calls).toMatchObject([
      { usage: { inputTokens: 14, audioInputTokens: 10, outputTokens: 3 }, estimated: [] },
    ]);
  });

  it("bills the characters of speech that is aborted", async () => {
    const charge = new TestCharge();
    const doGenerate = ({ abortSignal }: { readonly text: string; readonly abortSignal?: AbortSignal }) =>
      new Promise((_, reject) => abortSignal?.addEventListener("abort", () => reject(abortSignal.reason)));
    const answer = meteredModel({ ...named, doGenerate }, charge, charge.options).doGenerate({
      text: "hello",
    });
    charge.disconnect();
    await expect(answer).rejects.toThrow();
    expect(charge.calls).toMatchObject([{ usage: { characters: 5 }, ending: "aborted" }]);
  });

  it("bills an answer that the SDK could not understand", async () => {
    const charge = new TestCharge();
    const doGenerate = async (_: object) => {
      throw Object.assign(new Error("Invalid JSON response"), { statusCode: 200 });
    };
    const model = { ...named, supportedUrls: {}, doGenerate };
    const prompt = [{ role: "user", content: [{ type: "text", text: "What is a wallet?" }] }];
    await expect(meteredModel(model, charge, charge.options).doGenerate({ prompt })).rejects.toThrow(
      "Invalid",
    );
    expect(charge.reports).toMatchObject([{ inputTokens: 9, outputTokens: 0 }]);
  });

  it("bills once where it is stacked", async () => {
    const charge = new TestCharge();
    await ai6.generate(meteredModel(model(charge), charge, charge.options));
    expect(charge.reports).toHaveLength(1);
  });

  it("bills each of two charges", async () => {
    const [one, other] = [new TestCharge(), new TestCharge()];
    await ai6.generate(meteredModel(model(one), other, other.options));
    expect([one.reports.length, other.reports.length]).toEqual([1, 1]);
  });

  it("is not called, nor billed, for a customer who has left", async () => {
    const charge = new TestCharge();
    charge.disconnect();
    await expect(ai6.generate(model(charge))).rejects.toThrow();
    expect(provider.requests).toHaveLength(0);
    expect(charge.reports).toHaveLength(0);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    ["hangs", () => new Promise(() => {})],
  ])("works where report() %s", async (_, report) => {
    const charge = { report, signal: new AbortController().signal };
    const metered = meteredModel(ai6.models({ url: provider.url }).chat, charge as never, { logger: false });
    expect(await ai6.generate(metered)).toBe(text);
    expect(await read(ai6.stream(metered).textStream)).toBe(text);
  });

  it("works where everything of the charge, and every option, throws", async () => {
    const fail = () => {
      throw new Error("no");
    };
    const charge = {
      report: fail,
      beforeBill: fail,
      get signal(): AbortSignal {
        return fail();
      },
    };
    provider.plans.push({ usage: {} });
    const options = { onCall: fail, countTokens: fail, logger: { warn: fail } };
    const metered = meteredModel(ai6.models({ url: provider.url }).chat, charge, options);
    expect(await ai6.generate(metered)).toBe(text);
    expect(await read(ai6.stream(metered).textStream)).toBe(text);
  });

  it("bills as the indicator and the agent that it is given", async () => {
    const overrides: unknown[] = [];
    const charge = { report: (_: unknown, given: unknown) => overrides.push(given), signal: quiet() };
    await ai6.generate(
      meteredModel(ai6.models({ url: provider.url }).chat, charge as never, { indicator: "i", agentId: "a" }),
    );
    expect(overrides).toEqual([{ indicator: "i", agentId: "a" }]);
  });

  it("estimates a number that is none, keeps the others, and says so once", async () => {
    const charge = new TestCharge();
    const lines: string[] = [];
    const usage = { ...formats.chat.usage, prompt_tokens: 1.5 };
    provider.plans.push({ usage }, { usage });
    const options = { logger: { warn: (line: string) => lines.push(line) } };
    const metered = model(charge, options);
    await ai6.generate(metered);
    await ai6.generate(metered);
    // Cached tokens were read, so no less were read in all.
    const { outputTokens } = emitted;
    const call = { usage: { ...emitted, inputTokens: 40, outputTokens }, malformed: ["prompt_tokens"] };
    expect(charge.calls).toMatchObject([call, call]);
    expect(charge.calls[0]?.estimated).toEqual(["inputTokens"]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("prompt_tokens");
  });

  it("bills 0 where the provider says 0", async () => {
    const charge = new TestCharge();
    provider.plans.push({ usage: { prompt_tokens: 0, completion_tokens: 0 } });
    await ai6.generate(model(charge));
    expect(charge.calls).toMatchObject([{ usage: { inputTokens: 0, outputTokens: 0 }, estimated: [] }]);
  });

  it("counts with the caller's counter, in pieces, and estimates where that fails", async () => {
    const charge = new TestCharge();
    const lengths: number[] = [];
    const countTokens = (piece: string) => {
      lengths.push(piece.length);
      return 7;
    };
    provider.plans.push({ usage: {} }, { usage: {} });
    const metered = meteredModel(ai6.models({ url: provider.url }).chat, charge, {
      ...charge.options,
      countTokens,
    });
    await ai6.generate(metered);
    expect(charge.reports[0]).toMatchObject({ inputTokens: 11, outputTokens: 7 });
    expect(Math.max(...lengths)).toBeLessThanOrEqual(512);
    await ai6.generate(model(charge, { countTokens: () => Number.NaN }));
    expect(charge.reports[1]).toMatchObject({ inputTokens: 9, outputTokens: 20 });
  });
});

function quiet(): AbortSignal {
  return new AbortController().signal;
}
