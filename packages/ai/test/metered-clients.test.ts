import { meteredAnthropic, meteredFetch, meteredGemini, meteredOpenAI } from "@creditgate/ai";
import { GoogleGenAI as GoogleGenAI1 } from "genai1";
import OpenAI, { AzureOpenAI as AzureOpenAI6 } from "openai6";
import { AzureOpenAI as AzureOpenAI7 } from "openai7";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { clients } from "./clients.ts";
import { Provider } from "./provider.ts";
import { TestCharge } from "./test-charge.ts";
import { emitted, formats, pieces } from "./wire-format.ts";

const provider = new Provider();
beforeAll(() => provider.start());
afterAll(() => provider.stop());
beforeEach(() => provider.reset());

const text = pieces.join("");
const total = { inputTokens: emitted.inputTokens, outputTokens: emitted.outputTokens };

describe.each(clients)("$name", ({ wire, connect }) => {
  const billed = { provider: formats[wire].provider, ...total };

  it("bills what the provider says of an answer", async () => {
    const charge = new TestCharge();
    expect(await connect(provider.url, charge).generate()).toBe(text);
    expect(charge.reports).toMatchObject([billed]);
    expect(charge.reports[0]?.model).toMatch(/^(gpt-5|claude-opus-4-5|gemini-3-pro)$/);
    expect(charge.calls).toMatchObject([{ usage: emitted, ending: "finished", estimated: [] }]);
  });

  it("bills what the provider says of a stream, and changes nothing of it", async () => {
    const charge = new TestCharge();
    let read = "";
    for await (const piece of await connect(provider.url, charge).stream()) read += piece;
    expect(read).toBe(text);
    expect(charge.reports).toMatchObject([billed]);
    expect(charge.calls).toMatchObject([{ usage: emitted, ending: "finished", estimated: [] }]);
    expect(charge.openCalls).toBe(0);
  });

  it("bills nothing for a call that the provider refuses", async () => {
    const charge = new TestCharge();
    provider.plans.push({ status: 400 });
    await expect(connect(provider.url, charge).generate()).rejects.toThrow();
    charge.settle();
    expect(charge.reports).toHaveLength(0);
  });

  it.each(["charge", "caller"])(
    "estimates what was read after an abort by the %s before the first byte",
    async (who) => {
      const charge = new TestCharge();
      const caller = new AbortController();
      // Clients may try again after an abort that is not their own.
      provider.plans.push({ silent: true });
      const answer = connect(provider.url, charge).generate(caller.signal);
      answer.catch(() => {});
      await provider.asked();
      if (who === "charge") charge.disconnect();
      else caller.abort();
      await charge.reported();
      await provider.gone();
      expect(charge.calls).toMatchObject([{ ending: "aborted", estimated: ["inputTokens", "outputTokens"] }]);
      expect(charge.reports).toMatchObject([{ outputTokens: 0 }]);
      expect(charge.reports[0]?.inputTokens).toBeGreaterThanOrEqual(5);
    },
  );

  it.each(["charge", "caller"])("bills the pieces that have come before an abort by the %s", async (who) => {
    const charge = new TestCharge();
    const caller = new AbortController();
    provider.plans.push({ pieces: 3 });
    let count = 0;
    try {
      for await (const _ of await connect(provider.url, charge).stream(caller.signal)) {
        if (++count < 3) continue;
        if (who === "charge") charge.disconnect();
        else caller.abort();
      }
    } catch {
      // Some throw, and some end.
    }
    await provider.gone();
    charge.settle();
    expect(charge.reports).toHaveLength(1);
    const { usage, ending } = charge.calls[0] ?? {};
    expect(ending).toBe("aborted");
    expect(usage?.outputTokens).toBe(3);
    // It alone tells at the beginning what was read.
    if (wire === "anthropic") expect(usage?.inputTokens).toBe(100);
  });

  it("bills the pieces that have come before the reader breaks off", async () => {
    const charge = new TestCharge();
    provider.plans.push({ pieces: 3 });
    let count = 0;
    for await (const _ of await connect(provider.url, charge).stream()) if (++count === 3) break;
    charge.settle();
    expect(charge.reports).toMatchObject([{ outputTokens: 3 }]);
    expect(charge.calls).toHaveLength(1);
  });

  it.each(["cut", "error"] as const)("estimates a stream that ends with: %s", async (then) => {
    const charge = new TestCharge();
    provider.plans.push({ pieces: 3, then });
    try {
      for await (const _ of await connect(provider.url, charge).stream());
    } catch {
      // Most throw.
    }
    charge.settle();
    expect(charge.reports).toMatchObject([{ outputTokens: 3 }]);
    expect(charge.calls).toMatchObject([{ estimated: expect.arrayContaining(["outputTokens"]) }]);
  });

  it("estimates a number that is none, and keeps the others", async () => {
    const charge = new TestCharge();
    const { usage } = formats[wire];
    const [name = ""] = Object.keys(usage);
    provider.plans.push({ usage: { ...usage, [name]: -1 } });
    await connect(provider.url, charge).generate();
    expect(charge.calls).toMatchObject([
      { usage: { outputTokens: 20 }, estimated: ["inputTokens"], malformed: [name] },
    ]);
    expect(charge.reports[0]?.inputTokens).toBeGreaterThanOrEqual(40);
  });

  it("reads an aborted stream on to the provider's numbers, where that is wanted", async () => {
    const charge = new TestCharge();
    const caller = new AbortController();
    const calls = connect(provider.url, charge, { drain: { ms: 60_000, tokens: 1_000 } });
    let count = 0;
    try {
      for await (const _ of await calls.stream(caller.signal)) if (++count === 3) caller.abort();
    } catch {
      // Some throw, and some end.
    }
    await charge.reported();
    expect(charge.reports).toMatchObject([total]);
    expect(charge.calls).toMatchObject([{ usage: emitted }]);
  });
});

describe("meteredOpenAI", () => {
  const openai = (charge: TestCharge) =>
    meteredOpenAI(new OpenAI({ apiKey: "k", baseURL: `${provider.url}/v1` }), charge, charge.options);
  const asked = { model: "gpt-5", messages: [{ role: "user" as const, content: "hi" }] };

  it("is a client of the same class, with its helpers", async () => {
    const charge = new TestCharge();
    const client = openai(charge);
    expect(client).toBeInstanceOf(OpenAI);
    const { data, response } = await client.chat.completions.create(asked).withResponse();
    expect(data.usage?.total_tokens).toBe(120);
    expect(response.url).toBe(`${provider.url}/v1/chat/completions`);
    const final = await client.chat.completions.stream(asked).finalChatCompletion();
    expect(final.choices[0]?.message.content).toBe(text);
    const [one, other] = (await client.chat.completions.create({ ...asked, stream: true })).tee();
    const read = async (stream: AsyncIterable<unknown>) => {
      let count = 0;
      for await (const _ of stream) count++;
      return count;
    };
    expect(await Promise.all([read(one), read(other)])).toEqual([22, 22]);
    expect(charge.reports).toMatchObject([total, total, total]);
  });

  it.each([AzureOpenAI6, AzureOpenAI7 as unknown as typeof AzureOpenAI6])(
    "is a client of Azure with the same version and deployment",
    async (AzureOpenAI) => {
      const charge = new TestCharge();
      const azure = { apiKey: "k", endpoint: provider.url, apiVersion: "2025-04-01", deployment: "own" };
      const client = meteredOpenAI(new AzureOpenAI(azure), charge, charge.options);
      expect(client).toBeInstanceOf(AzureOpenAI);
      await client.chat.completions.create(asked);
      expect(provider.requests[0]?.url).toBe(
        "/openai/deployments/own/chat/completions?api-version=2025-04-01",
      );
      expect(charge.reports).toMatchObject([total]);
    },
  );

  it.each([
    ["gpt-image-1", 2],
    ["dall-e-3", undefined],
  ])("bills the images that are asked for, of a client who disconnects: %s, %s", async (model, n) => {
    const charge = new TestCharge();
    provider.plans.push({ silent: true });
    const answer = openai(charge).images.generate({ model, prompt: "a", ...(n && { n }) }, { maxRetries: 0 });
    answer.catch(() => {});
    await provider.asked();
    charge.disconnect();
    await charge.reported();
    expect(charge.calls).toMatchObject([{ usage: { model, images: n ?? 1 }, ending: "aborted" }]);
  });

  it("asks for the usage of a stream, and shows it only where the caller has asked", async () => {
    const charge = new TestCharge();
    const usages = async (rest: object) => {
      const found: unknown[] = [];
      const stream = await openai(charge).chat.completions.create({ ...asked, ...rest, stream: true });
      for await (const { usage } of stream) if (usage) found.push(usage.total_tokens);
      return found;
    };
    expect(await usages({})).toEqual([]);
    expect(await usages({ stream_options: { include_usage: true } })).toEqual([120]);
    expect(provider.requests.map(({ body }) => body.stream_options)).toEqual([
      { include_usage: true },
      { include_usage: true },
    ]);
    const unasked = meteredOpenAI(new OpenAI({ apiKey: "k", baseURL: `${provider.url}/v1` }), charge, {
      logger: false,
      includeUsage: false,
    });
    await unasked.chat.completions.create({ ...asked, stream: true });
    expect(provider.requests[2]?.body.stream_options).toBeUndefined();
  });

  it("bills each attempt that is taken, and none that is refused", async () => {
    const charge = new TestCharge();
    provider.plans.push({ status: 429 }, { status: 500 });
    await openai(charge).chat.completions.create(asked);
    expect(provider.requests).toHaveLength(3);
    expect(charge.reports).toMatchObject([total]);
  });

  it("counts embeddings, images, characters and seconds", async () => {
    const charge = new TestCharge();
    const client = openai(charge);
    await client.embeddings.create({ model: "e", input: "hi", encoding_format: "float" });
    await client.images.generate({ model: "gpt-image-1", prompt: "a" });
    await (
      await client.audio.speech.create({ model: "tts-1", voice: "alloy", input: "Grüße 👋" })
    ).arrayBuffer();
    const file = new File([new Uint8Array([1])], "a.mp3");
    await client.audio.transcriptions.create({ model: "whisper-1", file });
    expect(charge.calls.map(({ usage }) => usage)).toEqual([
      { provider: "openai", model: "e", inputTokens: 12 },
      { provider: "openai", model: "gpt-image-1", inputTokens: 50, outputTokens: 1000, images: 2 },
      { provider: "openai", model: "tts-1", characters: 7 },
      { provider: "openai", model: "whisper-1", seconds: 9 },
    ]);
    expect(charge.calls.flatMap(({ estimated }) => estimated)).toEqual([]);
  });

  it("bills an answer whose body is never read when its work is billed", async () => {
    const charge = new TestCharge();
    const response = await openai(charge).chat.completions.create(asked).asResponse();
    expect(charge.reports).toHaveLength(0);
    charge.settle();
    expect(charge.calls).toMatchObject([{ ending: "left", estimated: ["inputTokens", "outputTokens"] }]);
    await response.text();
    expect(charge.reports).toHaveLength(1);
  });

  it("refuses what is no client", () => {
    expect(() => meteredOpenAI({} as never, new TestCharge())).toThrow("client: expected an OpenAI client");
    expect(() => meteredAnthropic({} as never, new TestCharge())).toThrow("an Anthropic client");
  });

  it("is billed once where it is stacked", async () => {
    const charge = new TestCharge();
    await meteredOpenAI(openai(charge), charge, charge.options).chat.completions.create(asked);
    expect(charge.reports).toHaveLength(1);
  });
});

describe("meteredGemini", () => {
  it("refuses version 1, and says why", () => {
    const client = new GoogleGenAI1({ apiKey: "k" });
    expect(() => meteredGemini(client, new TestCharge())).toThrow("1.x cannot be given a fetch");
    expect(() => meteredGemini({} as never, new TestCharge())).toThrow("a client of @google/genai");
  });
});

describe("meteredFetch", () => {
  it("refuses options that it does not know", () => {
    expect(() => meteredFetch(new TestCharge(), { fetsh: fetch } as never)).toThrow('did you mean "fetch"?');
    expect(() => meteredFetch(new TestCharge(), { fetch: 5 as never })).toThrow("fetch: expected a function");
  });
});
