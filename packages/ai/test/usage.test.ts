import {
  reportedUsage,
  tokenPools,
  usageFromAiSdk,
  usageFromAnthropic,
  usageFromGemini,
  usageFromOpenAI,
} from "@creditgate/ai";
import { extractUsage, findProvider } from "@pydantic/genai-prices";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const chat = {
  prompt_tokens: 100,
  completion_tokens: 20,
  total_tokens: 120,
  prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 5, audio_tokens: 8 },
  completion_tokens_details: { reasoning_tokens: 4, audio_tokens: 6 },
};
const responses = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 40, cache_write_tokens: 5 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 4 },
  total_tokens: 120,
};

describe("usageFromOpenAI", () => {
  it("takes the totals of a chat completion as they are, and what is part of them", () => {
    expect(usageFromOpenAI({ model: "gpt-5", choices: [], usage: chat })).toEqual({
      provider: "openai",
      model: "gpt-5",
      inputTokens: 100,
      cachedInputTokens: 40,
      cacheWriteTokens: 5,
      audioInputTokens: 8,
      outputTokens: 20,
      reasoningTokens: 4,
      audioOutputTokens: 6,
    });
  });

  it.each([
    [
      "Responses",
      { usage: responses },
      { inputTokens: 100, cachedInputTokens: 40, cacheWriteTokens: 5, outputTokens: 20, reasoningTokens: 4 },
    ],
    ["embeddings", { data: [{ embedding: [1] }], usage: { prompt_tokens: 9 } }, { inputTokens: 9 }],
    [
      "images",
      { data: [{ b64_json: "AA" }, { url: "https://x" }], usage: { input_tokens: 50, output_tokens: 1000 } },
      { inputTokens: 50, outputTokens: 1000, images: 2 },
    ],
    ["images without usage", { created: 1, data: [{ url: "https://x" }] }, { images: 1 }],
    [
      "a transcription by tokens",
      {
        text: "hi",
        usage: {
          type: "tokens",
          input_tokens: 14,
          input_token_details: { audio_tokens: 10 },
          output_tokens: 3,
        },
      },
      { inputTokens: 14, audioInputTokens: 10, outputTokens: 3 },
    ],
    [
      "a transcription by its length",
      { text: "hi", usage: { type: "duration", seconds: 8.2 } },
      { seconds: 9 },
    ],
    ["a verbose transcription", { text: "hi", duration: "8.47" }, { seconds: 9 }],
  ])("understands %s", (_, response, usage) => {
    expect(usageFromOpenAI(response)).toEqual({ provider: "openai", ...usage });
  });

  it("takes the usage without its response", () => {
    expect(usageFromOpenAI(responses)).toEqual(usageFromOpenAI({ usage: responses }));
  });

  it("counts what overlaps once in the total, and leaves no pool below 0", () => {
    const usage = usageFromOpenAI({
      prompt_tokens: 60,
      prompt_tokens_details: { cached_tokens: 40, audio_tokens: 30 },
    });
    expect(usage?.inputTokens).toBe(60);
    expect(tokenPools(usage ?? {}).input).toBe(0);
  });

  it("takes no part for more than its whole", () => {
    const usage = usageFromOpenAI({ prompt_tokens: 10, prompt_tokens_details: { cached_tokens: 40 } });
    expect(usage).toMatchObject({ inputTokens: 10, cachedInputTokens: 10 });
  });
});

describe("usageFromAnthropic", () => {
  const usage = {
    input_tokens: 55,
    cache_read_input_tokens: 40,
    cache_creation_input_tokens: 5,
    output_tokens: 20,
    output_tokens_details: { thinking_tokens: 4 },
  };

  it("adds the cached tokens, which stand beside the input", () => {
    expect(usageFromAnthropic({ model: "claude-opus-4", usage })).toEqual({
      provider: "anthropic",
      model: "claude-opus-4",
      inputTokens: 100,
      cachedInputTokens: 40,
      cacheWriteTokens: 5,
      outputTokens: 20,
      reasoningTokens: 4,
    });
  });

  it("takes null for what was not told", () => {
    const emitted = { ...usage, cache_read_input_tokens: null, output_tokens_details: null };
    expect(usageFromAnthropic(emitted)).toEqual({
      provider: "anthropic",
      inputTokens: 60,
      cacheWriteTokens: 5,
      outputTokens: 20,
    });
  });

  it("counts a compaction, which the totals leave out, and no advisor, which is another model", () => {
    const iterations = [
      { type: "compaction", input_tokens: 1000, output_tokens: 50 },
      { type: "message", input_tokens: 55, output_tokens: 20 },
      { type: "advisor_message", input_tokens: 700, output_tokens: 70 },
    ];
    expect(usageFromAnthropic({ ...usage, iterations })).toMatchObject({
      inputTokens: 1100,
      outputTokens: 70,
    });
    const fallback = [...iterations, { type: "fallback_message", input_tokens: 1, output_tokens: 1 }];
    expect(usageFromAnthropic({ ...usage, iterations: fallback })).toMatchObject({
      inputTokens: 100,
      outputTokens: 20,
    });
  });
});

describe("usageFromGemini", () => {
  const usageMetadata = {
    promptTokenCount: 90,
    cachedContentTokenCount: 40,
    toolUsePromptTokenCount: 10,
    candidatesTokenCount: 16,
    thoughtsTokenCount: 4,
    totalTokenCount: 120,
    promptTokensDetails: [
      { modality: "TEXT", tokenCount: 82 },
      { modality: "AUDIO", tokenCount: 8 },
    ],
    candidatesTokensDetails: [{ modality: "AUDIO", tokenCount: 6 }],
  };

  it("adds what tools have read and the thoughts, which stand beside prompt and answer", () => {
    expect(usageFromGemini({ modelVersion: "gemini-3", candidates: [], usageMetadata })).toEqual({
      provider: "google",
      model: "gemini-3",
      inputTokens: 100,
      cachedInputTokens: 40,
      audioInputTokens: 8,
      outputTokens: 20,
      reasoningTokens: 4,
      audioOutputTokens: 6,
    });
  });

  it("finds what was left out in the total, and no output that was not told", () => {
    expect(usageFromGemini({ promptTokenCount: 9, totalTokenCount: 9 })).toMatchObject({ outputTokens: 0 });
    const thinking = { promptTokenCount: 9, thoughtsTokenCount: 7, totalTokenCount: 16 };
    expect(usageFromGemini(thinking)).toMatchObject({ outputTokens: 7, reasoningTokens: 7 });
    expect(usageFromGemini({ promptTokenCount: 9 })).toEqual({ provider: "google", inputTokens: 9 });
  });

  it("finds what tools have read in the total where it is not told", () => {
    const { toolUsePromptTokenCount: _, ...rest } = usageMetadata;
    expect(usageFromGemini(rest)).toMatchObject({ inputTokens: 100, outputTokens: 20 });
  });

  it("reads what the live API calls it", () => {
    expect(usageFromGemini({ promptTokenCount: 9, responseTokenCount: 3 })).toMatchObject({
      outputTokens: 3,
    });
  });
});

describe("usageFromAiSdk", () => {
  const whole = { inputTokens: 100, cachedInputTokens: 40, outputTokens: 20, reasoningTokens: 4 };

  it.each([
    [
      "a model of v3 or v4",
      {
        inputTokens: { total: 100, noCache: 55, cacheRead: 40, cacheWrite: 5 },
        outputTokens: { total: 20, text: 16, reasoning: 4 },
      },
      {},
      { ...whole, cacheWriteTokens: 5 },
    ],
    [
      "a result of 6 or 7",
      {
        inputTokens: 100,
        inputTokenDetails: { noCacheTokens: 55, cacheReadTokens: 40, cacheWriteTokens: 5 },
        outputTokens: 20,
        outputTokenDetails: { textTokens: 16, reasoningTokens: 4 },
        totalTokens: 120,
        cachedInputTokens: 40,
        reasoningTokens: 4,
      },
      {},
      { ...whole, cacheWriteTokens: 5 },
    ],
    [
      "5 with OpenAI",
      { inputTokens: 100, cachedInputTokens: 40, outputTokens: 20, reasoningTokens: 4, totalTokens: 120 },
      { provider: "openai.chat" },
      { provider: "openai", ...whole },
    ],
    [
      "5 with Anthropic, which leaves cached tokens out",
      { inputTokens: 55, cachedInputTokens: 40, outputTokens: 20, totalTokens: 75 },
      { provider: "anthropic.messages", providerMetadata: { anthropic: { cacheCreationInputTokens: 5 } } },
      {
        provider: "anthropic",
        inputTokens: 100,
        cachedInputTokens: 40,
        cacheWriteTokens: 5,
        outputTokens: 20,
      },
    ],
    [
      "5 with Gemini, which leaves thoughts out",
      { inputTokens: 100, cachedInputTokens: 40, outputTokens: 16, reasoningTokens: 4 },
      { provider: "google.generative-ai" },
      { provider: "google", ...whole },
    ],
    [
      "5 with Gemini, by what it hands on of tools",
      { inputTokens: 90, outputTokens: 16, reasoningTokens: 4 },
      {
        provider: "google.generative-ai",
        providerMetadata: {
          google: {
            usageMetadata: {
              promptTokenCount: 90,
              toolUsePromptTokenCount: 10,
              candidatesTokenCount: 16,
              thoughtsTokenCount: 4,
            },
          },
        },
      },
      { provider: "google", inputTokens: 100, outputTokens: 20, reasoningTokens: 4 },
    ],
    ["embeddings", { tokens: 12 }, {}, { inputTokens: 12 }],
    ["images", { inputTokens: 50, outputTokens: 1000 }, {}, { inputTokens: 50, outputTokens: 1000 }],
    [
      "audio, which is only in what OpenAI itself has said",
      { inputTokens: { total: 100 }, outputTokens: { total: 20 }, raw: chat },
      { provider: "openai.chat" },
      { provider: "openai", ...whole, cacheWriteTokens: 5, audioInputTokens: 8, audioOutputTokens: 6 },
    ],
  ])("understands %s", (_, usage, source, expected) => {
    expect(usageFromAiSdk(usage, source)).toEqual(expected);
  });

  it("takes numbers that are all undefined for none", () => {
    expect(usageFromAiSdk({ inputTokens: undefined, outputTokens: undefined })).toBeUndefined();
    const nothing = { inputTokens: { total: undefined }, outputTokens: { total: undefined } };
    expect(usageFromAiSdk(nothing)).toBeUndefined();
  });
});

const readers = { usageFromOpenAI, usageFromAnthropic, usageFromGemini, usageFromAiSdk };

describe.each(Object.entries(readers))("%s", (_, read) => {
  it.each([[undefined], [null], [{}], [[]], ["usage"], [7], [{ usage: null }], [{ usage: {} }]])(
    "has no usage for %j",
    (response) => {
      expect(read(response)).toBeUndefined();
    },
  );

  it("never throws, and tells counts only", () => {
    fc.assert(
      fc.property(fc.anything(), (response) => {
        const { provider: _, model: __, ...counts } = read(response) ?? {};
        return Object.values(counts).every((count) => Number.isSafeInteger(count) && count >= 0);
      }),
    );
  });
});

describe("a field that is no count", () => {
  it.each([Number.NaN, -3, 1.5, "12", Number.POSITIVE_INFINITY, 2 ** 53])(
    "is left out when it is %s, and the others are kept",
    (bad) => {
      expect(usageFromOpenAI({ ...chat, prompt_tokens: bad })).toEqual({
        provider: "openai",
        cachedInputTokens: 40,
        cacheWriteTokens: 5,
        audioInputTokens: 8,
        outputTokens: 20,
        reasoningTokens: 4,
        audioOutputTokens: 6,
      });
      // One part of Anthropic's input: the whole is not known.
      expect(
        usageFromAnthropic({ input_tokens: 55, cache_read_input_tokens: bad, output_tokens: 2 }),
      ).toEqual({ provider: "anthropic", outputTokens: 2 });
      expect(
        usageFromGemini({ promptTokenCount: 9, candidatesTokenCount: 2, thoughtsTokenCount: bad }),
      ).toEqual({ provider: "google", inputTokens: 9 });
      const nested = { inputTokens: { total: bad, noCache: 5, cacheRead: 4 }, outputTokens: { total: 0 } };
      expect(usageFromAiSdk(nested)).toEqual({ inputTokens: 9, cachedInputTokens: 4, outputTokens: 0 });
    },
  );

  it("is another thing than 0", () => {
    expect(usageFromOpenAI({ prompt_tokens: 0, completion_tokens: 0 })).toEqual({
      provider: "openai",
      inputTokens: 0,
      outputTokens: 0,
    });
  });
});

describe("reportedUsage", () => {
  it("has the totals and their parts", () => {
    expect(reportedUsage(usageFromOpenAI({ model: "gpt-5", usage: chat }) ?? {})).toEqual({
      provider: "openai",
      model: "gpt-5",
      inputTokens: 100,
      cachedInputTokens: 40,
      cacheWriteTokens: 5,
      audioInputTokens: 8,
      outputTokens: 20,
      reasoningTokens: 4,
      audioOutputTokens: 6,
    });
    expect(reportedUsage({ provider: "openai", images: 2 })).toEqual({ provider: "openai", images: 2 });
  });

  it("has no part without its total, which is what is billed", () => {
    expect(reportedUsage({ outputTokens: 9, cachedInputTokens: 4, reasoningTokens: 3 })).toEqual({
      outputTokens: 9,
      reasoningTokens: 3,
    });
  });
});

describe("tokenPools", () => {
  it("counts each token once", () => {
    const pools = tokenPools(usageFromOpenAI({ usage: chat }) ?? {});
    expect(pools).toEqual({
      input: 47,
      cachedInput: 40,
      cacheWrite: 5,
      audioInput: 8,
      output: 10,
      reasoning: 4,
      audioOutput: 6,
    });
    const { output, reasoning, audioOutput, ...read } = pools;
    expect(Object.values(read).reduce((sum, tokens) => sum + tokens)).toBe(100);
    expect(output + reasoning + audioOutput).toBe(20);
  });
});

/** Its totals include what ours do, and it was written by others. */
describe("genai-prices", () => {
  const cases = {
    openai: [
      "chat",
      { model: "gpt-5", usage: { ...chat, prompt_tokens_details: { cached_tokens: 40 } } },
      usageFromOpenAI,
    ],
    "openai responses": ["responses", { model: "gpt-5", usage: responses }, usageFromOpenAI],
    anthropic: [
      undefined,
      {
        model: "claude-opus-4-5",
        usage: {
          input_tokens: 55,
          cache_read_input_tokens: 40,
          cache_creation_input_tokens: 5,
          output_tokens: 20,
        },
      },
      usageFromAnthropic,
    ],
    google: [
      undefined,
      {
        modelVersion: "gemini-2.5-pro",
        usageMetadata: {
          promptTokenCount: 90,
          cachedContentTokenCount: 40,
          toolUsePromptTokenCount: 10,
          candidatesTokenCount: 16,
          thoughtsTokenCount: 4,
        },
      },
      usageFromGemini,
    ],
  } as const;

  it.each(Object.entries(cases))(
    "finds in an answer of %s what we find",
    (name, [flavor, response, read]) => {
      const provider = findProvider({ providerId: name.split(" ", 1).join() });
      if (provider === undefined) throw new Error(`genai-prices does not know ${name}`);
      const theirs = extractUsage(provider, response, flavor);
      const ours = read(response);
      expect({
        input_tokens: ours?.inputTokens,
        output_tokens: ours?.outputTokens,
        cache_read_tokens: ours?.cachedInputTokens,
      }).toEqual({
        input_tokens: theirs.usage.input_tokens,
        output_tokens: theirs.usage.output_tokens,
        cache_read_tokens: theirs.usage.cache_read_tokens,
      });
      expect(ours?.model).toBe(theirs.model);
    },
  );
});
