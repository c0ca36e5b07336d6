import { holdFor, listedPrices, type ModelUsage } from "@creditgate/ai";
import fc from "fast-check";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { promptIn as promptOf } from "../src/call/prompt.ts";
import { sampledTokens } from "../src/call/token-estimate.ts";
import { estimatedInput } from "../src/hold/call-size.ts";
import { affordableTokens, worstCost } from "../src/hold/worst-cost.ts";
import { wav } from "./recordings.ts";
import { promptIn, scripts } from "./scripts.ts";

const prices = listedPrices({
  price: { perThousandInputTokens: 1, perThousandCacheWriteTokens: 2, perThousandOutputTokens: 10 },
});
/** One token for each character, so that what is read is known. */
const countTokens = (text: string) => text.length;
const options = { prices, margin: 0, countTokens };
/** Characters by chance, the same ones each time. */
const chosen = (alphabet: string, count: number) => {
  let seed = 1;
  const next = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return alphabet[Math.floor((seed / 2_147_483_647) * alphabet.length)];
  };
  return Array.from({ length: count }, next).join("");
};
/** One sentence of the Declaration of Human Rights, and texts of other tests. */
const writtenTexts: readonly (readonly [string, string])[] = [
  ...scripts.map((script) => [script, promptIn(script)] as const),
  ["Arabic", "يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق."],
  ["Hebrew", "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם."],
  ["Hindi", "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।"],
  ["Thai", "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ"],
  ["Korean", "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다."],
  ["Japanese", "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。"],
  ["Greek", "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα."],
  ["Vietnamese", "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi."],
  ["Finnish", "Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan."],
  ["Amharic", "የሰው ልጅ ሁሉ ሲወለድ ነጻና በክብርና በመብትም እኩልነት ያለው ነው።"],
  ["Lao", "ມະນຸດທຸກຄົນເກີດມາມີສິດເສລີພາບ ແລະ ສະເໝີໜ້າກັນ"],
];
const message = { role: "user", content: "x".repeat(996) };

describe("holdFor", () => {
  it.each<[string, object]>([
    ["the AI SDK", { messages: [message], maxOutputTokens: 100 }],
    ["Chat Completions", { model: "gpt-5", messages: [message], max_completion_tokens: 100 }],
    ["Responses", { model: "gpt-5", input: [message], max_output_tokens: 100 }],
    ["Anthropic", { model: "claude", messages: [message], max_tokens: 100 }],
    [
      "Gemini",
      {
        model: "gemini",
        contents: [{ role: "user", parts: [{ text: "x".repeat(996) }] }],
        config: { maxOutputTokens: 100 },
      },
    ],
  ])("is what is read at its dearest, and the most that may be written, of %s", (_, request) => {
    expect(holdFor(request, options)).toBe(2 + 1);
  });

  it("adds the margin to what is read, not to what is written", () => {
    expect(holdFor({ messages: [message], maxOutputTokens: 100 }, { ...options, margin: 0.5 })).toBe(3 + 1);
  });

  it("counts each answer that is asked for", () => {
    expect(holdFor({ messages: [message], max_tokens: 100, n: 3 }, options)).toBe(2 + 3);
    expect(
      holdFor({ contents: "", generationConfig: { maxOutputTokens: 100, candidateCount: 2 } }, options),
    ).toBe(2);
  });

  it("counts answers whose number is text, which some servers take for a number", () => {
    expect(holdFor({ messages: [message], max_tokens: 100, n: "3" }, options)).toBe(2 + 3);
    const generationConfig = { maxOutputTokens: 100, candidateCount: "2" };
    expect(holdFor({ contents: "", generationConfig }, options)).toBe(2);
  });

  it("reads a request of Gemini by either of the names that its fields have", () => {
    const parts = [{ text: "x".repeat(1_000) }];
    const schema = { type: "object", properties: { city: { type: "string" } } };
    const camel = {
      contents: [],
      systemInstruction: { parts },
      generationConfig: { maxOutputTokens: 100, candidateCount: 3, responseSchema: schema },
    };
    const snake = {
      contents: [],
      system_instruction: { parts },
      generation_config: { max_output_tokens: 100, candidate_count: 3, response_schema: schema },
    };
    expect(holdFor(camel, options)).toBeGreaterThan(2 + 3);
    expect(holdFor(snake, options)).toBe(holdFor(camel, options));
    // Whatever the maximum is by the options.
    const given = { ...options, maxOutputTokens: 100 };
    expect(holdFor(snake, given)).toBe(holdFor(camel, given));
  });

  it("adds the thinking that the AI SDK adds to the maximum", () => {
    const providerOptions = { anthropic: { thinking: { type: "enabled", budgetTokens: 2_000 } } };
    expect(holdFor({ prompt: "", maxOutputTokens: 100, providerOptions }, options)).toBe(21);
  });

  it("adds the thinking of Anthropic that is more than the maximum: between tools a model may think as much", () => {
    const thinking = (budget_tokens: number) => ({ type: "enabled", budget_tokens });
    const asked = { messages: [], max_tokens: 100 };
    expect(holdFor({ ...asked, thinking: thinking(64_000) }, options)).toBe(641);
    expect(holdFor({ ...asked, thinking: thinking(99) }, options)).toBe(1);
  });

  it("takes the model of the AI SDK by its provider", () => {
    const asked: ModelUsage[] = [];
    const model = { specificationVersion: "v3", provider: "openai.responses", modelId: "gpt-5" };
    const noted = (usage: ModelUsage) => asked.push(usage);
    holdFor({ model, prompt: "hi", maxOutputTokens: 100 }, { ...options, prices: noted });
    expect(asked[0]).toMatchObject({ provider: "openai", model: "gpt-5" });
  });

  it("counts an image as one, however many bytes it has", () => {
    const image = { type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(400_000)}` } };
    const request = { messages: [{ role: "user", content: [image] }], max_tokens: 1 };
    expect(holdFor(request, { ...options, provider: "openai" })).toBeCloseTo(2 * 0.769 + 0.01, 9);
  });

  it("reads a schema of the answer, whoever has it", () => {
    const schema = {
      type: "json_schema",
      schema: { type: "object", properties: { city: { type: "string" } } },
    };
    const read = (request: object) =>
      holdFor({ messages: [message], ...request }, { ...options, maxOutputTokens: 0 });
    const all = [
      { response_format: schema },
      { text: { format: schema } },
      { output_config: { format: schema } },
    ];
    expect(new Set(all.map(read)).size).toBe(1);
    expect(read(all[2] ?? {})).toBeGreaterThan(read({}));
    const { schema: json } = schema;
    for (const request of [
      { functions: [json] },
      { output_format: schema },
      { config: { responseJsonSchema: json } },
      { generationConfig: { responseJsonSchema: json } },
    ]) {
      expect(read(request)).toBeGreaterThan(read({}) + 0.1);
    }
  });

  it.each<[string, (text: string) => object]>([
    ["under a name that means another thing elsewhere", (text) => ({ type: "image", id: text })],
    ["as a name", (text) => ({ [text]: 1 })],
    ["deep inside", (text) => JSON.parse(`${'{"a":'.repeat(99)}${JSON.stringify(text)}${"}".repeat(99)}`)],
  ])("reads all that a tool was given or has answered: %s", (_, hidden) => {
    const part = (name: string) => ({
      type: "tool_use",
      id: "t",
      name: "n",
      [name]: hidden("x".repeat(5_000)),
    });
    for (const name of ["input", "value", "args", "response"]) {
      const messages = [{ role: "assistant", content: [part(name)] }];
      expect(holdFor({ messages }, { ...options, maxOutputTokens: 0 })).toBeGreaterThan(2 * 5);
    }
  });

  describe("reads rows that a tool has answered as JSON, whatever their names", () => {
    const row = { id: "x".repeat(1_000), status: "y".repeat(1_000), type: "video", title: "z".repeat(3_000) };
    const result = (output: unknown) => ({ type: "tool-result", toolCallId: "c", toolName: "t", output });
    const shown = (fields: object) => ({
      type: "tool-t",
      toolCallId: "c",
      state: "output-available",
      ...fields,
    });

    it.each<[string, object]>([
      ["of the AI SDK", result({ type: "json", value: [row] })],
      ["of an error", result({ type: "error-json", value: [row] })],
      ["without a type", result([row])],
      ["of a type that no result has", result({ type: "video", value: [row] })],
      ["in a UI message", shown({ input: {}, output: [row] })],
      ["in a UI message, that look like parts", shown({ output: { type: "content", value: [row] } })],
      ["in a UI message, as a fault", shown({ state: "output-error", rawInput: [row] })],
      ["of Gemini", { functionResponse: { name: "t", response: [row] } }],
      ["that are asked of Anthropic", { type: "tool_use", id: "t", name: "t", input: [row] }],
    ])("%s", (_, part) => {
      const messages = [{ role: "tool", content: [part] }];
      expect(holdFor({ messages }, { ...options, maxOutputTokens: 0 })).toBeGreaterThan(2 * 5);
    });

    it("but for what consists of parts", () => {
      const image = { type: "media", mediaType: "image/png", data: "A".repeat(400_000) };
      const value = [{ type: "text", text: "x".repeat(1_000) }, image];
      const messages = [{ role: "tool", content: [result({ type: "content", value })] }];
      const held = holdFor({ messages }, { ...options, provider: "openai", maxOutputTokens: 0 });
      expect(held).toBeGreaterThan(2 * 1.765);
      expect(held).toBeLessThan(2 * 1.8);
    });
  });

  it("reads a message that bears the type of an image", () => {
    const messages = [{ role: "user", type: "image", content: "x".repeat(5_000) }];
    expect(holdFor({ messages }, { ...options, maxOutputTokens: 0 })).toBeGreaterThan(2 * 5);
  });

  describe("adds the prompt that Anthropic adds for tools", () => {
    const own = [
      { type: "computer_20250124", name: "computer", display_width_px: 800, display_height_px: 600 },
      { type: "text_editor_20250728", name: "str_replace_based_edit_tool" },
      { type: "bash_20250124", name: "bash" },
    ];
    const added = (request: object, given: object = { provider: "anthropic" }) => {
      const counted = { ...options, countTokens: () => 0, maxOutputTokens: 0, ...given };
      return (1_000 * holdFor({ messages: [], ...request }, counted)) / 2;
    };

    it.each<[string, number, object, object?]>([
      ["none", 0, {}],
      ["none for an empty list", 0, { tools: [] }],
      ["none for another provider", 0, { tools: own }, { provider: "openai", model: "gpt-5" }],
      ["for one of the application", 810, { tools: [{ name: "f", input_schema: { type: "object" } }] }],
      ["for its own", 810 + 3 * 750, { tools: own }],
      ["for its own of many members", 810 + 4_600, { tools: [{ type: "computer_toolset_20260801" }] }],
      [
        "for its model by another provider",
        810,
        { tools: [{ name: "f" }] },
        { provider: "vertex", model: "claude-opus-4-5" },
      ],
      [
        "for tools of the AI SDK",
        810 + 750,
        { tools: { bash: { type: "provider", id: "anthropic.bash_20250124" }, f: {} } },
      ],
      ["behind Bedrock", 810, { tools: [{ type: "function", name: "f" }] }, { provider: "amazon-bedrock" }],
    ])("%s", (_, tokens, request, given) => {
      expect(added(request, given)).toBeCloseTo(tokens, 6);
    });
  });

  it("reads the environment of a command, whatever its names", () => {
    const action = { type: "exec", command: ["ls"], env: { type: "image", id: "x".repeat(5_000) } };
    const input = [{ type: "local_shell_call", call_id: "c", action }];
    expect(holdFor({ input }, { ...options, maxOutputTokens: 0 })).toBeGreaterThan(2 * 5);
  });

  describe("is never less than half of what OpenAI's tokenizer finds, by default", () => {
    const held = (text: string) =>
      1_000 * holdFor({ prompt: text }, { prices: perToken, maxOutputTokens: 0 });
    const perToken = listedPrices({ price: { perThousandInputTokens: 1 } });
    const from = (first: number, count: number) =>
      Array.from({ length: 600 }, (_, at) => String.fromCodePoint(first + ((at * 7) % count))).join("");

    it.each<[string, string]>([
      ["spaces that change", " \n\t".repeat(500)],
      ["spaces that go on", " ".repeat(5_000)],
      ["the ends of lines", "\n".repeat(5_000)],
      ["spaces of other kinds", "\u00a0\u2003\u3000".repeat(300)],
      ["controls", "\0\u0001\u0002".repeat(300)],
      ["accents", "a\u0301\u0323\u0330".repeat(300)],
      ["joiners", "\u200b\u200c\ufe0f".repeat(300)],
      ["symbols", from(0x2190, 600)],
      ["the letters of old Greek", from(0x1f00, 200)],
      ["Amharic", from(0x1200, 300)],
      ["Tibetan", from(0x0f40, 40)],
      ["Hindi", from(0x0904, 50)],
      ["Yi", from(0xa000, 500)],
      ["rare Chinese", from(0x20000, 300)],
      ["an alphabet of mathematics", from(0x1d400, 84)],
      ["a script that has died out", from(0x10a60, 30)],
      ["private characters", from(0xe000, 300)],
      ["emoji", "🧑‍🚀🎉😀🇩🇪".repeat(50)],
      ["base64", Buffer.from(from(0x3400, 500)).toString("base64")],
      ["small letters", chosen("abcdefghijklmnopqrstuvwxyz", 2_000)],
      ["capitals", chosen("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 2_000)],
      ["small letters and capitals", chosen("aBcDeFgHiJkLmNoPqRsTuVwXyZ", 2_000)],
      ["letters and digits", chosen("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 2_000)],
      ["hexadecimal numbers", chosen("0123456789abcdef", 2_000)],
      ["single digits", chosen("0123456789", 500).split("").join(" ")],
      ["signs", chosen("!@#$%^&*()_+{}|:<>?~`-=[]\\;',./", 2_000)],
      ["Cyrillic letters", from(0x410, 64)],
      ["Greek letters", from(0x3b1, 25)],
      ["Arabic letters", from(0x621, 42)],
      ["Hebrew letters", from(0x5d0, 27)],
      ["Latin letters with accents", from(0xc0, 64)],
      ["Chinese characters", from(0x4e00, 599)],
      ["Japanese letters", from(0x3041, 150)],
      ["old Korean", from(0x1100, 200)],
      ["mahjong", from(0x1f000, 44)],
    ])("of %s", (_, text) => {
      expect(held(text)).toBeGreaterThan(encode(text).length / 2);
    });

    it.each(writtenTexts)("of %s, and less than three times as much", (_, text) => {
      const tokens = encode(text).length;
      expect(held(text)).toBeGreaterThan(tokens / 2);
      expect(held(text)).toBeLessThan(tokens * 3);
    });

    it.each<[string, number, string]>([
      ["rare Chinese", 0.36, String.fromCharCode(0x9c40).repeat(500)],
      ["rare Korean", 0.36, String.fromCharCode(0xbe80).repeat(500)],
      ["small letters without vowels", 0.43, chosen("bcdfghjklmnpqrstvwxz", 2_000)],
    ])("but for what docs/models/estimates.md states: %s, %d", (_, least, text) => {
      const share = held(text) / encode(text).length;
      expect(share).toBeGreaterThan(least);
      expect(share).toBeLessThan(0.5);
    });

    it("of any characters", () => {
      fc.assert(
        fc.property(fc.string({ unit: "binary", minLength: 50 }), (text) => {
          expect(held(text)).toBeGreaterThan(encode(text).length / 2);
        }),
      );
    });
  });

  it("reads of a long text one window of each part, and is about as much", () => {
    const read = "word in a sentence, and then: 1, 2, 3. ";
    const cost = (text: string) => estimatedInput({ ...promptOf({}), texts: [text] }, { margin: 0 });
    const long = `${read.repeat(40_000)}${"\u9c40".repeat(400_000)}`;
    const whole = 40_000 * (cost(read.repeat(1_000)) / 1_000) + 400_000;
    expect(cost(long) / whole).toBeGreaterThan(0.9);
    expect(cost(long) / whole).toBeLessThan(1.15);
    let seen = 0;
    const count = (text: string) => {
      seen += text.length;
      return 1;
    };
    sampledTokens(["a".repeat(8_000_000)], count, 32);
    expect(seen).toBe(32 * 512);
  });

  it("reads windows of many texts as of one", () => {
    const texts = Array.from({ length: 40_000 }, (_, at) => String(at).padStart(at % 7, "0"));
    const whole = texts.join("\n");
    let seen = 0;
    const found = (text: string) => {
      seen++;
      expect(text).toHaveLength(512);
      expect(whole).toContain(text);
      return 1;
    };
    expect(sampledTokens(texts, found, 32)).toBe(Math.ceil(whole.length / 512));
    expect(seen).toBe(32);
  });

  it.each<[string, (pdf: string) => object]>([
    [
      "Chat Completions",
      (pdf) => ({ type: "file", file: { filename: "a", file_data: `data:application/pdf;base64,${pdf}` } }),
    ],
    ["Responses", (pdf) => ({ type: "input_file", file_data: `data:application/pdf;base64,${pdf}` })],
    [
      "Anthropic",
      (data) => ({ type: "document", source: { type: "base64", media_type: "application/pdf", data } }),
    ],
    ["Gemini", (data) => ({ inlineData: { mimeType: "application/pdf", data } })],
    [
      "the AI SDK, as bytes",
      (pdf) => ({
        type: "file",
        mediaType: "application/pdf",
        data: new Uint8Array(Buffer.from(pdf, "base64")),
      }),
    ],
    ["the AI SDK, as base64", (data) => ({ type: "file", mediaType: "application/pdf", data })],
  ])("counts the pages of a PDF, and of a packed one by its bytes, as %s has it", (_, part) => {
    const read = (text: string) => {
      const messages = [{ role: "user", content: [part(Buffer.from(text, "latin1").toString("base64"))] }];
      return holdFor({ messages }, { ...options, provider: "openai", maxOutputTokens: 0 }) / 2;
    };
    const page = "<< /Type /Page /Parent 2 0 R >>\n";
    expect(read(`%PDF-1.4\n<< /Type /Pages /Count 3 >>${page.repeat(3)}`)).toBeCloseTo(3 * 2.765 + 0.004, 6);
    expect(read(`%PDF-1.7\n/Type /ObjStm ${"x".repeat(199_000)}`)).toBeCloseTo(20 * 2.765 + 0.004, 6);
    const stated = read(`A PDF may begin later. %PDF-1.4\n${page.repeat(3)}`);
    expect(stated).toBeGreaterThan(3 * 2.765);
  });

  it.each<[string, number, string]>([
    ["whose names have escapes", 100, "/Type /P#61ge\n".repeat(100)],
    ["by its count, if that is more", 100, "<< /Type /Pages /Count 100 >> /Type /Page "],
    ["by its bytes, if that is more", 20, `/Type /Page /Filter /FlateDecode ${"x".repeat(199_000)}`],
  ])("holds for the pages of a PDF %s", (_, pages, text) => {
    const part = { type: "file", mediaType: "application/pdf", data: Buffer.from(`%PDF-1.4 ${text}`) };
    const messages = [{ role: "user", content: [part] }];
    const held = holdFor({ messages }, { ...options, provider: "openai", maxOutputTokens: 0 });
    expect(held / 2).toBeCloseTo(pages * 2.765 + 0.004, 6);
  });

  describe("holds for the length of a recording", () => {
    const data = Buffer.alloc(1_000_000);
    const base64 = data.toString("base64");
    it.each<[string, string, number, object]>([
      ["of sound", "google", 500 * 32, { type: "file", mediaType: "audio/ogg", data }],
      [
        "of sound, by Gemini's names",
        "google",
        500 * 32,
        { inlineData: { mimeType: "audio/ogg", data: base64 } },
      ],
      ["of sound, in a URL", "google", 500 * 32, { type: "file", url: `data:audio/ogg;base64,${base64}` }],
      [
        "of sound, at OpenAI",
        "openai",
        500 * 10,
        { type: "input_audio", input_audio: { data: base64, format: "mp3" } },
      ],
      [
        "of a WAV",
        "openai",
        2 * 10,
        {
          type: "input_audio",
          input_audio: { data: Buffer.from(wav({ seconds: 2 })).toString("base64"), format: "wav" },
        },
      ],
      ["of a video", "google", 100 * 300, { type: "file", mediaType: "video/mp4", data }],
    ])("%s", (_, provider, tokens, part) => {
      const messages = [{ role: "user", content: [part] }];
      const held = (1_000 * holdFor({ messages }, { ...options, provider, maxOutputTokens: 0 })) / 2;
      expect(held).toBeGreaterThanOrEqual(tokens);
      // And an image.
      expect(held).toBeLessThan(tokens + 800);
    });

    it("at the price of sound, if that is more", () => {
      const messages = [{ role: "user", content: [{ type: "file", mediaType: "audio/ogg", data }] }];
      const price = { perThousandInputTokens: 1, perThousandAudioInputTokens: 5 };
      const given = { ...options, provider: "google", prices: listedPrices({ price }), maxOutputTokens: 0 };
      expect(holdFor({ messages }, given)).toBeGreaterThan(5 * 16);
      expect(holdFor({ messages: [message] }, given)).toBe(1);
    });
  });

  it.each<[string, (base64: string) => object]>([
    ["Responses", (base64) => ({ type: "input_file", file_data: `data:text/csv;base64,${base64}` })],
    ["Gemini", (data) => ({ inlineData: { mimeType: "text/plain", data } })],
    [
      "the AI SDK, as bytes",
      (base64) => ({
        type: "file",
        mediaType: "application/json",
        data: new Uint8Array(Buffer.from(base64, "base64")),
      }),
    ],
    ["the AI SDK, as base64", (data) => ({ type: "file", mediaType: "text/plain", data })],
  ])("reads a file of text, as %s has it", (_, part) => {
    const content = [part(Buffer.from("x".repeat(50_000)).toString("base64"))];
    const held = holdFor({ messages: [{ role: "user", content }] }, { ...options, maxOutputTokens: 0 });
    expect(held / 2).toBeGreaterThan(50);
    expect(held / 2).toBeLessThan(52);
  });

  it("counts all answers that are written to choose from", () => {
    expect(holdFor({ prompt: "", max_tokens: 100, best_of: 5, n: 1 }, options)).toBe(5);
  });

  it("takes embeddings, which write nothing", () => {
    expect(holdFor({ model: "e", input: "x".repeat(1_000) }, { ...options, maxOutputTokens: 0 })).toBe(2);
    expect(() => holdFor({ input: "hi", max_tokens: 0 }, options)).toThrow("maxOutputTokens: expected");
  });

  it("asks for a maximum where there is none", () => {
    expect(() => holdFor({ messages: [message] }, options)).toThrow(
      "maxOutputTokens: expected the most tokens that the model may write: a hold needs a maximum, received undefined",
    );
    expect(holdFor({ messages: [message] }, { ...options, maxOutputTokens: 100 })).toBe(3);
  });

  it("says which model has no price", () => {
    const request = { model: "gpt-9", prompt: "hi", max_tokens: 1 };
    expect(() => holdFor(request, { prices: () => undefined, provider: "openai" })).toThrow("openai gpt-9");
  });
});

describe("affordableTokens", () => {
  const call = { provider: "p", model: "m", inputTokens: 500, hasSound: false };

  it("is the most that fits, whatever the tiers and however it is rounded", () => {
    const rate = fc.double({ min: 0, max: 50, noNaN: true });
    fc.assert(
      fc.property(
        rate,
        rate,
        rate,
        fc.double({ min: 0, max: 100, noNaN: true }),
        (input, output, reasoning, credits) => {
          const listed = listedPrices({
            modelPrices: [
              {
                ...{ provider: "p", model: "m" },
                price: { perThousandInputTokens: input, perThousandOutputTokens: output },
                tiers: [{ aboveInputTokens: 400, price: { perThousandReasoningTokens: reasoning } }],
              },
            ],
          });
          const tokens = affordableTokens(listed, call, credits, 10_000);
          const cost = (count: number) => worstCost(listed, call, count) ?? Number.POSITIVE_INFINITY;
          if (tokens >= 0) expect(cost(tokens)).toBeLessThanOrEqual(credits);
          if (tokens < 10_000) expect(cost(tokens + 1)).toBeGreaterThan(credits);
        },
      ),
    );
  });
});
