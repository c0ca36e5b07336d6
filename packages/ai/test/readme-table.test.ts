import { readFileSync } from "node:fs";
import {
  type ModelUsage,
  meteredFetch,
  meteredModel,
  usageFromAiSdk,
  usageFromAnthropic,
  usageFromGemini,
  usageFromOpenAI,
} from "@creditgate/ai";
import { describe, expect, it } from "vitest";
import { TestCharge } from "./test-charge.ts";

/** What a provider has said, and what becomes of it. */
interface Case {
  readonly answer: object;
  read(answer: never): ModelUsage | undefined | Promise<ModelUsage | undefined>;
  readonly usage: ModelUsage;
}

const read = (usage: object, source: object = {}) => usageFromAiSdk(usage, source);

/** What is billed of a call over HTTP that is answered so. */
async function fetched(path: string, request: object, answer: object): Promise<ModelUsage | undefined> {
  const charge = new TestCharge();
  const metered = meteredFetch(charge, { ...charge.options, fetch: async () => Response.json(answer) });
  await (await metered(`https://x${path}`, { method: "POST", body: JSON.stringify(request) })).text();
  return charge.calls[0]?.usage;
}

/** What is billed of a call of a model of the AI SDK that gives this result. */
async function generated(kind: object, request: object, result: object): Promise<ModelUsage | undefined> {
  const charge = new TestCharge();
  const model = { specificationVersion: "v3", provider: "own", modelId: "m", ...kind };
  const plain = { ...model, doGenerate: async (_: object) => result };
  await meteredModel(plain, charge, charge.options).doGenerate(request);
  return charge.calls[0]?.usage;
}

const chat = {
  usage: {
    prompt_tokens: 100,
    prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 5, audio_tokens: 8 },
    completion_tokens: 20,
    completion_tokens_details: { reasoning_tokens: 4, audio_tokens: 6 },
  },
};
const anthropic = {
  input_tokens: 55,
  cache_read_input_tokens: 40,
  cache_creation_input_tokens: 5,
  output_tokens: 20,
  output_tokens_details: { thinking_tokens: 4 },
};
const gemini = {
  promptTokenCount: 90,
  toolUsePromptTokenCount: 10,
  cachedContentTokenCount: 40,
  candidatesTokenCount: 16,
  thoughtsTokenCount: 4,
  totalTokenCount: 120,
};
const whole = { inputTokens: 100, cachedInputTokens: 40, outputTokens: 20, reasoningTokens: 4 };
const written = { cacheWriteTokens: 5 };
const nested = {
  inputTokens: { total: 100, cacheRead: 40, cacheWrite: 5 },
  outputTokens: { total: 20, reasoning: 4 },
};
const by = (provider: string) => (usage: object) => read(usage, { provider });
const withMetadata = ({ usage, ...source }: { readonly usage: object }) => read(usage, source);

/** By the first cell of its row. */
const cases: Readonly<Record<string, readonly Case[]>> = {
  "OpenAI Chat Completions": [
    {
      answer: chat,
      read: usageFromOpenAI,
      usage: { provider: "openai", ...whole, ...written, audioInputTokens: 8, audioOutputTokens: 6 },
    },
  ],
  "OpenAI Responses": [
    {
      answer: {
        usage: {
          input_tokens: 100,
          input_tokens_details: { cached_tokens: 40, cache_write_tokens: 5 },
          output_tokens: 20,
          output_tokens_details: { reasoning_tokens: 4 },
        },
      },
      read: usageFromOpenAI,
      usage: { provider: "openai", ...whole, ...written },
    },
  ],
  Anthropic: [
    {
      answer: { usage: anthropic },
      read: usageFromAnthropic,
      usage: { provider: "anthropic", ...whole, ...written },
    },
  ],
  "Anthropic with `iterations`": [
    {
      answer: {
        ...anthropic,
        iterations: [
          { ...anthropic, type: "compaction", input_tokens: 1_000, output_tokens: 50 },
          { ...anthropic, type: "message" },
          { ...anthropic, type: "advisor_message" },
        ],
      },
      read: usageFromAnthropic,
      usage: {
        provider: "anthropic",
        inputTokens: 1_000 + 55 + 2 * 45,
        cachedInputTokens: 80,
        cacheWriteTokens: 10,
        outputTokens: 70,
        reasoningTokens: 4,
      },
    },
  ],
  Gemini: [
    { answer: { usageMetadata: gemini }, read: usageFromGemini, usage: { provider: "google", ...whole } },
    {
      answer: { usageMetadata: { ...gemini, toolUsePromptTokenCount: undefined } },
      read: usageFromGemini,
      usage: { provider: "google", ...whole },
    },
    {
      answer: { usageMetadata: { ...gemini, candidatesTokenCount: undefined } },
      read: usageFromGemini,
      usage: { provider: "google", ...whole },
    },
  ],
  "AI SDK 6, 7": [
    { answer: nested, read: by("groq.chat"), usage: { provider: "groq", ...whole, ...written } },
    {
      answer: { inputTokens: { total: 1 }, outputTokens: { total: 1 }, raw: chat.usage },
      read: by("openai.chat"),
      usage: { provider: "openai", ...whole, ...written, audioInputTokens: 8, audioOutputTokens: 6 },
    },
    {
      answer: { inputTokens: { total: 1 }, outputTokens: { total: 1 }, raw: anthropic },
      read: by("anthropic.messages"),
      usage: { provider: "anthropic", ...whole, ...written },
    },
    {
      answer: { inputTokens: { total: 1 }, outputTokens: { total: 1 }, raw: gemini },
      read: by("google.generative-ai"),
      usage: { provider: "google", ...whole },
    },
  ],
  "AI SDK 5, OpenAI and others": [
    { answer: whole, read: by("openai.chat"), usage: { provider: "openai", ...whole } },
    { answer: whole, read: by("groq.chat"), usage: { provider: "groq", ...whole } },
  ],
  "AI SDK 5, Anthropic": [
    {
      answer: {
        usage: { inputTokens: 55, cachedInputTokens: 40, outputTokens: 20 },
        provider: "anthropic.messages",
        providerMetadata: { anthropic: { cacheCreationInputTokens: 5 } },
      },
      read: withMetadata,
      usage: { provider: "anthropic", inputTokens: 100, cachedInputTokens: 40, ...written, outputTokens: 20 },
    },
    {
      answer: {
        usage: { inputTokens: 1, outputTokens: 1 },
        provider: "anthropic.messages",
        providerMetadata: { anthropic: { usage: anthropic } },
      },
      read: withMetadata,
      usage: { provider: "anthropic", ...whole, ...written },
    },
  ],
  "AI SDK 5, Gemini": [
    {
      answer: { inputTokens: 100, cachedInputTokens: 40, outputTokens: 16, reasoningTokens: 4 },
      read: by("google.generative-ai"),
      usage: { provider: "google", ...whole },
    },
    {
      answer: {
        usage: { inputTokens: 1, cachedInputTokens: 1, outputTokens: 1, reasoningTokens: 1 },
        provider: "google.generative-ai",
        providerMetadata: { google: { usageMetadata: gemini } },
      },
      read: withMetadata,
      usage: { provider: "google", ...whole },
    },
  ],
  "`audioInputTokens`, `audioOutputTokens`": [
    {
      answer: { usage: { prompt_tokens: 9, prompt_tokens_details: { audio_tokens: 8 } } },
      read: usageFromOpenAI,
      usage: { provider: "openai", inputTokens: 9, audioInputTokens: 8 },
    },
    {
      answer: {
        promptTokenCount: 9,
        promptTokensDetails: [{ modality: "AUDIO", tokenCount: 8 }],
        candidatesTokenCount: 7,
        candidatesTokensDetails: [
          { modality: "AUDIO", tokenCount: 6 },
          { modality: "TEXT", tokenCount: 1 },
        ],
      },
      read: usageFromGemini,
      usage: {
        provider: "google",
        inputTokens: 9,
        audioInputTokens: 8,
        outputTokens: 7,
        audioOutputTokens: 6,
      },
    },
  ],
  "`images`": [
    {
      answer: { data: [{ url: "https://x" }, { b64_json: "AA" }] },
      read: usageFromOpenAI,
      usage: { provider: "openai", images: 2 },
    },
    {
      answer: { predictions: [{}, {}, {}] },
      read: (answer) => fetched("/v1beta/models/imagen-4:predict", {}, answer),
      usage: { provider: "google", model: "imagen-4", images: 3 },
    },
    {
      answer: { images: ["AA", "AA"] },
      read: (answer) => generated({ maxImagesPerCall: 4 }, { prompt: "a" }, answer),
      usage: { provider: "own", model: "m", images: 2 },
    },
  ],
  "`seconds`": [
    {
      answer: { usage: { type: "duration", seconds: 8.2 } },
      read: usageFromOpenAI,
      usage: { provider: "openai", seconds: 9 },
    },
    { answer: { duration: "8.47" }, read: usageFromOpenAI, usage: { provider: "openai", seconds: 9 } },
    {
      answer: { text: "hi", durationInSeconds: 8.1 },
      read: (answer) => generated({}, { audio: new Uint8Array([1]) }, answer),
      usage: { provider: "own", model: "m", seconds: 9 },
    },
  ],
  "`characters`": [
    {
      answer: {},
      read: (answer) => fetched("/v1/audio/speech", { model: "tts-1", input: "Grüße 👋" }, answer),
      usage: { provider: "openai", model: "tts-1", characters: 7 },
    },
    {
      answer: { audio: "AA" },
      read: (answer) => generated({}, { text: "Grüße 👋" }, answer),
      usage: { provider: "own", model: "m", characters: 7 },
    },
  ],
  "embeddings, what was read": [
    {
      answer: { usage: { prompt_tokens: 12 } },
      read: usageFromOpenAI,
      usage: { provider: "openai", inputTokens: 12 },
    },
    { answer: { tokens: 12 }, read: by("openai.embedding"), usage: { provider: "openai", inputTokens: 12 } },
  ],
};

const page = readFileSync(new URL("../../../docs/models/usage-fields.md", import.meta.url), "utf8");
const [, section = ""] = /^## Fields and counts$([\s\S]*?)^## /m.exec(page) ?? [];
const cellsOf = (line: string) => line.split("|").slice(1, -1);
const lines = section.split("\n").filter((line) => line.startsWith("|") && !line.startsWith("|--"));
const rows = lines.map((line) => cellsOf(line).map((cell) => cell.trim())).filter(([label]) => label !== "");
/** What the columns of the first table are, in its head. */
const [, ...columns] = cellsOf(lines[0] ?? "").map(namesIn);

/** The names that a cell gives to fields of a wire. */
function namesIn(cell: string): string[] {
  return Array.from(cell.matchAll(/`\.?([\w.]+)`/g), ([, code = ""]) => code);
}

/** All that stands under this name in an answer, however deep. */
function found(answer: unknown, name: string): number[] {
  if (typeof answer !== "object" || answer === null) return [];
  return Object.entries(answer).flatMap(([key, value]) =>
    key === name && typeof value === "number" ? [value] : found(value, name),
  );
}

/** What a cell that only adds fields says, in the order of its column; `undefined` where it says more, or may mean several. */
function sumsOf(cell: string, answer: object): (number | undefined)[] {
  return cell.split(", ").map((part) => {
    if (!/^`[\w.]+`( \+ `[\w.]+`)*$/.test(part)) return undefined;
    const counts = namesIn(part).map((name) => found(answer, name.split(".").at(-1) ?? ""));
    if (counts.some(({ length }) => length !== 1)) return undefined;
    return counts.flat().reduce((sum, count) => sum + count, 0);
  });
}

/** What stands in code, and is no field. */
const values: ReadonlySet<string> = new Set(["message", "compaction", "AUDIO"]);

describe("the tables of docs/models/usage-fields.md", () => {
  it("have a case here for each row, and a row for each case", () => {
    expect(rows.map(([label]) => label)).toEqual(Object.keys(cases));
  });

  it.each(rows)("are right about %s", async (label = "", ...cells) => {
    const all = cases[label] ?? [];
    for (const { answer, read, usage } of all) expect(await read(answer as never)).toEqual(usage);
    const said = JSON.stringify(all.map(({ answer }) => answer));
    for (const name of cells.flatMap(namesIn).flatMap((path) => path.split("."))) {
      if (!values.has(name)) expect(said).toContain(`"${name}":`);
    }
  });

  it("name the fields of which a number is the sum", () => {
    let checked = 0;
    for (const [label = "", ...cells] of rows.slice(0, 9)) {
      const [{ answer, usage } = { answer: {}, usage: {} }] = cases[label] ?? [];
      for (const [at, names] of columns.entries()) {
        for (const [of, sum] of sumsOf(cells[at] ?? "", answer).entries()) {
          if (sum === undefined) continue;
          checked++;
          expect([label, names[of], sum]).toEqual([label, names[of], Reflect.get(usage, names[of] ?? "")]);
        }
      }
    }
    expect(checked).toBeGreaterThan(20);
  });
});
